package search

import "unicode/utf8"

// A Text is a title and a body, in any case and any encoding.
type Text struct {
	Title, Body string
}

// textsOf returns texts that are kept as they are.
func textsOf(texts []Text) Texts {
	return Texts{
		Len:    len(texts),
		Title:  func(i int) string { return texts[i].Title },
		Body:   func(i int) string { return texts[i].Body },
		Decode: func(dst []byte, kept string) []byte { return append(dst, kept...) },
		Encode: func(dst []byte, text string) []byte { return append(dst, text...) },
		Cut: func(kept string, _, at int) int {
			for at < len(kept) && !utf8.RuneStart(kept[at]) {
				at++
			}
			return at
		},
	}
}

// newIndex indexes texts on up to so many goroutines, at least one. The result depends
// on the texts alone, and asks for them again where it has to look at them.
func newIndex(texts Texts, goroutines int) *Index {
	b := NewBuilder(texts)
	together(min(goroutines, len(b.parts)), b.Work)
	return b.Index()
}

// documentsOf returns documents that somebody keeps.
func documentsOf(documents []Document) Documents {
	return Documents{
		Len:  len(documents),
		Size: func(i int) int { return documents[i].size() },
		At:   func(i int) Document { return documents[i] },
	}
}

func (d *Document) size() int {
	return len(d.ID) + len(d.Title) + len(d.Categories) + len(d.Summary) + len(d.Body)
}
