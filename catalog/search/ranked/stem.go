package ranked

import "strings"

// endings are the endings of the forms of English words, longest first.
var endings = []string{
	"ations", "ation", "ators", "ator", "ating", "ated", "ates", "ate", "ings", "ing", "ions", "ion",
	"ies", "ied", "ers", "er", "ed", "es", "ly", "e", "s", "y",
}

// leastStem is the minimum length, in bytes, of a word without an ending of one letter or
// "es". leastLongStem is the minimum for longer endings, which are more often a part of the
// word, as in offer and letter.
const (
	leastStem     = 3
	leastLongStem = 4
)

// stem returns the common beginning of the forms of an English word: wrap, wraps and
// wrapping, query and queries, validate and validation. It is approximate, and the result
// is often not a word. In other languages, it unites some forms of a word and separates
// most.
func stem(word string) string {
	if strings.HasSuffix(word, "ss") || strings.HasSuffix(word, "us") {
		return word
	}
	for _, ending := range endings {
		least := leastLongStem
		if len(ending) == 1 || ending == "es" {
			least = leastStem
		}
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= least {
			return single(rest)
		}
	}
	return word
}

// single reverts the change that an ending makes to the letters before it: wrapp-ing,
// retry-ing.
func single(rest string) string {
	n := len(rest)
	switch {
	case n <= leastStem:
	case rest[n-1] == 'y', rest[n-1] == rest[n-2] && !strings.ContainsRune("sl", rune(rest[n-1])):
		return rest[:n-1]
	}
	return rest
}
