package notes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"instruction-catalog/catalog/markdown"
	"instruction-catalog/catalog/search/fold"
)

// ID is the path of a note's file within the vault, with slashes and unmodified bytes,
// such as "notes/graphcore.md".
type ID string

// Folder returns the path of the note's folder, or "." for the vault itself.
func (id ID) Folder() string { return path.Dir(string(id)) }

// Name returns the file name without ".md".
func (id ID) Name() string { return withoutExtension(path.Base(string(id))) }

// segments returns the number of path segments.
func (id ID) segments() int { return 1 + strings.Count(string(id), "/") }

// extension is the extension of a note's file.
const extension = ".md"

// IsNote reports whether a file called name is a note. A note's name ends in ".md", in
// upper or lower case, and does not begin with a dot.
func IsNote(name string) bool { return name[0] != '.' && hasExtension(name) }

func hasExtension(name string) bool {
	return len(name) > len(extension) && strings.EqualFold(name[len(name)-len(extension):], extension)
}

func withoutExtension(name string) string {
	if hasExtension(name) {
		return name[:len(name)-len(extension)]
	}
	return name
}

// Key returns a normalized form of an id, name or tag. Spellings that differ only in
// case or Unicode composition have the same key.
func Key(text string) string {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return norm.NFC.String(fold.String(norm.NFC.String(text)))
		}
	}
	return fold.String(text)
}

// Note is a note as of the time its file was read. It is immutable.
type Note struct {
	ID    ID
	File  []byte             // must not be modified
	Parts *markdown.Document // of the file
}

// NewNote parses a file. The caller must not modify file afterwards.
func NewNote(id ID, file []byte) *Note { return &Note{id, file, markdown.Parse(file)} }

// Title returns the title in the front matter, or else the level-1 heading at the start
// of the body, or else the file name without ".md".
func (n *Note) Title() string {
	if n.Parts.Title != "" {
		return n.Parts.Title
	}
	return n.ID.Name()
}

// Content returns the text after the front matter. Bytes that are not valid UTF-8 are
// replaced with U+FFFD.
func (n *Note) Content() string {
	return replaceInvalid(string(n.Parts.Body.Of(n.File)))
}

// Text returns the file as text. Bytes that are not valid UTF-8 are replaced with U+FFFD.
func (n *Note) Text() string { return replaceInvalid(string(n.File)) }

// IsUTF16 reports whether the file begins with a UTF-16 byte order mark. The text of
// such a note is not readable, because it is decoded as UTF-8.
func (n *Note) IsUTF16() bool {
	return bytes.HasPrefix(n.File, []byte{0xff, 0xfe}) || bytes.HasPrefix(n.File, []byte{0xfe, 0xff})
}

// Excerpt returns the content, cut by [Truncate] to the given length.
func (n *Note) Excerpt(most int) string {
	body := n.Parts.Body.Of(n.File)
	return Truncate(replaceInvalid(string(body[:min(len(body), utf8.UTFMax*(most+1))])), most)
}

// Length returns the length of the content in code points.
func (n *Note) Length() int { return utf8.RuneCount(n.Parts.Body.Of(n.File)) }

// LengthBefore returns the number of code points in the content before a byte offset of
// the file.
func (n *Note) LengthBefore(offset int) int {
	return utf8.RuneCount(n.File[n.Parts.Body.Start:max(offset, n.Parts.Body.Start)])
}

// Part returns at most limit code points of the content from offset, which is in code
// points. The part ends at a grapheme cluster boundary, unless its first cluster is
// longer than limit. It is empty only at the end of the content.
func (n *Note) Part(offset, limit int) string {
	body := n.Parts.Body.Of(n.File)
	for ; offset > 0 && len(body) > 0; offset-- {
		_, size := utf8.DecodeRune(body)
		body = body[size:]
	}
	text := []rune(string(body[:min(len(body), utf8.UTFMax*(limit+1))]))
	if len(text) <= limit {
		return string(text)
	}
	whole, part := string(text), string(text[:limit])
	if end := characterEnd(whole, len(part)); end > 0 {
		return whole[:end]
	}
	return part
}

// Heading is a heading of a note.
type Heading struct {
	Level   int
	Heading string // the source text
	Offset  int    // of its line within the content, in code points
}

// Outline returns the first headings of the note, at most limit.
func (n *Note) Outline(limit int) (outline []Heading) {
	at, offset := n.Parts.Body.Start, 0
	for _, h := range markdown.Headings(n.File, n.Parts.Body, limit) {
		offset += utf8.RuneCount(n.File[at:h.Start])
		at = h.Start
		outline = append(outline, Heading{h.Level, h.Text, offset})
	}
	return outline
}

// Hash returns the SHA-256 of the file in hexadecimal.
func (n *Note) Hash() string {
	sum := sha256.Sum256(n.File)
	return hex.EncodeToString(sum[:])
}
