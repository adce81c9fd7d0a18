package markdown

import "slices"

// Document is a parsed file.
type Document struct {
	// Front is the text between the lines "---". Body is the text after the second of them,
	// to the end of the file. Without front matter, Front is empty, and Body begins after
	// the byte order mark, if there is one.
	Front, Body Span
	// HasFront is true if there is front matter. The front matter may be empty.
	HasFront bool
	// FrontError is the reason why the front matter cannot be read as a YAML mapping. If it
	// is not nil, none of the front matter is used. FrontErrorLine is the line of the error
	// in the file, from 1.
	FrontError     error
	FrontErrorLine int

	// Title is the title in the front matter. If that is missing or blank, Title is the
	// text of the level-1 heading that is the first block of the body, or "" if there is no
	// such heading.
	Title string
	// TitleStart is the offset of the title, or 0 if there is no title.
	TitleStart int
	// Tags are the tags of the front matter, then inline tags such as #a/b, without
	// duplicates.
	Tags []string
	// FrontTags are the tags of the front matter, in order and without duplicates.
	// DuplicateTags are the tags that the front matter repeats, each listed once.
	FrontTags, DuplicateTags []string
	// TagField is the name of the front matter field for tags: "tag" if the front matter
	// has only that field, else "tags".
	TagField string
	// Links are the links of the file, in order.
	Links []Link
	// BodyError is the reason why the body cannot be parsed. If it is not nil, the body has
	// no heading and no tags, and the document has no links.
	BodyError error
}

// Span is a range of bytes of the file.
type Span struct{ Start, End int }

// Of returns the bytes of file in the span.
func (s Span) Of(file []byte) []byte { return file[s.Start:s.End] }

// Form is the syntax of a link.
type Form uint8

// The forms of links.
const (
	Wiki   Form = iota // [[target#fragment|alias]]
	Inline             // [text](target.md#fragment "title")
	// Reference is [text][label] with a definition [label]: target.md elsewhere. If no link
	// uses a definition, the definition itself is the link. All links that use the same
	// definition have the same Target.
	Reference
)

// Link is a link that may lead to another note. Only [Destinations] returns links to the
// web. A Markdown link may name any file.
type Link struct {
	// Name is the decoded target: without fragment and alias, and with backslash escapes,
	// entities and percent-encoding decoded.
	Name string
	// Start is the offset of the link. For a definition that no link uses, it is the offset
	// of its target.
	Start int
	// Target is the range of bytes that names the note: in a wikilink without the blanks
	// around it, in a Markdown link without angle brackets. Fragment is the rest, from its
	// "#"; it may be empty.
	Target, Fragment Span
	Form             Form
	Embed            bool // whether the link begins with "!"
	// Quote is the quotation mark around the front matter value that contains the link, or
	// 0 in the body.
	Quote byte
	// Angle is true if the target is in angle brackets.
	Angle bool
}

// Destinations returns the Markdown links and images of a text, including those to the web.
// It returns an error if the text cannot be parsed.
func Destinations(text []byte) ([]Link, error) {
	b := parseBody(text, Span{0, len(text)}, func(b *body) { b.wantAll = true })
	return slices.DeleteFunc(b.links, func(l Link) bool { return l.Form == Wiki }), b.err
}

// Parse parses a file.
func Parse(file []byte) *Document {
	d := &Document{TagField: tagsField}
	d.split(file)
	var front frontMatter
	if d.HasFront {
		front = readFront(file, d.Front)
		d.FrontErrorLine, d.FrontError = frontError(front.err)
		d.Title, d.TitleStart = front.title, front.titleStart
		d.FrontTags, d.DuplicateTags = once(front.tags)
		if front.hasTag && !front.hasTags {
			d.TagField = tagField
		}
	}
	b := parseBody(file, d.Body, func(b *body) { b.wantHeading = d.Title == "" })
	d.Tags, _ = once(slices.Concat(d.FrontTags, b.tags))
	if d.Title == "" {
		d.Title, d.TitleStart = b.heading, b.headingStart
	}
	if d.BodyError = b.err; b.err == nil {
		d.Links = slices.Concat(front.links, b.links)
	}
	return d
}
