package review

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold replaces each letter by the least of those that Unicode's simple case
// folding takes for equal, as package regexp does.
func fold(s string) string { return strings.Map(foldRune, s) }

func foldRune(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return r - 'a' + 'A'
	case r < utf8.RuneSelf:
		return r
	}
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}
