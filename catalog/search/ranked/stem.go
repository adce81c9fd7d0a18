package ranked

import "strings"

// endings are what the forms of an English word differ in, longest first.
var endings = []string{
	"ations", "ation", "ators", "ator", "ating", "ated", "ates", "ate", "ings", "ing", "ions", "ion",
	"ies", "ied", "ers", "er", "ed", "es", "ly", "e", "s", "y",
}

// leastStem is the least that an ending leaves of a word, in bytes: one of a
// letter, or "es", and a longer one, which is more often a part of the word, as in
// offer and letter.
const (
	leastStem     = 3
	leastLongStem = 4
)

// stem returns the beginning that the forms of an English word have in common:
// wrap, wraps and wrapping, query and queries, validate and validation. It is
// rough, and often no word. Of other languages it takes some forms for one word
// and more of them for several.
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

// single undoes what an ending does to the letters before it: wrapp-ing, retry-ing.
func single(rest string) string {
	n := len(rest)
	switch {
	case n <= leastStem:
	case rest[n-1] == 'y', rest[n-1] == rest[n-2] && !strings.ContainsRune("sl", rune(rest[n-1])):
		return rest[:n-1]
	}
	return rest
}
