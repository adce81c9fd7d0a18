package review

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold replaces each letter with the smallest of the letters that Unicode's simple case
// folding treats as equal, as package regexp does.
func fold(s string) string { return strings.Map(foldRune, s) }

func foldRune(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return r - 'a' + 'A'
	case r < utf8.RuneSelf:
		return r
	}
	return slices.Min(caseOf(r))
}

// caseOf returns r and the characters that differ from it only in case.
func caseOf(r rune) []rune {
	all := []rune{r}
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		all = append(all, other)
	}
	return all
}
