package writing

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"instruction-catalog/catalog/markdown"
	"instruction-catalog/toolsets/notes"
)

// Part is an edit of a part of a note's content. Exactly one field is set.
type Part struct {
	Append  *string
	Section *Section
	Replace *Replacement
}

// Section is new text for the section below a heading.
type Section struct {
	Heading string `json:"heading"`
	Content string `json:"content"`
}

// Replacement is new text for a piece of text that occurs exactly once.
type Replacement struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// edit returns the file with the part replaced, or a [ParamError].
func (p Part) edit(file []byte) ([]byte, error) {
	span, text, err := p.locate(file)
	if err != nil {
		return nil, err
	}
	body := markdown.Parse(file).Body
	return withBody(file, slices.Concat(file[body.Start:span.Start], text, file[span.End:])), nil
}

// locate returns the span of the file to replace and the new text.
func (p Part) locate(file []byte) (markdown.Span, []byte, error) {
	body := markdown.Parse(file).Body
	newline := newlineOf(file)
	switch {
	case p.Append != nil:
		text := []byte(withNewlines(*p.Append, newline))
		if end := body.Of(file); len(end) > 0 && end[len(end)-1] != '\n' {
			text = slices.Concat([]byte(newline), text)
		}
		return markdown.Span{Start: body.End, End: body.End}, text, nil
	case p.Section != nil:
		span, err := sectionOf(file, body, p.Section.Heading)
		return span, separated(file, body, span, withNewlines(p.Section.Content, newline), newline), err
	default:
		return p.Replace.locate(file, body, newline)
	}
}

// locate finds the old text in the body. If the file uses "\r\n", "\n" in r.Old also
// matches that.
func (r *Replacement) locate(file []byte, body markdown.Span, newline string) (markdown.Span, []byte, error) {
	old := r.Old
	places := occurrences(body.Of(file), []byte(old))
	if len(places) == 0 {
		old = withNewlines(old, newline)
		places = occurrences(body.Of(file), []byte(old))
	}
	switch len(places) {
	case 0:
		return body, nil, &ParamError{"replace.old", "the content does not contain it: read the note and copy the text exactly"}
	case 1:
		start := body.Start + places[0]
		return markdown.Span{Start: start, End: start + len(old)}, []byte(withNewlines(r.New, newline)), nil
	}
	return body, nil, &ParamError{"replace.old", fmt.Sprintf("the content contains it in %d places: give more of the text around the one you mean", len(places))}
}

// occurrences returns the offsets of piece in text, including overlapping ones.
func occurrences(text, piece []byte) (places []int) {
	for at := 0; ; at++ {
		next := bytes.Index(text[at:], piece)
		if next < 0 {
			return places
		}
		at += next
		places = append(places, at)
	}
}

// sectionOf returns the span between a heading and the next heading of the same or a
// higher level.
func sectionOf(file []byte, body markdown.Span, heading string) (markdown.Span, error) {
	all := slices.DeleteFunc(markdown.Headings(file, body, math.MaxInt), func(h markdown.Heading) bool { return h.Nested })
	var found []int
	for i, h := range all {
		if h.Text == heading {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return body, &ParamError{"section.heading", fmt.Sprintf("no heading reads %q: %s", heading, headingHint(all))}
	case 1:
	default:
		return body, &ParamError{"section.heading", fmt.Sprintf("%d headings read %q: use replace, or give the whole content", len(found), heading)}
	}
	h := all[found[0]]
	span := markdown.Span{Start: h.End, End: body.End}
	for _, next := range all[found[0]+1:] {
		if next.Level <= h.Level {
			span.End = next.Start
			break
		}
	}
	return span, nil
}

// headingHint lists the headings of the note, for an error message.
func headingHint(all []markdown.Heading) string {
	const few = 10
	if len(all) == 0 {
		return "the note has no heading"
	}
	var texts []string
	for _, h := range all[:min(few, len(all))] {
		texts = append(texts, fmt.Sprintf("%q", h.Text))
	}
	hint := "the note has " + strings.Join(texts, ", ")
	if more := len(all) - few; more > 0 {
		hint += fmt.Sprintf(" and %d more", more)
	}
	return hint
}

// separated returns the text of a section with blank lines between it and the headings
// around it. If text is empty, one blank line remains.
func separated(file []byte, body, span markdown.Span, text, newline string) []byte {
	text = strings.TrimRight(strings.TrimLeft(text, "\r\n"), "\r\n")
	before, after := newline, ""
	if span.Start > body.Start && file[span.Start-1] != '\n' {
		before += newline
	}
	if span.End < body.End {
		after = newline
	}
	if text == "" {
		return []byte(before)
	}
	return []byte(before + text + newline + after)
}

// newlineOf returns the line ending of a file's first line, "\n" or "\r\n".
func newlineOf(file []byte) string {
	if line, _, _ := bytes.Cut(file, []byte("\n")); bytes.HasSuffix(line, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}

// withNewlines converts the line endings of text to newline, unless text already
// contains "\r\n".
func withNewlines(text, newline string) string {
	if newline == "\n" || strings.Contains(text, "\r\n") {
		return text
	}
	return strings.ReplaceAll(text, "\n", newline)
}

// Replaces returns the range of the content, in code points, that the part replaces, and
// the new text.
func (p Part) Replaces(n *notes.Note) (start, end int, text string, err error) {
	span, replacement, err := p.locate(n.File)
	if err != nil {
		return 0, 0, "", err
	}
	start = n.LengthBefore(span.Start)
	return start, n.LengthBefore(span.End), string(replacement), nil
}
