package instructions

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog/files"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/verify"
)

// position is a position in a text as editors count it: from 0, in UTF-16 code units.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// textRange is the part of a text from Start up to, but not including, End.
type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// textEdit replaces a part of a text.
type textEdit struct {
	Range textRange `json:"range"`
	Text  string    `json:"text"`
}

// lines is the text of a file without its byte order mark, which editors do not show.
type lines struct {
	text  []byte
	begin []int // start offset of each line
}

func newLines(text []byte) lines {
	l := lines{files.TrimByteOrderMark(text), []int{0}}
	for i, c := range l.text {
		if c == '\n' {
			l.begin = append(l.begin, i+1)
		}
	}
	return l
}

// finding converts a verify finding to its JSON form, with its range in the text and its
// fix, if any.
func (l lines) finding(f report.Finding) fileFinding {
	found := fileFinding{Rule: f.Rule, Severity: f.Severity, Message: f.Message, Range: l.place(f)}
	if repaired, ok := verify.Repair(f, l.text); ok {
		edit := verify.EditOf(l.text, repaired)
		found.Fix = []textEdit{{l.span(edit.Start, edit.End), edit.Text}}
	}
	return found
}

// place returns the range of a finding: the matched text if the line contains it, else
// the line without surrounding white space. It returns the empty range at 0 if the
// finding has no valid line.
func (l lines) place(f report.Finding) textRange {
	if f.Line < 1 || f.Line > len(l.begin) {
		return textRange{}
	}
	start, end := l.begin[f.Line-1], len(l.text)
	if f.Line < len(l.begin) {
		end = l.begin[f.Line]
	}
	line := string(l.text[start:end])
	match := strings.TrimPrefix(strings.TrimPrefix(f.Match, "link "), "import ")
	if at := strings.Index(line, match); match != "" && at >= 0 {
		return l.span(start+at, start+at+len(match))
	}
	written := strings.TrimSpace(line)
	start += strings.Index(line, written)
	return l.span(start, start+len(written))
}

func (l lines) span(start, end int) textRange { return textRange{l.position(start), l.position(end)} }

// position converts a byte offset to a position.
func (l lines) position(offset int) position {
	line := bytes.Count(l.text[:offset], []byte{'\n'})
	return position{line, units(l.text[l.begin[line]:offset])}
}

// units counts the UTF-16 code units of a text.
func units(text []byte) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if n++; r >= 0x10000 {
			n++
		}
	}
	return n
}
