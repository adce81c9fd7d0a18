package search

import (
	"iter"
	"math"
	"sync"
)

// A tally counts the words of neighbouring documents. The numbers of words in
// it are its own.
type tally struct {
	first   int      // position of the first document
	words   []string // by number
	counts  []count  // document by document
	lengths []uint32 // by document, from first on: how many words its body has

	numbers map[string]uint32
	latest  []uint32 // by word: where in counts its last count ends
	start   uint32   // where in counts those of the last document begin
}

// A count says how often a word occurs in a document: in its body, and in the
// other fields, there with the weight of the field.
type count struct {
	word, document uint32
	body, head     uint16
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
			parts = append(parts, part{first, i + 1})
			first = i + 1
		}
	}
	return parts
}

func newTally(documents *Documents, p part) *tally {
	const bytesPerCount = 16 // about, in prose; less makes counts grow
	bytes := 0
	for i := p.first; i < p.end; i++ {
		bytes += documents.Size(i)
	}
	t := &tally{
		first:   p.first,
		counts:  make([]count, 0, bytes/bytesPerCount),
		lengths: make([]uint32, p.end-p.first),
		numbers: map[string]uint32{},
	}
	for i := p.first; i < p.end; i++ {
		t.add(uint32(i), documents.At(i))
	}
	t.numbers, t.latest = nil, nil
	return t
}

func (t *tally) add(document uint32, d Document) {
	t.start = uint32(len(t.counts))
	t.head(document, d.ID, idWeight)
	t.head(document, d.Title, titleWeight)
	t.head(document, d.Categories, categoryWeight)
	t.head(document, d.Summary, summaryWeight)
	for c := range t.each(document, d.Body) {
		c.body = plus(c.body, 1)
		t.lengths[int(document)-t.first]++
	}
}

func (t *tally) head(document uint32, text string, weight uint16) {
	for c := range t.each(document, text) {
		c.head = plus(c.head, weight)
	}
}

// plus adds as far as the type goes.
func plus(a, b uint16) uint16 { return uint16(min(uint32(a)+uint32(b), math.MaxUint16)) }

// each goes through the words of a text that are no stop words, and yields what
// is counted of each in the document.
func (t *tally) each(document uint32, text string) iter.Seq[*count] {
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
			if t.latest[word] <= t.start {
				t.counts = append(t.counts, count{word: word, document: document})
				t.latest[word] = uint32(len(t.counts))
			}
			if !yield(&t.counts[t.latest[word]-1]) {
				return
			}
		}
	}
}

func (t *tally) learn(word string) uint32 {
	number := uint32(len(t.words))
	t.numbers[word] = number
	t.words = append(t.words, word)
	t.latest = append(t.latest, 0)
	return number
}
