package crosscheck

import "strings"

// Word lists that [clause.meaning] uses.
var (
	fillers      = wordSet("please you we do may can will also and but")
	demands      = wordSet("must should shall always ever")
	modals       = wordSet("do must should shall may")
	pronouns     = wordSet("it this that them these those")
	conditionals = wordSet("if when unless where while until before after once")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// meaning returns the topic of a clause and whether the clause is negated. The topic is
// the clause's words in lower case without words of demand, such as "always" and "you
// must", and without negation. "Not" negates after "do", "must" and similar words;
// "never" negates everywhere. In a clause that begins with a condition, both negate
// only after the comma that ends the condition. Any other "not" is part of the topic.
// The topic is "" if too few words are left.
func (c clause) meaning() (about string, negated bool) {
	words := spell(c.words)
	var said []string
	conditional := conditionals[strings.TrimSuffix(words[0], ",")]
	start := 0 // index in said where the main clause begins
	for i, word := range words {
		comma := strings.HasSuffix(word, ",")
		word = strings.TrimSuffix(word, ",")
		before := ""
		if i > 0 {
			before = words[i-1]
		}
		switch {
		case word == "", demands[word] && !(word == "always" && before == "not"), !conditional && len(said) == start && fillers[word]:
		case !conditional && word == "never", !conditional && word == "not" && modals[before] && !follows(words, i, "always"):
			negated = !negated
			if len(said) > start && said[len(said)-1] == "do" { // so that "they do not" negates "they"
				said = said[:len(said)-1]
			}
		default:
			said = append(said, word)
		}
		if comma && conditional {
			conditional, start = false, len(said)
		}
	}
	if len(said) > 1 {
		switch {
		case said[0] == "avoid" && said[1] == "using":
			said, negated = append([]string{"use"}, said[2:]...), !negated
		case said[0] == "avoid":
			said[0], negated = "use", !negated
		case said[0] == "prefer":
			said[0] = "use"
		}
	}
	if len(said) < minClause || len(said) == minClause && pronouns[said[1]] { // "use it" has no topic of its own
		return "", false
	}
	return strings.Join(said, " "), negated
}

func follows(words []string, i int, word string) bool { return i+1 < len(words) && words[i+1] == word }

// contractions maps contractions to their first word. The second word is "not".
var contractions = map[string]string{"cannot": "can", "can't": "can", "won't": "will", "dont": "do"}

// bare returns a word without the punctuation around it. It keeps signs that belong to
// the word, as in C++.
func bare(word string) string { return strings.TrimFunc(word, surrounds) }

func surrounds(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '?', '*', '_', '`', '"', '\'', '(', ')', '[', ']', '{', '}', '<', '>', '“', '”', '‘', '’', '…', '–', '—':
		return true
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// spell returns the words in lower case with contractions expanded. It removes the
// punctuation around them, except a trailing comma.
func spell(words []string) []string {
	spelled := make([]string, 0, len(words)+1)
	for _, word := range words {
		comma := strings.HasSuffix(strings.TrimRightFunc(word, closes), ",")
		word = strings.ReplaceAll(strings.ToLower(bare(word)), "’", "'")
		long, ok := contractions[word]
		if stem, cut := strings.CutSuffix(word, "n't"); !ok && cut {
			long, ok = stem, true
		}
		if ok {
			spelled, word = append(spelled, long), "not"
		}
		if comma {
			word += ","
		}
		spelled = append(spelled, word)
	}
	return spelled
}
