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

// change describes the edits to one file. Applying it twice has the same effect as
// applying it once.
type change struct {
	Name    string            `json:"name,omitempty"` // file name, which is the title if the file contains none
	Title   *string           `json:"title,omitempty"`
	Tags    *[]string         `json:"tags,omitempty"`
	Content *string           `json:"content,omitempty"`
	Links   map[string][]byte `json:"links,omitempty"` // new link targets by the spelling of the old link
}

// rewrite applies a change encoded as JSON.
func rewrite(file []byte, do json.RawMessage) ([]byte, error) {
	var c change
	if err := json.Unmarshal(do, &c); err != nil {
		return nil, err
	}
	return c.apply(file)
}

// apply returns the file with the change applied.
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

// keepsTitle reports whether the note's title stays the same after the change. New
// content can also change the title, if the title is the first heading.
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

// once returns the normalized tags without duplicates and empty tags.
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

// withContent returns the file with a new body. If the body could be mistaken for front
// matter or a byte order mark, an empty front matter block is inserted before it.
func withContent(file []byte, content string) []byte {
	if notes.NewNote("", file).Content() == content {
		return file // unchanged, except perhaps for bytes that are not valid UTF-8
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

// ErrFrontMatter reports that the front matter of a note is not valid YAML, or that a
// value in it cannot be changed on its own. The note is unchanged.
var ErrFrontMatter = frontmatter.ErrUnreadable

var errReadBack = fmt.Errorf("%w (a value would not read back)", ErrFrontMatter)

// withField sets a field of the front matter, unless it already has the value.
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

// newFile returns the content of the file of a new note.
func newFile(title, content string, tags []string) ([]byte, error) {
	c := change{Title: &title}
	if len(tags) > 0 {
		c.Tags = &tags
	}
	file, err := c.apply([]byte("---\n---\n")) // set the title even if content has a heading, which may change later
	if err != nil {
		return nil, err
	}
	return withContent(file, content), nil
}

// spelling returns a key for a link: its form and the text of its target. Two links in a
// file with the same spelling have the same target and can be rewritten in the same way.
// The target is quoted, because the key is stored in JSON and a file may contain invalid
// UTF-8.
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

// shown is the suffix of a spelling for a link whose target is visible to readers.
const shown = " shown"

// plainSpelling returns the spelling that the link has with an alias. It is used for
// links that another program has edited since the change was planned.
func plainSpelling(spelled string) string {
	return strings.TrimSuffix(strings.TrimSuffix(spelled, "|"), shown)
}

// showsTarget reports whether the target is the only text of a wikilink that readers
// see.
func showsTarget(file []byte, l *markdown.Link) bool {
	if l.Form != markdown.Wiki || l.Embed || l.Fragment.Start < l.Fragment.End {
		return false
	}
	after := bytes.TrimLeft(file[l.Target.End:], " \t")
	return !bytes.HasPrefix(after, []byte("|")) && !bytes.HasPrefix(after, []byte(`\|`))
}

// relink returns the file with new link targets. It does not change links in a body that
// the change replaces.
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
			continue // several links may share one definition
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

// encode formats a path as the target of a Markdown link. It follows the style of the
// existing link, whose target is raw: angle brackets, or percent-encoding of non-ASCII
// characters.
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

// decode returns the path that readers of a Markdown link get from encode's output.
func decode(target string) string {
	if name, err := url.PathUnescape(target); err == nil {
		return name
	}
	return target
}

// keepDropped copies a note to the trash if the change may drop text that the caller has
// not seen.
func (c change) keepDropped(s session, note *notes.Note) error {
	if c.Content == nil || !drops(note.Content(), *c.Content) {
		return nil
	}
	_, err := s.Keep(string(note.ID), note.File)
	return err
}

// drops reports whether replacing old with text may lose content by mistake. That is the
// case if text is less than half as long or lacks the end of old, as happens when the
// caller was shown only the beginning. Texts of up to 200 code points are always shown
// whole, so losing their end is not suspicious. No answer shows a text of more than
// 10,000 code points whole, so at most 500 code points of it may be missing.
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

// missing returns the number of code points in lines of old that text no longer has.
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
