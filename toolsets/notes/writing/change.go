package writing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog/frontmatter"
	"instruction-catalog/catalog/markdown"
	"instruction-catalog/toolsets/notes"
)

// change is what is to be different in one file. Done twice, it does nothing more.
type change struct {
	Name    string            `json:"name,omitempty"` // of the file, which is the title where none stands in it
	Title   *string           `json:"title,omitempty"`
	Tags    *[]string         `json:"tags,omitempty"`
	Content *string           `json:"content,omitempty"`
	Links   map[string][]byte `json:"links,omitempty"` // what stands for a target, by what stood there: see spelling
}

// rewrite applies a change that is kept as JSON.
func rewrite(file []byte, do json.RawMessage) ([]byte, error) {
	var c change
	if err := json.Unmarshal(do, &c); err != nil {
		return nil, err
	}
	return c.apply(file)
}

// apply returns the file with the change.
func (c change) apply(file []byte) ([]byte, error) {
	file = c.relink(file)
	if c.Content != nil {
		file = withContent(file, *c.Content)
	}
	var err error
	if c.Title != nil {
		same := func(d *markdown.Document) bool {
			return d.Title == *c.Title || d.Title == "" && c.Name == *c.Title
		}
		file, err = withField(file, same, func(front []byte, newline string) ([]byte, error) {
			return frontmatter.SetText(front, newline, "title", *c.Title)
		})
	}
	if c.Tags != nil && err == nil {
		tags := once(*c.Tags)
		same := func(d *markdown.Document) bool { return slices.Equal(d.FrontTags, tags) }
		field := markdown.Parse(file).TagField
		file, err = withField(file, same, func(front []byte, newline string) ([]byte, error) {
			return frontmatter.SetList(front, newline, field, tags)
		})
	}
	return file, err
}

// keepsTitle reports whether a note has the same title after the change, which
// content has, too, where its first heading is the title.
func (c change) keepsTitle(n *notes.Note) (bool, error) {
	if c.Title == nil && c.Content == nil {
		return true, nil
	}
	file, err := c.apply(n.File)
	if err != nil {
		return false, err
	}
	return notes.NewNote(n.ID, file).Title() == n.Title(), nil
}

// once returns the tags as they are written, each once.
func once(tags []string) []string {
	kept := []string{}
	for _, tag := range tags {
		tag = markdown.TrimTag(tag)
		if tag != "" && !slices.Contains(kept, tag) {
			kept = append(kept, tag)
		}
	}
	return kept
}

// withContent returns the file with another body. What would be taken for front
// matter or a byte order mark gets front matter before it that is empty.
func withContent(file []byte, content string) []byte {
	if notes.NewNote("", file).Content() == content {
		return file // as it was read, perhaps without the bytes that are no text
	}
	return withBody(file, []byte(content))
}

func withBody(file, body []byte) []byte {
	head := file[:markdown.Parse(file).Body.Start]
	changed := slices.Concat(head, body)
	if bytes.Equal(markdown.Parse(changed).Body.Of(changed), body) {
		return changed
	}
	return slices.Concat(head, []byte("---\n---\n"), body)
}

// ErrFrontMatter says that the front matter of a note is no YAML, or such that a
// value in it cannot be changed alone. The note is as it was.
var ErrFrontMatter = frontmatter.ErrUnreadable

var errReadBack = fmt.Errorf("%w (a value would not read back)", ErrFrontMatter)

// withField returns the file with a field of front matter set, unless it has the
// same already.
func withField(file []byte, same func(*markdown.Document) bool, set func(front []byte, newline string) ([]byte, error)) ([]byte, error) {
	d := markdown.Parse(file)
	if same(d) {
		return file, nil
	}
	newline := newlineOf(file)
	front, err := set(slices.Clone(d.Front.Of(file)), newline)
	if err != nil {
		return nil, err
	}
	var changed []byte
	if d.HasFront {
		changed = slices.Concat(file[:d.Front.Start], front, file[d.Front.End:])
	} else {
		fence := []byte("---" + newline)
		changed = slices.Concat(file[:d.Body.Start], fence, front, fence, file[d.Body.Start:])
	}
	now := markdown.Parse(changed)
	if !same(now) || !bytes.Equal(now.Body.Of(changed), d.Body.Of(file)) {
		return nil, errReadBack
	}
	return changed, nil
}

// newFile returns the file of a new note.
func newFile(title, content string, tags []string) ([]byte, error) {
	c := change{Title: &title}
	if len(tags) > 0 {
		c.Tags = &tags
	}
	file, err := c.apply([]byte("---\n---\n")) // the content may have a heading, but it may get another
	if err != nil {
		return nil, err
	}
	return withContent(file, content), nil
}

