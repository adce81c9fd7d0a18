package strict

import (
	"strings"
	"unicode"
)

// fold replaces each letter by the least of those that Unicode's simple case
// folding takes for equal, as encoding/json and package regexp do.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, s)
}
