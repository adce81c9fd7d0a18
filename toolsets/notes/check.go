package notes

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"instruction-catalog/catalog/files"
)

// Finding is a problem in a vault that its owner may want to fix.
type Finding struct {
	Path    ID     `json:"path"`
	Line    int    `json:"line"` // from 1
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
}

// Kind is the category of a [Finding].
type Kind string

// Values of Kind.
const (
	BrokenLink     Kind = "broken link"
	AmbiguousLink  Kind = "ambiguous link"
	Orphan         Kind = "orphan" // no link to or from another note
	DuplicateTitle Kind = "duplicate title"
	FrontMatter    Kind = "front matter" // the front matter cannot be read
	NotParsed      Kind = "not parsed"   // the body cannot be parsed, so its links are unknown
	Encoding       Kind = "encoding"     // not UTF-8
	UnreadFile     Kind = "unread file"
)

// Check returns the problems of the notes, sorted by path and line. It does not report
// files that could not be read.
func (s *Snapshot) Check() []Finding {
	findings := []Finding{}
	for i, n := range s.notes {
		findings = append(findings, s.checkLinks(n)...)
		if n.Parts.FrontError != nil {
			findings = append(findings, Finding{n.ID, n.Parts.FrontErrorLine, FrontMatter, fmt.Sprintf("it is not read: %v", n.Parts.FrontError)})
		}
		if err := n.Parts.BodyError; err != nil {
			findings = append(findings, Finding{n.ID, files.LineAt(n.File, n.Parts.Body.Start), NotParsed, err.Error()})
		}
		if n.IsUTF16() {
			findings = append(findings, Finding{n.ID, 1, Encoding, "it is UTF-16: save it as UTF-8"})
		}
		itself := func(other int32) bool { return int(other) == i }
		if n.Parts.BodyError == nil && !slices.ContainsFunc(s.out[i], func(other int32) bool { return !itself(other) }) &&
			!slices.ContainsFunc(s.in[i], func(other int32) bool { return !itself(other) }) {
			findings = append(findings, Finding{n.ID, 1, Orphan, "no link leads from here to another note, or back"})
		}
		if same := s.names.titles.of(Key(n.Title())); len(same) > 1 {
			other := s.notes[same[0]]
			if other == n {
				other = s.notes[same[1]]
			}
			findings = append(findings, Finding{n.ID, files.LineAt(n.File, n.Parts.TitleStart), DuplicateTitle,
				fmt.Sprintf("%q is the title of %d notes, such as %s", n.Title(), len(same), other.ID)})
		}
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return findings
}

func (s *Snapshot) checkLinks(n *Note) (findings []Finding) {
	line, at, find := 1, 0, s.names.finder(n.ID) // line and offset of the previous link
	for k := range n.Parts.Links {
		l := &n.Parts.Links[k]
		line += bytes.Count(n.File[at:l.Start], []byte{'\n'})
		at = l.Start
		add := func(kind Kind, message string) { findings = append(findings, Finding{n.ID, line, kind, message}) }
		switch found := find(l); {
		case len(found) == 0 && !isAttachment(l):
			add(BrokenLink, shownTarget(n, l)+" leads to no note")
		case len(found) > 1:
			add(AmbiguousLink, ambiguity(n, l, s.ids(found)))
		}
	}
	return findings
}
