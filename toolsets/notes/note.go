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

// ID is the path of a note's file within the vault, with slashes, byte for byte:
// "notes/graphcore.md".
type ID string

// Folder returns the path of the folder, "." for the vault itself.
func (id ID) Folder() string { return path.Dir(string(id)) }

// Name returns the file's name without ".md".
func (id ID) Name() string { return withoutExtension(path.Base(string(id))) }

// segments is how many names the path has.
func (id ID) segments() int { return 1 + strings.Count(string(id), "/") }

// extension is that of a note's file.
const extension = ".md"

// IsNote reports whether a file of that name is a note: it ends in ".md", in any
// case, and is not hidden.
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

// Key returns what two spellings of an id, a name or a tag share that differ by
// case, or by how Unicode composes characters.
func Key(text string) string {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return norm.NFC.String(fold.String(norm.NFC.String(text)))
		}
	}
	return fold.String(text)
}

// Note is one note, as its file stood when it was read. It never changes.
type Note struct {
	ID    ID
	File  []byte             // nobody may change it
	Parts *markdown.Document // of the file
}

// NewNote parses a file, which must not be changed any more.
func NewNote(id ID, file []byte) *Note { return &Note{id, file, markdown.Parse(file)} }

// Title returns the title in the front matter, else the level-1 heading that the body
// begins with, else the file's name.
func (n *Note) Title() string {
	if n.Parts.Title != "" {
		return n.Parts.Title
	}
	return n.ID.Name()
}

// Content is the text after the front matter. Bytes that are not UTF-8 are U+FFFD.
func (n *Note) Content() string {
	return replaceInvalid(string(n.Parts.Body.Of(n.File)))
}

// IsUTF16 reports whether the file says that it is UTF-16, of which only U+FFFD is
// seen.
func (n *Note) IsUTF16() bool {
	return bytes.HasPrefix(n.File, []byte{0xff, 0xfe}) || bytes.HasPrefix(n.File, []byte{0xfe, 0xff})
}

// Excerpt is the content, cut to at most that many code points by [Truncate].
func (n *Note) Excerpt(most int) string {
	body := n.Parts.Body.Of(n.File)
	return Truncate(replaceInvalid(string(body[:min(len(body), utf8.UTFMax*(most+1))])), most)
}

// Length is how many code points the content has.
func (n *Note) Length() int { return utf8.RuneCount(n.Parts.Body.Of(n.File)) }

// LengthBefore returns how many code points of the content are before an offset of the
// file.
func (n *Note) LengthBefore(offset int) int {
	return utf8.RuneCount(n.File[n.Parts.Body.Start:max(offset, n.Parts.Body.Start)])
}

// Part returns a part of the content, from an offset in code points, of at most
// limit code points, which ends where a character does if one ends there. It is
// empty only at the end of the content.
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
	Heading string // as it is written
	Offset  int    // of its line in the content, in code points
}

// Outline returns the first headings, at most limit.
func (n *Note) Outline(limit int) (outline []Heading) {
	at, offset := n.Parts.Body.Start, 0
	for _, h := range markdown.Headings(n.File, n.Parts.Body, limit) {
		offset += utf8.RuneCount(n.File[at:h.Start])
		at = h.Start
		outline = append(outline, Heading{h.Level, h.Text, offset})
	}
	return outline
}

// Hash is the SHA-256 of the file, in hexadecimal.
func (n *Note) Hash() string {
	sum := sha256.Sum256(n.File)
	return hex.EncodeToString(sum[:])
}
