package review

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// layout is the lines of a Markdown text: what they are, and what they belong to.
type layout struct {
	text   string
	lines  []layoutLine
	fences map[int]Span // by their first lines
	hidden []Span       // what a reader of the page does not see, in order

	isTitledSo bool // whether the front matter or the first heading is about attacks
}

// layoutLine is a line without its end.
type layoutLine struct {
	Span
	kind    lineKind
	indent  int
	block   int  // of code, the first line of its fence
	attacks bool // whether it stands under a heading about attacks
}

type lineKind uint8

const (
	blankLine lineKind = iota
	proseLine
	headingLine
	itemLine  // of a list
	rowLine   // of a table
	quoteLine // of a block quotation
	codeLine  // of a fenced block, its delimiters among them
)

var (
	itemSyntax    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*+]|\d{1,3}[.)])\s`) })
	headingSyntax = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#{1,6}\s`) })
	fenceSyntax   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(?:`{3,}|~{3,})") })
)

func newLayout(text string) *layout {
	l := &layout{text: text, fences: map[int]Span{}}
	var attacks [7]bool // by level, whether the heading in force is about attacks
	fence, opened, inFront, hasHeading := "", 0, false, false
	for at := 0; at <= len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		content := strings.TrimSpace(text[at:end])
		line := layoutLine{Span: Span{at, end}, attacks: slices.Contains(attacks[:], true)}
		line.indent = len(text[at:end]) - len(strings.TrimLeft(text[at:end], " \t"))
		line.kind = kindOf(content, line.indent)
		n, delimiter := len(l.lines), fenceSyntax().FindString(content)
		switch {
		case content == "---" && (n == 0 || inFront):
			inFront = !inFront
			line.kind = blankLine
		case inFront:
			l.isTitledSo = l.isTitledSo || attackWords().MatchString(content)
		case fence != "":
			line.kind, line.block = codeLine, opened
			l.fences[opened] = Span{l.lines[opened].Start, end}
			if strings.HasPrefix(delimiter, fence) && strings.Trim(content, fence[:1]) == "" {
				fence = ""
			}
		case delimiter != "":
			fence, opened = delimiter, n
			line.kind, line.block = codeLine, n
			l.fences[n] = line.Span
		case line.kind == headingLine:
			level := len(content) - len(strings.TrimLeft(content, "#"))
			attacks[level] = attackWords().MatchString(content)
			clear(attacks[level+1:])
			l.isTitledSo = l.isTitledSo || !hasHeading && attacks[level]
			hasHeading = true
		}
		l.lines = append(l.lines, line)
		at = end + 1
	}
	for _, m := range hidingSyntax().FindAllStringIndex(text, -1) {
		if l.lines[l.lineAt(m[0])].kind == codeLine {
			continue
		}
		if hidingStyle().MatchString(text[m[0]:m[1]]) {
			m[1] = len(text)
		}
		l.hidden = append(l.hidden, Span{m[0], m[1]})
	}
	return l
}

func kindOf(content string, indent int) lineKind {
	switch {
	case content == "":
		return blankLine
	case indent < 4 && headingSyntax().MatchString(content):
		return headingLine
	case content[0] == '>':
		return quoteLine
	case content[0] == '|':
		return rowLine
	case itemSyntax().MatchString(content):
		return itemLine
	}
	return proseLine
}

// lineAt returns the number of the line at a place.
func (l *layout) lineAt(at int) int {
	i, exact := slices.BinarySearchFunc(l.lines, at, func(line layoutLine, at int) int { return line.Start - at })
	if !exact {
		i--
	}
	return i
}

// paragraph returns the lines that are read together with a line: for prose, a list
// item or a block quotation all of its adjacent lines, for anything else the line
// alone.
func (l *layout) paragraph(n int) (first, last int) {
	first, last = n, n
	kind := l.lines[n].kind
	if kind != proseLine && kind != itemLine && kind != quoteLine {
		return first, last
	}
	for first > 0 && n-first < maxLeadIn && l.lines[first].kind != itemLine && (l.lines[first-1].kind == l.lines[first].kind ||
		l.lines[first].kind == proseLine && l.lines[first-1].kind == itemLine) {
		first--
	}
	for last+1 < len(l.lines) && last-n < maxLeadIn && l.lines[last+1].kind != itemLine && (l.lines[last+1].kind == kind || l.lines[last+1].kind == proseLine && kind == itemLine) {
		last++
	}
	return first, last
}

// maxLeadIn is how many lines above a list or a fence the text may be that introduces it.
const maxLeadIn = 40

// leadIn returns the lines that introduce the one: of a table its heading, of a list and
// a block the paragraph before it. It is empty if there are none.
func (l *layout) leadIn(n int) string {
	line := l.lines[n]
	if line.kind == codeLine {
		n = line.block
	}
	indent := l.lines[n].indent
	for i := n - 1; i >= max(0, n-maxLeadIn); i-- {
		above := l.lines[i]
		switch {
		case above.kind == blankLine:
			if line.kind == rowLine {
				return ""
			}
			continue
		case line.kind == rowLine:
			if above.kind != rowLine {
				return ""
			}
			if i == 0 || l.lines[i-1].kind != rowLine {
				return l.text[above.Start:above.End]
			}
			continue
		case line.kind == itemLine && (above.kind == codeLine || above.kind == itemLine && above.indent >= indent || above.kind == proseLine && above.indent > indent):
			continue
		case line.kind == quoteLine && above.kind == quoteLine, above.kind == codeLine:
			continue
		}
		first, _ := l.paragraph(i)
		lead := l.text[max(l.lines[first].Start, above.End-maxReach):above.End]
		plain := strings.TrimRight(lead, " \t*_")
		if line.kind == itemLine && above.kind == proseLine && !strings.HasSuffix(plain, ":") && plain == strings.TrimSpace(lead) {
			return "" // a paragraph before a list, which it does not introduce
		}
		return lead
	}
	return ""
}
