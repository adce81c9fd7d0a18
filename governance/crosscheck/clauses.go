package crosscheck

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// clause is a sentence, or an independent part of one, as written in a text.
type clause struct {
	words    []string // valid until the next clause; a quotation is one word
	line     int      // line of the body where the clause begins, from 1
	label    string   // the text before it on its line, up to a colon; "" if longer than maxLabel
	contexts []string // contexts named in its headings, lead-in lines and label
}

// String returns the clause as written, with its label.
func (c clause) String() string {
	return strings.TrimPrefix(c.label+" ", " ") + strings.Join(c.words, " ")
}

// last returns the last word of a clause in lower case, without punctuation.
func (c clause) last() string { return strings.ToLower(bare(c.words[len(c.words)-1])) }

// mayDeny reports whether a word of the clause could negate it.
func (c clause) mayDeny() bool {
	return slices.ContainsFunc(c.words, func(word string) bool {
		word = bare(word)
		n := len(word)
		return n >= 3 && (strings.EqualFold(word[n-3:], "not") || strings.HasSuffix(word, "n't") || strings.EqualFold(word, "never") || strings.EqualFold(word, "avoid") ||
			strings.HasSuffix(word, "n’t") || strings.EqualFold(word, "dont"))
	})
}

// Minimum and maximum length, in words, of the clauses to compare. A single word is
// not an imperative, and long sentences are not repeated.
const minClause, maxClause = 2, 40

// marker matches the marks at the beginning of a list item or a heading.
var marker = regexp.MustCompile(`^\s*(?:(?:[-*+]|#{1,6}|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)+`)

// clausesOf yields the clauses in the prose of a Markdown text that can be requests.
// It skips headings, code, tables, quotations and examples.
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

// clauses is the state of splitting a text into clauses.
type clauses struct {
	yield    func(clause) bool
	over     bool   // whether yield has returned false
	fence    string // the mark that ends the current code block, or ""
	closing  string // the tag that ends the current examples, or ""
	headings []above
	leads    []above // lead-in lines (ending in a colon), each indented further than the previous one
	contexts []string
	blank    bool // whether the previous line is blank
	inList   bool
	led      bool // whether a block has followed the last lead-in line
	clause
}

// above is a heading, or a line that introduces a list.
type above struct {
	depth    int  // the level of a heading, or the indent of a line
	silent   bool // whether the text below makes no requests
	contexts []string
}

func (c *clauses) readLine(text string, line int) {
	content := strings.TrimSpace(text)
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	switch {
	case c.fence != "":
		if strings.HasPrefix(content, c.fence) {
			c.fence = ""
		}
		return
	case c.closing != "":
		if strings.Contains(content, c.closing) {
			c.closing = ""
		}
		return
	case strings.HasPrefix(content, "```"), strings.HasPrefix(content, "~~~"):
		c.fence = content[:3]
		c.end()
		return
	case content == "":
		c.end()
		c.blank = true
		return
	case strings.HasPrefix(content, "<"):
		c.end()
		c.readTag(content)
		return
	case strings.IndexByte("|>", content[0]) >= 0, c.blank && !c.inList && indent >= 4:
		c.end()
		return
	}
	afterBlank := c.blank
	c.blank = false
	if strings.IndexByte("-*+#0123456789", content[0]) >= 0 {
		if mark := marker.FindString(text); mark != "" {
			c.end()
			content = text[len(mark):]
			if depth := strings.Count(mark, "#"); depth > 0 {
				c.heading(depth, content)
				return
			}
			c.inList, c.led = true, true
			c.leave(indent)
			c.read(content, line, indent)
			return
		}
	}
	if afterBlank && indent == 0 {
		if c.inList || c.led {
			c.inList, c.leads = false, nil
			c.setContexts()
		}
		c.led = true
	}
	c.read(content, line, indent-1)
}

// heading starts a section. Its heading replaces those of the same or a deeper level.
func (c *clauses) heading(depth int, text string) {
	c.inList, c.leads = false, nil
	for len(c.headings) > 0 && c.headings[len(c.headings)-1].depth >= depth {
		c.headings = c.headings[:len(c.headings)-1]
	}
	c.headings = append(c.headings, newAbove(depth, strings.Fields(text)))
	c.setContexts()
}

// leave drops the lead-in lines whose lists do not contain an item with this indent.
func (c *clauses) leave(indent int) {
	n := len(c.leads)
	for n > 0 && c.leads[n-1].depth >= indent {
		n--
	}
	if n < len(c.leads) {
		c.leads = c.leads[:n]
		c.setContexts()
	}
}

// setContexts sets contexts to those of all current headings and lead-in lines.
func (c *clauses) setContexts() {
	c.contexts = nil
	for _, all := range [][]above{c.headings, c.leads} {
		for _, a := range all {
			c.contexts = append(c.contexts, a.contexts...)
		}
	}
}

// silent reports whether a heading or lead-in line shows that the following text makes
// no requests.
func (c *clauses) silent() bool {
	isSilent := func(a above) bool { return a.silent }
	return slices.ContainsFunc(c.headings, isSilent) || slices.ContainsFunc(c.leads, isSilent)
}

