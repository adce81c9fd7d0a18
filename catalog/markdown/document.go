package markdown

import "slices"

// Document is a parsed file.
type Document struct {
	// Front is the text between the lines "---", Body what comes after the second
	// one, to the end of the file. Without front matter Front is empty, and Body
	// begins after the byte order mark, if there is one.
	Front, Body Span
	// HasFront says that there is front matter, which may be empty.
	HasFront bool
	// FrontError says why the front matter cannot be read as a YAML mapping.
	// Nothing of it then counts. FrontErrorLine is the line of the file, from 1.
	FrontError     error
	FrontErrorLine int

	// Title is that of the front matter, else the text of a level-1 heading that is the
	// first block of the body, else "". A blank one counts as absent.
	Title string
	// TitleStart is where the title begins, 0 if there is none.
	TitleStart int
	// Tags are those of the front matter, then inline ones like #a/b, each once.
	Tags []string
	// FrontTags are the tags of the front matter, in order, each once. DuplicateTags are
	// those that it repeats, each once.
	FrontTags, DuplicateTags []string
	// TagField is the field of the front matter for tags: "tags", or "tag" if the front
	// matter has only that one.
	TagField string
	// Links are in the order of the file.
	Links []Link
	// BodyError says why the body is not parsed: it has no heading then, and the
	// document has no links.
	BodyError error
}

// Span is a range of bytes of the file.
type Span struct{ Start, End int }

// Of returns the bytes of a file.
func (s Span) Of(file []byte) []byte { return file[s.Start:s.End] }

// Form is how a link is written.
type Form uint8

// The forms.
const (
	Wiki   Form = iota // [[target#fragment|alias]]
	Inline             // [text](target.md#fragment "title")
	// Reference is [text][label] where [label]: target.md stands elsewhere, or
	// that definition itself, where nothing uses it. All links that use one
	// definition have the same Target.
	Reference
)

// Link is a link to another note, or what looks like one: no link to the web. A
// Markdown link may lead to any file.
type Link struct {
	// Name is what the link leads to, decoded: without fragment, alias,
	// backslashes, entities and percent signs.
	Name string
	// Start is where the link begins; for a definition that nothing uses, where
	// its target does.
	Start int
	// Target is what names the note: of a wikilink without the blanks around it,
	// of a Markdown link without angle brackets. Fragment is what follows, from
	// its "#", and may be empty.
	Target, Fragment Span
	Form             Form
	Embed            bool // it begins with "!"
	// Quote is the quotation mark around the value of front matter that the link
	// stands in, 0 in the body.
	Quote byte
	// Angle says that angle brackets stand around the target.
	Angle bool
}

// Destinations returns the Markdown links and images of a text, whatever they lead to,
// or why it is not parsed.
func Destinations(text []byte) ([]Link, error) {
	b := parseBody(text, Span{0, len(text)}, func(b *body) { b.wantAll = true })
	return slices.DeleteFunc(b.links, func(l Link) bool { return l.Form == Wiki }), b.err
}

// Parse takes a file apart.
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
