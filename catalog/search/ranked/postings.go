package ranked

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// postings are the words of a segment, sorted, and where each occurs.
type postings struct {
	words   []string
	ends    []uint32  // of the postings of each word in all
	all     []posting // those of a word in the order of documents
	lengths []uint32  // by document: how many words its body has
}

// A posting says where a word occurs in a document: how often in its body, and in
// which of the other fields.
type posting struct {
	document uint16 // within the segment
	body     uint16
	fields   fields
}

// fields are a set of them.
type fields uint8

const (
	name    fields = 1 << iota // id and title
	subject                    // summary and categories; a title stands in for a summary
)

// of returns the postings of the word at a place.
func (p *postings) of(word int) []posting {
	start := uint32(0)
	if word > 0 {
		start = p.ends[word-1]
	}
	return p.all[start:p.ends[word]]
}

// from returns the place of the first word that is not before another.
func (p *postings) from(word string) int { return sort.SearchStrings(p.words, word) }

func (p *postings) has(word string) bool {
	_, found := slices.BinarySearch(p.words, word)
	return found
}

// newPostings counts the words of n documents.
func newPostings(n int, document func(i int) Document) *postings {
	c := counter{known: map[string]*word{}}
	p := &postings{lengths: make([]uint32, n)}
	for i := range n {
		p.lengths[i] = c.add(uint16(i), document(i))
	}
	slices.SortFunc(c.words, func(a, b *word) int { return strings.Compare(a.text, b.text) })
	p.words, p.ends = make([]string, 0, len(c.words)), make([]uint32, 0, len(c.words))
	size := len(c.words)
	for _, w := range c.words {
		size += len(w.postings)
	}
	p.all = make([]posting, 0, size)
	for _, w := range c.words {
		p.words = append(p.words, w.text)
		p.all = append(append(p.all, w.postings...), w.last)
		p.ends = append(p.ends, uint32(len(p.all)))
	}
	return p
}

// A counter counts the words of one document after the other.
type counter struct {
	known map[string]*word // nil for a stop word
	words []*word
}

type word struct {
	text     string
	postings []posting // but the last
	last     posting
}

// add counts the words of a document, and returns how many its body has.
func (c *counter) add(document uint16, d Document) (length uint32) {
	c.note(document, name, d.ID, d.Title)
	c.note(document, subject, cmp.Or(d.Summary, d.Title), d.Categories)
	c.each(document, d.Body, func(p *posting) {
		p.body = max(p.body, p.body+1) // as far as the type goes
		length++
	})
	return length
}

// note adds a field to the postings of the words of some texts.
func (c *counter) note(document uint16, field fields, texts ...string) {
	for _, text := range texts {
		c.each(document, text, func(p *posting) { p.fields |= field })
	}
}

// each calls count with the posting of each word of a text that is no stop word.
func (c *counter) each(document uint16, text string, count func(*posting)) {
	s := wordScanner{text: text}
	for at, ok := s.next(); ok; at, ok = s.next() {
		if w := c.word(s.fold(at), document); w != nil {
			if w.last.document != document {
				w.postings = append(w.postings, w.last)
				w.last = posting{document: document}
			}
			count(&w.last)
		}
	}
}

// word returns what is known of a word of a document, nil for a stop word.
func (c *counter) word(folded []byte, document uint16) *word {
	w, known := c.known[string(folded)]
	if known {
		return w
	}
	text := string(folded)
	if !stopWords()[text] {
		w = &word{text: text, last: posting{document: document}}
		c.words = append(c.words, w)
	}
	c.known[text] = w
	return w
}
