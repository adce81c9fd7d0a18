package substring

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A builder builds the postings of one segment at a time and reuses its buffers for the
// next one. It keeps a matrix with a row for each gram of the segment: a bitmap of the
// texts that have the gram.
type builder struct {
	pages  [1 << 16]uint16 // by the first two bytes of a gram: the page number, from 1, or 0 for no page
	rows   []uint32        // the pages, one after another; each maps the rest of a gram to its row number, from 1, or to 0 for no row
	matrix []uint64        // the rows, one after another
	stride int             // number of words in a row
	made   postings        // buffers for the postings, reused for each segment
}

// pageSize is the number of grams that begin with the same two bytes.
const pageSize = 256 << 1

func (b *builder) build(s *texts) *postings {
	clear(b.pages[:])
	b.rows, b.matrix, b.stride = b.rows[:0], b.matrix[:0], len(newBitmap(s.len()))
	for i := range s.len() {
		b.add(s.text(i), i)
	}
	return b.postings(s.len())
}

// add sets bit i in the row of each gram of text.
func (b *builder) add(text []byte, i int) {
	word, bit := i/64, uint64(1)<<(i%64)
	for at := range len(text) - gramSize + 1 {
		if text[at] == terminator {
			continue
		}
		row := &b.rows[b.page(text[at], text[at+1])|int(text[at+2])<<1|int(text[at+3]&1)]
		if *row == 0 {
			b.matrix = append(b.matrix, make([]uint64, b.stride)...)
			*row = uint32(len(b.matrix) / b.stride)
		}
		b.matrix[int(*row-1)*b.stride+word] |= bit
	}
}

// page returns the index in rows of the page for two bytes. It adds the page if it is
// missing.
func (b *builder) page(first, second byte) int {
	page := &b.pages[uint16(first)<<8|uint16(second)]
	if *page == 0 {
		b.rows = append(b.rows, make([]uint32, pageSize)...)
		*page = uint16(len(b.rows) / pageSize)
	}
	return int(*page-1) * pageSize
}

// postings converts the rows to postings, in the order of the grams.
func (b *builder) postings(texts int) *postings {
	p := &b.made
	p.grams, p.ends, p.data = p.grams[:0], p.ends[:0], p.data[:0]
	for begin, page := range b.pages {
		if page == 0 {
			continue
		}
		for rest, row := range b.rows[int(page-1)*pageSize:][:pageSize] {
			if row == 0 {
				continue
			}
			p.grams = append(p.grams, gram(begin*pageSize+rest))
			p.data = appendPosting(p.data, b.matrix[int(row-1)*b.stride:][:b.stride])
			p.ends = append(p.ends, uint32(len(p.data)))
		}
	}
	return &postings{texts, slices.Clone(p.grams), slices.Clone(p.ends), slices.Clone(p.data)}
}

// appendPosting appends set in the shorter of the two forms of a [posting].
func appendPosting(data []byte, set bitmap) []byte {
	count, size, start := 0, 8*len(set), len(data)
	for _, word := range set {
		count += bits.OnesCount64(word)
	}
	if count < size {
		last := -1
		for i := range set.from(0) {
			data = binary.AppendUvarint(data, uint64(i-last))
			last = i
		}
		if len(data)-start < size {
			return data
		}
		data = data[:start]
	}
	for _, word := range set {
		data = binary.LittleEndian.AppendUint64(data, word)
	}
	return data
}
