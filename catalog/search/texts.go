package search

import "unsafe"

// A Text is a title and a body, in any case and any encoding.
type Text struct {
	Title, Body string
}

// Texts are what is searched, numbered from 0. They are handed over one by one,
// as they are needed, so that nobody has to keep them in this form. Its functions
// must say the same at each call and be safe for concurrent use.
type Texts struct {
	Len   int
	Size  func(i int) int                // about how many bytes the ith is; a wrong one costs time only
	Title func(i int) string             // the title of the ith
	Body  func(dst []byte, i int) []byte // appends the body of the ith
}

// TextsOf returns texts that somebody keeps.
func TextsOf(texts []Text) Texts {
	return Texts{
		Len:   len(texts),
		Size:  func(i int) int { return len(texts[i].Title) + len(texts[i].Body) },
		Title: func(i int) string { return texts[i].Title },
		Body:  func(dst []byte, i int) []byte { return append(dst, texts[i].Body...) },
	}
}

// fold appends the folded title and the folded body of a text, and returns
// where the one ends and the other begins. The unfolded body is put into scratch.
func (t *Texts) fold(scratch *[]byte, dst []byte, i int) (folded []byte, body int) {
	var f folder
	dst = f.append(dst, t.Title(i))
	body = len(dst)
	*scratch = t.Body((*scratch)[:0], i)
	unfolded := unsafe.String(unsafe.SliceData(*scratch), len(*scratch)) // gone before scratch changes
	return f.append(dst, unfolded), body
}

// bytes returns the size of all texts of a part.
func (t *Texts) bytes(p part) int {
	bytes := 0
	for i := p.first; i < p.end; i++ {
		bytes += t.Size(i)
	}
	return bytes
}
