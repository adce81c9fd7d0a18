package catalog

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"instruction-catalog/catalog/search/fold"
)

const ellipsis = "…"

// An excerpt is what a [Snippet] shows of a text, in the making.
type excerpt struct {
	text   string
	length int // the most characters that are shown
	shown  []glyph
	marks  [][]int // the matches, by position among the shown
}

// A glyph is a character that is shown, and the bytes of the text that it stands
// for. A blank stands for all the white space between two words.
type glyph struct {
	char       rune
	start, end int
}

// newExcerpt returns what is to be shown of a text around a place in it.
func newExcerpt(text string, length int, around fold.Match) *excerpt {
	context := length + 1 // the blank before a place may fall away
	line := flatten(text, back(text, around.Start, context), 2*context)
	e := &excerpt{text: text, length: length, shown: line, marks: [][]int{}}
	if len(line) > length || e.cutBefore() {
		e.narrow(around)
	}
	return e
}

// back returns from where in the text n characters are to be shown before i, or
// fewer where there are fewer.
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

// flatten returns the characters of a text from a place on, up to a limit, as
// one line: without control characters, with one blank for all that separates
// two words, and without a blank at either end.
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

// trim cuts the blank that a line may begin or end with.
func trim(line []glyph) []glyph {
	if len(line) > 0 && line[0].char == ' ' {
		line = line[1:]
	}
	if n := len(line); n > 0 && line[n-1].char == ' ' {
		line = line[:n-1]
	}
	return line
}

// visible reports whether a character is shown as it is. What reorders the
// characters around it is not: its counterpart may have been cut off.
func visible(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r)
}

// start and end are where in the text begins and ends what is shown.
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

// narrow leaves a window of what is shown, with a third of the context before
// the place and two thirds after it, or more before it where the text ends.
func (e *excerpt) narrow(around fold.Match) {
	window := e.length - 2*utf8.RuneCountInString(ellipsis)
	first, last := e.span(around)
	context := max(0, window-(last-first))
	low := max(0, min(first-context/3, len(e.shown)-window))
	high := min(len(e.shown), low+window)
	if last > high {
		last = first // the match itself is cut
	}
	e.shown = trim(e.shown[e.wordStart(low, first):e.wordEnd(high, last)])
}

// span returns which of the shown characters a match covers, from first up to,
// and not including, last.
func (e *excerpt) span(m fold.Match) (first, last int) {
	first = sort.Search(len(e.shown), func(i int) bool { return e.shown[i].end > m.Start })
	last = sort.Search(len(e.shown), func(i int) bool { return e.shown[i].start >= m.End })
	return first, last
}

// spared is how many characters are given up, at either end, so as not to cut a
// word. What is written without blanks is cut anywhere.
func (e *excerpt) spared() int { return min(24, e.length/4) }

// wordStart returns the first character, from low on and not beyond high, that
// begins a word, or low where that is too far.
func (e *excerpt) wordStart(low, high int) int {
	for i := low; i < min(high, low+e.spared()); i++ {
		before, size := utf8.DecodeLastRuneInString(e.text[:e.shown[i].start])
		if size == 0 || !visible(before) {
			return i
		}
	}
	return low
}

// wordEnd returns the end of the last word that ends at high or before, and not
// before low, or high where that is too far.
func (e *excerpt) wordEnd(high, low int) int {
	for i := high; i > max(low, high-e.spared()); i-- {
		after, size := utf8.DecodeRuneInString(e.text[e.shown[i-1].end:])
		if size == 0 || !visible(after) {
			return i
		}
	}
	return high
}

// take marks a match, and reports whether more can be taken.
func (e *excerpt) take(m fold.Match) bool {
	if m.Start >= e.end() || len(e.marks) == MaxMatches {
		return false
	}
	e.mark(m)
	return true
}

// mark marks a match as far as it is shown. Matches are marked in order, and
// where two are shown as one blank, it is marked once.
func (e *excerpt) mark(m fold.Match) {
	first, last := e.span(m)
	if n := len(e.marks); n > 0 {
		first = max(first, e.marks[n-1][1])
	}
	if first < last {
		e.marks = append(e.marks, []int{first, last})
	}
}

// snippet writes the excerpt out.
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
