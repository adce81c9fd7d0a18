package crosscheck

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// clause is a sentence, or a part of one that says something by itself, as it
// stands in a text.
type clause struct {
	words []string // valid until the next clause
	line  int      // of the body, from 1, where it begins
}

func (c clause) String() string { return strings.Join(c.words, " ") }

// last is the last word of a clause, bare and in lower case.
func (c clause) last() string { return strings.ToLower(bare(c.words[len(c.words)-1])) }

// mayDeny reports whether there is a word that could say that something is not to be.
func (c clause) mayDeny() bool {
	return slices.ContainsFunc(c.words, func(word string) bool {
		word = bare(word)
		n := len(word)
		return n >= 3 && (strings.EqualFold(word[n-3:], "not") || strings.HasSuffix(word, "n't") || strings.EqualFold(word, "never") ||
			strings.HasSuffix(word, "n’t") || strings.EqualFold(word, "dont"))
	})
}

// The lengths, in words, of what is compared: a single word is no imperative, and
// nobody says a long sentence twice.
const minClause, maxClause = 2, 40

// marker is what begins an item of a list, a heading or a quotation.
var marker = regexp.MustCompile(`^\s*(?:(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)+`)

// clausesOf yields the clauses of the prose of a Markdown text. Blocks of code have
// none.
func clausesOf(body string) iter.Seq[clause] {
	return func(yield func(clause) bool) {
		c := clauses{yield: yield}
		line := 0
		for text := range strings.SplitSeq(body, "\n") {
			line++
			c.readLine(text, line)
		}
		c.end()
	}
}

// clauses is the cutting of a text under way.
type clauses struct {
	yield func(clause) bool
	over  bool   // whether no more are asked for
	fence string // that the block of code ends with which has begun, "" outside
	clause
}

func (c *clauses) readLine(text string, line int) {
	content := strings.TrimSpace(text)
	switch {
	case c.fence != "":
		if strings.HasPrefix(content, c.fence) {
			c.fence = ""
		}
		return
	case strings.HasPrefix(content, "```"), strings.HasPrefix(content, "~~~"):
		c.fence = content[:3]
		c.end()
		return
	case content == "":
		c.end()
		return
	}
	heading := content[0] == '#'
	if strings.IndexByte("-*+>#0123456789", content[0]) >= 0 {
		if mark := marker.FindString(text); mark != "" {
			c.end()
			content = text[len(mark):]
		}
	}
	c.read(content, line)
	if heading {
		c.end()
	}
}

// read reads a line of prose. A clause ends where a sentence or a part of it does,
// and may go on into the next line.
func (c *clauses) read(content string, line int) {
	for word := range strings.FieldsSeq(content) {
		if len(c.words) == 0 {
			c.line = line
		}
		c.words = append(c.words, word)
		switch mark, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(word, closes)); mark {
		case '?':
			c.words = c.words[:0] // a question asks for nothing to be done
		case '.', '!', ';', ':':
			c.end()
		}
	}
}

// closes reports whether a character can stand behind the one that ends a sentence.
func closes(r rune) bool {
	switch r {
	case '*', '_', '`', '"', '\'', ')', ']', '”', '’':
		return true
	}
	return false
}

func (c *clauses) end() {
	if n := len(c.words); n >= minClause && n <= maxClause && !c.over {
		c.over = !c.yield(c.clause)
	}
	c.words = c.words[:0]
}

// Words that say that something is to be done, and no more.
var (
	fillers      = wordSet("please you we do may can will also and but")
	demands      = wordSet("must should shall always ever")
	modals       = wordSet("do must should shall may can will")
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

// meaning returns what a clause is about: its words in lower case, without those
// that say that it is to be, such as "always" and "you must", or that it is not.
// "Not" says so after "do", "must" and their like, and "never" everywhere; in a
// clause that begins with a condition, both do after its comma only. Any other
// "not" is a word. It is about nothing, "", where too few words are left.
func (c clause) meaning() (about string, negated bool) {
	words := spell(c.words)
	var said []string
	conditional := conditionals[strings.TrimSuffix(words[0], ",")]
	start := 0 // of what is to be done, in said
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
			if len(said) > start && said[len(said)-1] == "do" { // "they do not" is the contrary of "they"
				said = said[:len(said)-1]
			}
		default:
			said = append(said, word)
		}
		if comma && conditional {
			conditional, start = false, len(said)
		}
	}
	if len(said) < minClause || len(said) == minClause && pronouns[said[1]] { // "use it" says nothing alone
		return "", false
	}
	return strings.Join(said, " "), negated
}

func follows(words []string, i int, word string) bool { return i+1 < len(words) && words[i+1] == word }

// contractions are spelled out.
var contractions = map[string]string{"cannot": "can not", "can't": "can not", "won't": "will not", "dont": "do not"}

// bare is a word without punctuation around it. Signs that make another word of it,
// as in C++, stay.
func bare(word string) string { return strings.Trim(word, ".,;:!?*_`\"'()[]{}<>“”‘’…–—") }

// spell returns the words in lower case, without punctuation around them but a
// comma behind, and with contractions spelled out.
func spell(words []string) []string {
	spelled := make([]string, 0, len(words)+1)
	for _, word := range words {
		comma := strings.HasSuffix(strings.TrimRightFunc(word, closes), ",")
		word = strings.ReplaceAll(strings.ToLower(bare(word)), "’", "'")
		long, ok := contractions[word]
		if stem, cut := strings.CutSuffix(word, "n't"); !ok && cut {
			long, ok = stem+" not", true
		}
		if ok {
			word = long
		}
		if comma {
			word += ","
		}
		spelled = append(spelled, strings.Split(word, " ")...)
	}
	return spelled
}