// spelling is what names the target of a link, with how it is written there, so
// that two links of a file with one spelling lead to the same note, and can be written
// in the same way. It is a key in JSON, and so quoted: a file may have bytes that are
// not UTF-8.
func spelling(file []byte, l *markdown.Link) string {
	form := "link"
	switch {
	case l.Form == markdown.Wiki && l.Quote != 0:
		form = "wiki" + string(l.Quote)
	case l.Form == markdown.Wiki:
		form = "wiki"
	case l.Angle:
		form = "link<"
	}
	spelled := fmt.Sprintf("%s %q", form, l.Target.Of(file))
	if showsTarget(file, l) {
		spelled += shown
		if inTable(file, l) {
			spelled += "|"
		}
	}
	return spelled
}

// shown ends the spelling of a link whose target readers see.
const shown = " shown"

// plainSpelling is the spelling of the same link if it had an alias. It stands for a
// link that another program has edited since the change was planned.
func plainSpelling(spelled string) string {
	return strings.TrimSuffix(strings.TrimSuffix(spelled, "|"), shown)
}

// showsTarget reports whether readers see the target of a wikilink, and nothing else.
func showsTarget(file []byte, l *markdown.Link) bool {
	if l.Form != markdown.Wiki || l.Embed || l.Fragment.Start < l.Fragment.End {
		return false
	}
	after := bytes.TrimLeft(file[l.Target.End:], " \t")
	return !bytes.HasPrefix(after, []byte("|")) && !bytes.HasPrefix(after, []byte(`\|`))
}

// relink returns the file with other targets for its links. Content that replaces
// the body stays as it was given.
func (c change) relink(file []byte) []byte {
	if len(c.Links) == 0 {
		return file
	}
	d := markdown.Parse(file)
	var out bytes.Buffer
	done := 0
	links := slices.Clone(d.Links)
	slices.SortStableFunc(links, func(a, b markdown.Link) int { return a.Target.Start - b.Target.Start })
	for _, l := range links {
		spelled := spelling(file, &l)
		other, ok := c.Links[spelled]
		if !ok {
			other, ok = c.Links[plainSpelling(spelled)]
		}
		if !ok || l.Target.Start < done || c.Content != nil && l.Start >= d.Body.Start {
			continue // several links may use one definition
		}
		out.Write(file[done:l.Target.Start])
		out.Write(other)
		done = l.Target.End
	}
	if done == 0 {
		return file
	}
	out.Write(file[done:])
	return out.Bytes()
}

// encode writes a path as the target of a Markdown link, in angle brackets or
// with what is no ASCII in percent signs, as another one is.
func encode(name string, like *markdown.Link, raw []byte) string {
	special := " %#?()<>\\\"'`*_[]!&|~"
	if like.Angle {
		special = "%#<>\\&"
	}
	all := bytes.ContainsRune(raw, '%')
	var b strings.Builder
	for _, c := range []byte(name) {
		if c < ' ' || c == 0x7f || strings.IndexByte(special, c) >= 0 || all && c >= 0x80 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// decode is what readers of a Markdown link see of what encode writes.
func decode(target string) string {
	if name, err := url.PathUnescape(target); err == nil {
		return name
	}
	return target
}

// keepDropped puts a copy of a note into the trash if the change may drop what its
// author never saw.
func (c change) keepDropped(s session, note *notes.Note) error {
	if c.Content == nil || !drops(note.Content(), *c.Content) {
		return nil
	}
	_, err := s.Keep(string(note.ID), note.File)
	return err
}

// drops reports whether a text is less than half of the old one, or has lost its end,
// as one that was saved by somebody who was shown the beginning. Short texts are shown
// whole. Of one that no answer shows whole, no more than a little may be missing, however
// long the text is.
func drops(old, text string) bool {
	const short, end, whole, little = 200, 100, 10_000, 500 // code points
	old, text = unixLines(old), unixLines(text)
	runes, length := []rune(strings.TrimSpace(old)), utf8.RuneCountInString(text)
	switch {
	case 2*length < len(runes):
		return true
	case len(runes) <= short, len(runes) <= whole && length >= len(runes):
		return false
	case len(runes) > whole && missing(old, text) > little:
		return true
	}
	last := string(runes[len(runes)-end:])
	return strings.Count(text, last) < strings.Count(old, last)
}

// missing counts the code points of the lines that a text does not have any more.
func missing(old, text string) (n int) {
	left := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		left[strings.TrimSpace(line)]++
	}
	for line := range strings.SplitSeq(old, "\n") {
		line = strings.TrimSpace(line)
		if left[line]--; left[line] < 0 {
			n += utf8.RuneCountInString(line)
		}
	}
	return n
}

func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
