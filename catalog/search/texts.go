package search

import "unsafe"

// Texts are what is searched, numbered from 0. They belong to somebody who keeps
// them, the bodies in a form of his own, and are asked for when they are needed.
// Its functions must say the same at each call and be safe for concurrent use.
type Texts struct {
	Len    int
	Title  func(i int) string                   // the title of the ith
	Body   func(i int) string                   // the body of the ith as it is kept
	Decode func(dst []byte, kept string) []byte // appends the body, or the part of one, that is kept so

	// Encode appends how a text of ASCII is kept, as a body or anywhere in one. Of
	// each character there is but one form. Letters stand for themselves, and what
	// is made of others has no letters of upper case.
	Encode func(dst []byte, text string) []byte

	// Cut returns where a kept body may be cut: the first place from at on, up to
	// its end, that lies between two characters. From is one such place before it.
	Cut func(kept string, from, at int) int
}

// mostKept is how many bytes of what is kept a folded byte may come from, at
// most. A JSON string, for one, takes six for a control character.
const mostKept = 6

// size returns how many bytes a text is kept in.
func (t *Texts) size(i int) int { return len(t.Title(i)) + len(t.Body(i)) }

// A reader folds titles and bodies, one after the other.
type reader struct {
	texts   *Texts
	folder  folder
	decoded []byte // scratch
}

// title appends a folded title.
func (r *reader) title(dst []byte, i int) []byte { return r.folder.append(dst, r.texts.Title(i)) }

// body appends what a kept body, or a part of one, stands for, folded.
func (r *reader) body(dst []byte, kept string) []byte { return r.folder.append(dst, r.decode(kept)) }

// decode returns what a kept body, or a part of one, stands for, until it is
// called again.
func (r *reader) decode(kept string) string {
	r.decoded = r.texts.Decode(r.decoded[:0], kept)
	return unsafe.String(unsafe.SliceData(r.decoded), len(r.decoded))
}
