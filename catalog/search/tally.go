package search

import (
	"iter"
	"math"
	"sync"
)

// A tally counts the words of neighbouring documents. The numbers of words in
// it are its own.
type tally struct {
	first       int      // position of the first document
	words       []string // by number
	frequencies []uint32 // by word: how many documents have it
	lengths     []uint32 // by document, from first on: how many words its body has
	notes       notes    // what was counted

	numbers map[string]uint32
	present []count  // of the present document
	place   []uint32 // by word: where in present it is, counted from 1; 0 for not yet
}

// A count says how often a word occurs in a document: in its body, and in the
// other fields, there with the weight of the field.
type count struct {
	word       uint32
	body, head uint16
}

// How much more a word counts in a field than in the body.
const (
	idWeight       = 3
	titleWeight    = 4
	categoryWeight = 2
	summaryWeight  = 2
)

// tallyAll counts the words of all documents on so many goroutines, each of
// which takes neighbours of about as many bytes.
func tallyAll(documents *Documents, workers int) []*tally {
	parts := share(documents, workers)
	tallies := make([]*tally, len(parts))
	var running sync.WaitGroup
	for i, p := range parts {
		running.Go(func() { tallies[i] = newTally(documents, p) })
	}
	running.Wait()
	return tallies
}

// share cuts documents into at most n parts of about as many bytes.
func share(documents *Documents, n int) []part {
	total := 0
	for i := range documents.Len {
		total += documents.Size(i)
	}
	var parts []part
	first, bytes := 0, 0
	for i := range documents.Len {
		bytes += documents.Size(i)
		if full := bytes*n >= total*(len(parts)+1); full && len(parts) < n-1 || i == documents.Len-1 {
			parts = append(parts, part{first: first, end: i + 1})
			first = i + 1
		}
	}
	return parts
}

func newTally(documents *Documents, p part) *tally {
	t := &tally{first: p.first, lengths: make([]uint32, p.end-p.first), numbers: map[string]uint32{}}
	for i := p.first; i < p.end; i++ {
		d := documents.At(i)
		t.add(&d, &t.lengths[i-p.first])
	}
	t.numbers, t.present, t.place = nil, nil, nil
	return t
}

// add counts the words of the next document, and sets the length of its body.
func (t *tally) add(d *Document, length *uint32) {
	t.head(d.ID, idWeight)
	t.head(d.Title, titleWeight)
	t.head(d.Categories, categoryWeight)
	t.head(d.Summary, summaryWeight)
	for c := range t.each(d.Body) {
		c.body = plus(c.body, 1)
		*length++
	}
	t.notes.add(t.present)
	for _, c := range t.present {
		t.frequencies[c.word]++
		t.place[c.word] = 0
	}
	t.present = t.present[:0]
}

func (t *tally) head(text string, weight uint16) {
	for c := range t.each(text) {
		c.head = plus(c.head, weight)
	}
}

// plus adds as far as the type goes.
func plus(a, b uint16) uint16 { return uint16(min(uint32(a)+uint32(b), math.MaxUint16)) }

// each goes through the words of a text that are no stop words, and yields what
// is counted of each in the present document.
func (t *tally) each(text string) iter.Seq[*count] {
	return func(yield func(*count) bool) {
		s := wordScanner{text: text}
		for at, ok := s.next(); ok; at, ok = s.next() {
			folded := s.fold(at)
			word, known := t.numbers[string(folded)]
			if !known {
				if stopWords()[string(folded)] {
					continue
				}
				word = t.learn(string(folded))
			}
			if t.place[word] == 0 {
				t.present = append(t.present, count{word: word})
				t.place[word] = uint32(len(t.present))
			}
			if !yield(&t.present[t.place[word]-1]) {
				return
			}
		}
	}
}

func (t *tally) learn(word string) uint32 {
	number := uint32(len(t.words))
	t.numbers[word] = number
	t.words = append(t.words, word)
	t.frequencies = append(t.frequencies, 0)
	t.place = append(t.place, 0)
	return number
}
