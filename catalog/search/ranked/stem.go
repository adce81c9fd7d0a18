package ranked

import "strings"

// endings are the endings of English word forms. Each comes before the shorter endings that
// it ends with.
var endings = []string{
	"ations", "ation", "ators", "ator", "ating", "ated", "ates", "ate", "ings", "ing", "ions", "ion",
	"ies", "ied", "ers", "er", "ed", "es", "ly", "e", "s", "y",
}

// leastStem is the minimum length, in bytes, of what remains of a word when an ending of one
// letter or "es" is removed. leastLongStem is the minimum for other endings, which are more
// often a part of the word, as in offer and paper.
const (
	leastStem     = 3
	leastLongStem = 4
)

// stem returns the common beginning of the forms of an English word: wrap, wraps and
// wrapping, query and queries, validate and validation. It is approximate, and the result
// is often not a word. In other languages, it unites only some of the forms of a word.
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

// single removes a letter that was doubled before an ending (wrapp-ing), and a final y
// (retry-ing), because stem removes it from retry, too.
func single(rest string) string {
	n := len(rest)
	switch {
	case n <= leastStem:
	case rest[n-1] == 'y', rest[n-1] == rest[n-2] && !strings.ContainsRune("sl", rune(rest[n-1])):
		return rest[:n-1]
	}
	return rest
}
