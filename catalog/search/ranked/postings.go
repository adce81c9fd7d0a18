package ranked

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// postings holds the words of a segment, sorted, and the occurrences of each.
type postings struct {
	words   []string
	ends    []uint32  // by word: the index in all at which its postings end
	all     []posting // the postings of all words, sorted by word and then by document
	lengths []uint32  // by document: the number of words in its body
}

// A posting records the occurrences of a word in a document: the number of occurrences in
// its body, and the other fields that contain it.
type posting struct {
	document uint16 // number of the document within the segment
	body     uint16
	fields   fields
}

// fields is a set of fields other than the body.
type fields uint8

const (
	name    fields = 1 << iota // id and title
	subject                    // summary and categories; the title replaces an empty summary
)

// of returns the postings of the word at index word.
func (p *postings) of(word int) []posting {
	start := uint32(0)
	if word > 0 {
		start = p.ends[word-1]
	}
	return p.all[start:p.ends[word]]
}

// from returns the index of the first word that does not sort before word.
func (p *postings) from(word string) int { return sort.SearchStrings(p.words, word) }

func (p *postings) has(word string) bool {
	_, found := slices.BinarySearch(p.words, word)
	return found
}

// newPostings returns the postings of n documents.
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

// A counter counts the words of documents, one document at a time.
type counter struct {
	known map[string]*word // nil for a stop word
	words []*word
}

type word struct {
	text     string
	postings []posting // all postings except the last
	last     posting
}

// add counts the words of a document and returns the number of words in its body.
func (c *counter) add(document uint16, d Document) (length uint32) {
	c.note(document, name, d.ID, d.Title)
	c.note(document, subject, cmp.Or(d.Summary, d.Title), d.Categories)
	c.each(document, d.Body, func(p *posting) {
		p.body = max(p.body, p.body+1) // stays at the maximum of the type
		length++
	})
	return length
}

// note adds field to the postings of the words in texts.
func (c *counter) note(document uint16, field fields, texts ...string) {
	for _, text := range texts {
		c.each(document, text, func(p *posting) { p.fields |= field })
	}
}

// each calls count with the posting of each word in text, except stop words.
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

// word returns the record of a word, and creates it if the word is new. It returns nil for
// a stop word.
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
