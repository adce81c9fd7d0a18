package render

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"instruction-catalog/catalog/markdown"
)

// topLevel is the level of an entry's first heading in a region.
const topLevel = 2

// section is the text of an entry in a region. It ends in a newline.
type section struct {
	text  []byte
	lines []int // see Section
	head  int   // number of lines of its first heading
	// ending is the line that was added to end a block that the body leaves open, such as
	// code. open is true if no line ends that block.
	ending string
	open   bool
}

func (s *section) add(text string, line int) {
	s.text = append(append(s.text, text...), '\n')
	s.lines = append(s.lines, line)
}

// section returns the body as a section of a shared file, with its headings demoted. If
// globs is not empty, a line below the first heading names them.
func (it *item) section(globs []string) section {
	if it.sectioned == nil {
		it.sectioned = it.demoted()
	}
	s := *it.sectioned
	if len(globs) == 0 {
		return s
	}
	out := section{ending: s.ending, open: s.open}
	lines := bytes.SplitAfter(s.text, []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		if i == s.head {
			out.add("", -1)
			out.add("For "+strings.Join(quoteAll(globs), ", ")+":", -1)
			if len(bytes.TrimSpace(line)) > 0 {
				out.add("", -1)
			}
		}
		out.add(string(line[:len(line)-1]), s.lines[i])
	}
	return out
}

func quoteAll(globs []string) []string {
	quoted := make([]string, len(globs))
	for i, g := range globs {
		quoted[i] = "`" + g + "`"
	}
	return quoted
}

// line returns a section of one line that refers to the SKILL.md with the entry's body.
// skill is the path of that file.
func (it *item) line(skill string) section {
	var s section
	about := strings.Join(strings.Fields(cmp.Or(it.description, it.Entry.Title)), " ")
	s.add("If this is needed, read `"+skill+"`: "+about, -1)
	return s
}

// demoted returns the body with its headings demoted to topLevel or deeper. If the body
// does not begin with its highest-level heading, demoted adds the entry's title as a
// heading at topLevel and demotes the others below it.
func (it *item) demoted() *section {
	body := toLF([]byte(it.body))
	lines := strings.Split(strings.TrimRight(string(body), " \t\n"), "\n")
	first := 0
	for strings.TrimSpace(lines[first]) == "" {
		first++
	}
	headings, isOpen := headingsOf(body)
	highest := 7
	for _, h := range headings {
		highest = min(highest, h.Level)
	}
	s := &section{head: 1}
	shift := topLevel - highest
	if len(headings) == 0 || lineAt(body, headings[0].Start) != first || headings[0].Level > highest {
		shift++
		s.add(strings.Repeat("#", topLevel)+" "+strings.Join(strings.Fields(it.Entry.Title), " "), -1)
		s.add("", -1)
	} else {
		s.head = 1 + lineAt(body, headings[0].End-1) - first
	}
	demotion := demoter{lines: lines, shift: max(shift, 0)}
	for _, h := range headings {
		demotion.demote(h, lineAt(body, h.Start), lineAt(body, h.End-1))
	}
	for i := first; i < len(lines); i++ {
		if !demotion.dropped[i] {
			s.add(lines[i], i)
		} else if i < first+s.head {
			s.head--
		}
	}
	if isOpen {
		s.end(strings.Join(lines, "\n"))
	}
	return s
}

// probe is a heading that only an open block above it can hide.
const probe = "\n\n# .\n"

// headingsOf returns the headings of a body outside of quotes and lists. isOpen reports
// whether the body ends within a block that would contain any text below it.
func headingsOf(body []byte) (headings []markdown.Heading, isOpen bool) {
	text := append(slices.Clip(body), probe...)
	all := markdown.Headings(text, markdown.Span{End: len(text)}, -1)
	headings = slices.DeleteFunc(all, func(h markdown.Heading) bool { return h.Nested })
	if n := len(headings); n > 0 && headings[n-1].Start >= len(body) {
		return headings[:n-1], false
	}
	return headings, true
}

// end adds a line that ends the block which the text of a body leaves open.
func (s *section) end(text string) {
	for _, ending := range []string{fence(text, "`"), fence(text, "~"), "-->", "</pre>", "?>", "]]>"} {
		if _, isOpen := headingsOf([]byte(text + "\n" + ending)); !isOpen {
			s.ending = ending
			s.add(ending, -1)
			return
		}
	}
	s.open = true
}

// fence returns a code fence that closes any open fence of this character in text.
func fence(text, character string) string {
	longest, run := 3, 0
	for i := range len(text) {
		if text[i] != character[0] {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat(character, longest)
}

// lineAt returns the line of an offset in text, from 0.
func lineAt(text []byte, offset int) int { return bytes.Count(text[:offset], []byte("\n")) }

// demoter lowers the level of headings.
type demoter struct {
	lines   []string
	shift   int
	dropped map[int]bool
}

// demote lowers heading h, which spans the lines from through to. An underlined heading
// that becomes deeper than level 2 is rewritten with "#".
func (d *demoter) demote(h markdown.Heading, from, to int) {
	level := min(h.Level+d.shift, 6)
	switch {
	case level == h.Level || to >= len(d.lines):
	case from == to:
		at := strings.Index(d.lines[from], "#")
		d.lines[from] = d.lines[from][:max(at, 0)] + strings.Repeat("#", level-h.Level) + d.lines[from][max(at, 0):]
	case level == topLevel:
		d.lines[to] = strings.ReplaceAll(d.lines[to], "=", "-")
	default:
		if d.dropped == nil {
			d.dropped = map[int]bool{}
		}
		d.lines[from] = strings.Repeat("#", level) + " " + strings.Join(strings.Fields(strings.Join(d.lines[from:to], " ")), " ")
		for i := from + 1; i <= to; i++ {
			d.dropped[i] = true
		}
	}
}