func newAbove(depth int, words []string) above {
	text := strings.Join(words, " ")
	return above{depth, silences(words), contextsIn(text)}
}

// silencing are words of headings and lead-in lines, and marks in a line, that show
// that the following text is an example, a report, the opposite of a request, or a
// request for some cases only.
var silencing = wordSet(`example examples sample samples e.g bad wrong incorrect not never don't dont avoid avoided without
	anti-pattern anti-patterns antipatterns antipattern mistake mistakes pitfalls flags rationalizations excuse excuses
	troubleshooting faq changelog migration migrating deprecated legacy alternatives alternative options option
	either vs if when unless otherwise problem problems issue issues ❌ ✗ ✘ 🚫 ⛔`)

func silences(words []string) bool {
	if len(words) == 1 && examplePairs[strings.ToLower(bare(words[0]))] {
		return true
	}
	return slices.ContainsFunc(words, func(word string) bool {
		return silencing[strings.ToLower(strings.ReplaceAll(bare(word), "’", "'"))]
	})
}

// examplePairs are words that introduce an example if they stand alone in a heading,
// lead-in line or label.
var examplePairs = wordSet("before after old new good correct")

// readTag skips a line that begins with a tag. If the tag opens examples or a comment,
// it skips everything up to the closing tag.
func (c *clauses) readTag(content string) {
	name, _, _ := strings.Cut(strings.TrimLeft(content, "</"), ">")
	name, _, _ = strings.Cut(name, " ")
	if strings.HasPrefix(content, "<!--") {
		c.skipTo(content[len("<!--"):], "-->")
	} else if !strings.HasPrefix(content, "</") && (silences(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })) || name == "commentary") {
		c.skipTo(content, "</"+name)
	}
}

func (c *clauses) skipTo(content, end string) {
	if !strings.Contains(content, end) {
		c.closing = end
	}
}

// read reads a line of prose. A clause ends at the end of a sentence or of an
// independent part of one, and may continue on the next line. If the line ends in a
// colon, it introduces lists indented deeper than depth.
func (c *clauses) read(content string, line, depth int) {
	if c.silent() {
		return
	}
	label, about := "", c.contexts
	words := wordsOf(content)
	for i, word := range words {
		if len(c.words) == 0 {
			c.line, c.label, c.clause.contexts = line, label, about
		}
		if word[0] >= utf8.RuneSelf && refusals[word] {
			c.words = c.words[:0]
			return
		}
		c.words = append(c.words, word)
		switch mark := markAfter(word); {
		case mark == '?':
			c.words = c.words[:0] // a question requests nothing
		case mark == ':' && i == len(words)-1:
			c.leads, c.led = append(c.leads, newAbove(depth, c.words)), false
			c.words = c.words[:0]
			c.setContexts()
		case mark == ':':
			if silences(c.words) {
				c.words = c.words[:0]
				return
			}
			if len(c.words) <= maxLabel {
				label = strings.Join(c.words, " ")
				about = append(slices.Clip(about), contextsIn(label)...)
			}
			c.end()
		case mark == '.' || mark == '!' || mark == ';':
			c.end()
		}
	}
}

// markAfter returns the last character of a word, ignoring brackets and quotation
// marks. It returns 0 if the word ends in a letter or in code.
func markAfter(word string) rune {
	if last := word[len(word)-1]; last == '`' || isLetter(last) {
		return 0
	}
	mark, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(word, closes))
	return mark
}

// refusals are marks before something that must not be done.
var refusals = wordSet("❌ ✗ ✘ 🚫 ⛔")

// maxLabel is the maximum length of a label, in words.
const maxLabel = 4

// wordsOf splits a line at white space, except within code and quotation marks.
func wordsOf(line string) []string {
	words := strings.Fields(line)
	if !strings.ContainsAny(line, "`\"") && !strings.Contains(line, "“") {
		return words
	}
	joined := words[:0]
	for i := 0; i < len(words); i++ {
		end := i
		for _, q := range []string{"`", `"`, "“"} {
			closing := q
			if q == "“" {
				closing = "”"
			}
			if strings.HasPrefix(strings.TrimLeft(words[i], "(*_["), q) && !strings.Contains(afterFirst(words[i], q), closing) {
				for j := i + 1; j < len(words) && j-i < maxClause; j++ {
					if strings.Contains(words[j], closing) {
						end = j
						break
					}
				}
			}
		}
		joined = append(joined, strings.Join(words[i:end+1], " "))
		i = end
	}
	return joined
}

func afterFirst(word, mark string) string {
	_, after, _ := strings.Cut(word, mark)
	return after
}

// closes reports whether a character may follow the mark that ends a sentence.
func closes(r rune) bool {
	switch r {
	case '*', '_', '`', '"', '\'', ')', ']', '”', '’':
		return true
	}
	return false
}

func (c *clauses) end() {
	if n := len(c.words); (n >= minClause || n > 0 && c.label != "") && n <= maxClause && !c.over {
		c.over = !c.yield(c.clause)
	}
	c.words = c.words[:0]
}
