package review

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// layout is the structure of a Markdown text: the kind of each line, its fences and
// its hidden parts.
type layout struct {
	text   string
	lines  []layoutLine
	fences map[int]Span // the fenced blocks, by the index of their first line
	hidden []Span       // parts that the rendered page does not show, in order

	isTitledSo bool // whether the front matter or the first heading mentions attacks
}

// layoutLine is a line without its newline.
type layoutLine struct {
	Span
	kind    lineKind
	indent  int
	block   int  // for a line of code, the first line of its fenced block
	attacks bool // whether it is below a heading about attacks
}

type lineKind uint8

const (
	blankLine lineKind = iota
	proseLine
	headingLine
	itemLine  // of a list
	rowLine   // of a table
	quoteLine // of a block quotation
	codeLine  // of a fenced block, including its delimiters
)

var (
	itemSyntax    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*+]|\d{1,3}[.)])\s`) })
	headingSyntax = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#{1,6}\s`) })
	fenceSyntax   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(?:`{3,}|~{3,})") })
)

func newLayout(text string) *layout {
	l := &layout{text: text, fences: map[int]Span{}}
	var attacks [7]bool // by level, whether the current heading is about attacks
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

// lineAt returns the index of the line that contains an offset.
func (l *layout) lineAt(at int) int {
	i, exact := slices.BinarySearchFunc(l.lines, at, func(line layoutLine, at int) int { return line.Start - at })
	if !exact {
		i--
	}
	return i
}

// paragraph returns the first and last line of the paragraph that contains line n. A
// paragraph is a run of lines of prose or of a block quotation, or a list item with the
// prose lines that continue it. Any other line is a paragraph of its own.
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

// maxLeadIn is the maximum distance, in lines, from a line to the ends of its
// paragraph, and from a list or fence to the text that introduces it.
const maxLeadIn = 40

// leadIn returns the text that introduces line n: the header row of a table, or the
// paragraph before a list, quotation or fenced block. It returns "" if there is none.
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
			return "" // this paragraph does not introduce the list
		}
		return lead
	}
	return ""
}
