package catalog

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"instruction-catalog/catalog/search/fold"
)

const ellipsis = "…"

// excerpt is a [Snippet] under construction.
type excerpt struct {
	text   string
	length int // the maximum number of characters to show
	shown  []glyph
	marks  [][]int // the matches, as pairs [start, end) of indexes into shown
}

// glyph is a character to show and the range of bytes in the text that it represents. A
// blank represents all the white space between two words.
type glyph struct {
	char       rune
	start, end int
}

// newExcerpt returns an excerpt of a text around the match.
func newExcerpt(text string, length int, around fold.Match) *excerpt {
	context := length + 1 // trim may remove the blank before the match
	line := flatten(text, back(text, around.Start, context), 2*context)
	e := &excerpt{text: text, length: length, shown: line, marks: [][]int{}}
	if len(line) > length || e.cutBefore() {
		e.narrow(around)
	}
	return e
}

// back returns the offset in the text of the n-th visible character before i. It counts
// a run of white space as one character. If there are fewer than n characters, it
// returns 0.
func back(text string, i, n int) int {
	blank := false
	for i > 0 && n > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		i -= size
		switch {
		case visible(r):
			blank = false
			n--
		case unicode.IsSpace(r) && !blank:
			blank = true
			n--
		}
	}
	return i
}

// flatten returns up to limit characters of text[from:], on one line. It omits control
// characters, replaces each run of white space by one blank, and trims blanks from both
// ends.
func flatten(text string, from, limit int) []glyph {
	line := make([]glyph, 0, min(limit, len(text)-from))
	for i := from; i < len(text) && len(line) < limit; {
		r, size := utf8.DecodeRuneInString(text[i:])
		start, last := i, len(line)-1
		i += size
		switch {
		case visible(r):
			line = append(line, glyph{r, start, i})
		case !unicode.IsSpace(r) || last < 0:
		case line[last].char == ' ':
			line[last].end = i
		default:
			line = append(line, glyph{' ', start, i})
		}
	}
	return trim(line)
}

// trim removes a leading and a trailing blank from the line.
func trim(line []glyph) []glyph {
	if len(line) > 0 && line[0].char == ' ' {
		line = line[1:]
	}
	if n := len(line); n > 0 && line[n-1].char == ' ' {
		line = line[:n-1]
	}
	return line
}

// visible reports whether a character is shown unchanged. Bidirectional control
// characters are not, because an excerpt may contain one without its counterpart.
func visible(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r)
}

// start returns the offset in the text at which the shown characters begin; end returns
// the offset at which they end.
func (e *excerpt) start() int {
	if len(e.shown) == 0 {
		return 0
	}
	return e.shown[0].start
}

func (e *excerpt) end() int {
	if len(e.shown) == 0 {
		return 0
	}
	return e.shown[len(e.shown)-1].end
}

func (e *excerpt) cutBefore() bool { return strings.ContainsFunc(e.text[:e.start()], visible) }

func (e *excerpt) cutAfter() bool { return strings.ContainsFunc(e.text[e.end():], visible) }

// narrow reduces shown to a window around the match. A third of the context precedes the
// match and two thirds follow it. If the text ends earlier, more of the context precedes
// the match.
func (e *excerpt) narrow(around fold.Match) {
	window := e.length - 2*utf8.RuneCountInString(ellipsis)
	first, last := e.span(around)
	context := max(0, window-(last-first))
	low := max(0, min(first-context/3, len(e.shown)-window))
	high := min(len(e.shown), low+window)
	if last > high {
		last = first // the window cuts the match
	}
	e.shown = trim(e.shown[e.wordStart(low, first):e.wordEnd(high, last)])
}

// span returns the range [first, last) of shown characters that a match covers.
func (e *excerpt) span(m fold.Match) (first, last int) {
	first = sort.Search(len(e.shown), func(i int) bool { return e.shown[i].end > m.Start })
	last = sort.Search(len(e.shown), func(i int) bool { return e.shown[i].start >= m.End })
	return first, last
}

// spared returns the maximum number of characters to drop at either end so that no word
// is cut. Text without blanks may be cut anywhere.
func (e *excerpt) spared() int { return min(24, e.length/4) }

// wordStart returns the index of the first character, from low up to but not including
// high, that begins a word. If no word begins within e.spared() characters of low, it
// returns low.
func (e *excerpt) wordStart(low, high int) int {
	for i := low; i < min(high, low+e.spared()); i++ {
		before, size := utf8.DecodeLastRuneInString(e.text[:e.shown[i].start])
		if size == 0 || !visible(before) {
			return i
		}
	}
	return low
}

// wordEnd returns the end of the last word that ends after low and no later than high.
// If no word ends within e.spared() characters of high, it returns high.
func (e *excerpt) wordEnd(high, low int) int {
	for i := high; i > max(low, high-e.spared()); i-- {
		after, size := utf8.DecodeRuneInString(e.text[e.shown[i-1].end:])
		if size == 0 || !visible(after) {
			return i
		}
	}
	return high
}

// take marks a match, unless it begins after the excerpt or there are already
// MaxMatches. It reports whether the caller should pass further matches.
func (e *excerpt) take(m fold.Match) bool {
	if m.Start >= e.end() || len(e.marks) == MaxMatches {
		return false
	}
	e.mark(m)
	return true
}

// mark marks the shown part of a match. Matches must come in order. If two matches are
// shown as the same blank, the blank is marked once.
func (e *excerpt) mark(m fold.Match) {
	first, last := e.span(m)
	if n := len(e.marks); n > 0 {
		first = max(first, e.marks[n-1][1])
	}
	if first < last {
		e.marks = append(e.marks, []int{first, last})
	}
}

// snippet returns the finished snippet. Call it once: it shifts e.marks if the text
// begins with an ellipsis.
func (e *excerpt) snippet() Snippet {
	var text strings.Builder
	if e.cutBefore() {
		text.WriteString(ellipsis)
		for _, m := range e.marks {
			m[0]++
			m[1]++
		}
	}
	for _, g := range e.shown {
		text.WriteRune(g.char)
	}
	if e.cutAfter() {
		text.WriteString(ellipsis)
	}
	return Snippet{Text: text.String(), Matches: e.marks}
}
