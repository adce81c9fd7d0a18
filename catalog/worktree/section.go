package worktree

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/render"
)

// editedBodies returns the edited bodies of the entries in a file, and notes for the
// user, both by entry id. bodies holds the current bodies. The error says why the edit
// cannot be adopted.
func editedBodies(due render.File, file []byte, bodies map[catalog.ID]string) (edited, notes map[catalog.ID]string, err error) {
	for _, s := range due.Sections {
		if s.Lines == nil {
			return nil, nil, errors.New("it has text of an imported file beside that of entries: edit the files in the catalog")
		}
	}
	return editedSections(due, file, bodies)
}

// sectionEdit is a section of a region, and the edits to its entry's body.
type sectionEdit struct {
	render.Section
	from, to int // its lines in the region
	body     []string
	hunks    []hunk // edits of the body
}

func editedSections(due render.File, file []byte, bodies map[catalog.ID]string) (edited, notes map[catalog.ID]string, err error) {
	old := strings.SplitAfter(string(due.Content), "\n")
	now := strings.SplitAfter(strings.ReplaceAll(string(file), "\r\n", "\n"), "\n")
	sections := sectionsOf(due, bodies)
	edited, notes = map[catalog.ID]string{}, map[catalog.ID]string{}
	for _, h := range hunksOf(old, now) {
		s := sectionAt(sections, h)
		if s == nil {
			return nil, nil, errors.New("an edit belongs to no entry")
		}
		if h.covers(s) {
			return nil, nil, fmt.Errorf("the section of %s was deleted: remove the entry in the catalog, or leave it out with where", s.ID)
		}
		if h = h.upward(old, s.to); h.from > s.to || h.to > s.to || h.from < s.from {
			return nil, nil, errors.New("an edit spans two sections: edit the entries in the catalog")
		}
		if h.from == s.to && s != sections[len(sections)-1] {
			notes[s.ID] = "text between its section and the next is treated as part of it"
		}
		if err := s.take(h, old); err != nil {
			return nil, nil, err
		}
	}
	for _, s := range sections {
		if len(s.hunks) > 0 {
			edited[s.ID] = s.apply()
		}
	}
	return edited, notes, nil
}

// covers reports whether h deletes the whole section.
func (h hunk) covers(s *sectionEdit) bool {
	return h.from <= s.from && h.to >= s.to && strings.TrimSpace(strings.Join(h.now, "")) == ""
}

// sectionAt returns the section that contains h, or nil if no section does. Text added
// between two sections belongs to the earlier one.
func sectionAt(sections []*sectionEdit, h hunk) *sectionEdit {
	for _, s := range slices.Backward(sections) {
		if s.from < h.from || s.from == h.from && h.from < h.to {
			return s
		}
	}
	return nil
}

// sectionsOf returns the sections of a file, with their lines in the region.
func sectionsOf(due render.File, bodies map[catalog.ID]string) (sections []*sectionEdit) {
	for _, s := range due.Sections {
		from := bytes.Count(due.Content[:s.Start], []byte("\n"))
		sections = append(sections, &sectionEdit{
			Section: s, from: from, to: from + len(s.Lines),
			body: strings.SplitAfter(bodies[s.ID], "\n"),
		})
	}
	return sections
}

// take converts an edit of the region's lines to an edit of the body's lines and adds
// it to s.
func (s *sectionEdit) take(h hunk, old []string) error {
	lines := s.Lines[h.from-s.from : h.to-s.from]
	if slices.Contains(lines, -1) {
		return fmt.Errorf("a line that only rendering writes was edited in the section of %s: edit the entry in the catalog", s.ID)
	}
	b := hunk{now: s.raised(h.now, old)}
	switch {
	case len(lines) > 0:
		b.from, b.to = lines[0], s.bodyLineAt(h.to, lines[len(lines)-1]+1)
	case h.from > s.from && s.Lines[h.from-s.from-1] >= 0:
		b.from = s.bodyLineAt(h.from, s.Lines[h.from-s.from-1]+1)
		b.to = b.from
	default:
		b.from = s.bodyLineAt(h.from, -1)
		if b.to = b.from; b.from < 0 {
			return fmt.Errorf("text was added to the section of %s where it has no text of its entry: edit the entry in the catalog", s.ID)
		}
	}
	s.hunks = append(s.hunks, b)
	return nil
}

// bodyLineAt returns the line of the body for a line of the region, or other if the
// body does not have that line.
func (s *sectionEdit) bodyLineAt(line, other int) int {
	if line < s.to && s.Lines[line-s.from] >= 0 {
		return s.Lines[line-s.from]
	}
	return other
}

// raised returns new lines with their headings raised to the levels of the body, and
// with the body's line endings.
func (s *sectionEdit) raised(now, old []string) []string {
	shift := 0
	for i, n := range s.Lines {
		if n >= 0 && n < len(s.body) && headingLevel(s.body[n]) > 0 {
			shift = max(shift, headingLevel(old[s.from+i])-headingLevel(s.body[n]))
		}
	}
	newline := "\n"
	if len(s.body) > 0 && strings.HasSuffix(s.body[0], "\r\n") {
		newline = "\r\n"
	}
	raised := make([]string, len(now))
	for i, line := range now {
		if headingLevel(line) > shift {
			line = line[shift:]
		}
		raised[i] = strings.TrimSuffix(line, "\n") + newline
	}
	return raised
}

// headingLevel returns the level of a heading that begins with "#", or 0 if the line is
// not such a heading.
func headingLevel(line string) int {
	rest := strings.TrimLeft(line, "#")
	if level := len(line) - len(rest); level <= 6 && strings.HasPrefix(rest, " ") {
		return level
	}
	return 0
}

// apply returns the edited body. Lines that were not edited keep their bytes.
func (s *sectionEdit) apply() string {
	var text strings.Builder
	at := 0
	write := func(lines []string) {
		for _, line := range lines {
			if text.Len() > 0 && line != "" && !strings.HasSuffix(text.String(), "\n") {
				text.WriteString("\n")
			}
			text.WriteString(line)
		}
	}
	for _, h := range s.hunks {
		write(s.body[at:max(at, min(h.from, len(s.body)))])
		write(h.now)
		at = max(at, min(h.to, len(s.body)))
	}
	write(s.body[at:])
	return text.String()
}
