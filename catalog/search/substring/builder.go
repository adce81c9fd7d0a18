package substring

import (
	"encoding/binary"
	"slices"
)

// A builder builds postings, of one segment after the other. Grams have numbers in it:
// those with the same first two bytes lie on one page, in the order of their third.
type builder struct {
	pages  [1 << 16]uint16 // by the first two bytes: the number of a page, from 1 on; 0 for none
	states []state         // by number of a gram

	seen []uint32 // the grams of one text after the other, each once in a text
	ends []int    // of the grams of each text among them
}

// A state is what is known of a gram.
type state struct {
	latest uint16 // number of the last text that had it, counted from 1; 0 for none
	count  uint16 // of texts that have it
	place  uint32 // where to write on
}

const pageSize = 256

func (b *builder) build(s *texts) *postings {
	clear(b.pages[:])
	b.states, b.seen, b.ends = b.states[:0], b.seen[:0], b.ends[:0]
	for i := range s.len() {
		b.scan(s.text(i), uint16(i+1))
	}
	p := &postings{texts: s.len()}
	b.layout(p)
	b.write(p)
	return b.close(p)
}

// scan lists the grams of a text. One that the text had before is listed, too, but
// the next one takes its place, since a branch would be hard to predict.
func (b *builder) scan(text []byte, number uint16) {
	b.seen = slices.Grow(b.seen, len(text))
	list := b.seen[len(b.seen):cap(b.seen)]
	n := 0
	for at := range len(text) - gramSize + 1 {
		if text[at] == terminator {
			continue
		}
		g := b.page(text[at], text[at+1]) | uint32(text[at+2])
		list[n] = g
		isNew := 0
		if b.states[g].latest != number {
			isNew = 1
		}
		b.states[g].latest = number
		b.states[g].count += uint16(isNew)
		n += isNew
	}
	b.seen = b.seen[:len(b.seen)+n]
	b.ends = append(b.ends, len(b.seen))
}

// page returns the number of the first gram on the page of two bytes.
func (b *builder) page(first, second byte) uint32 {
	page := &b.pages[uint16(first)<<8|uint16(second)]
	if *page == 0 {
		b.states = append(b.states, make([]state, pageSize)...)
		*page = uint16(len(b.states) / pageSize)
	}
	return uint32(*page-1) * pageSize
}

// layout puts the grams in order, and makes room for the posting of each.
func (b *builder) layout(p *postings) {
	size := 0
	for begin, page := range b.pages {
		if page == 0 {
			continue
		}
		for third := range pageSize {
			g := &b.states[int(page-1)*pageSize+third]
			if g.count == 0 {
				continue
			}
			g.latest, g.place = 0, uint32(size)
			size += p.room(int(g.count))
			p.grams = append(p.grams, gram(begin<<8|third))
		}
	}
	p.data = make([]byte, size)
}

// room is how long the posting of so many texts may be: of the differences in it only
// those from 128 on take two bytes, and there is no room for more of them.
func (p *postings) room(count int) int {
	return min(count+p.texts/128, bitmapSize(p.texts))
}

// write writes the postings into their rooms.
func (b *builder) write(p *postings) {
	size, start := bitmapSize(p.texts), 0
	for i, end := range b.ends {
		number := i + 1
		for _, g := range b.seen[start:end] {
			state := &b.states[g]
			if p.room(int(state.count)) == size {
				p.data[int(state.place)+i/8] |= 1 << (i % 8)
				continue
			}
			state.place += uint32(binary.PutUvarint(p.data[state.place:], uint64(number)-uint64(state.latest)))
			state.latest = uint16(number)
		}
		start = end
	}
}

// close puts the postings end to end.
func (b *builder) close(p *postings) *postings {
	closed := &postings{texts: p.texts, grams: slices.Clone(p.grams), ends: make([]uint32, len(p.grams))}
	start := 0
	for i, g := range p.grams {
		state := &b.states[int(b.pages[g>>8]-1)*pageSize+int(g&0xFF)]
		room, end := p.room(int(state.count)), int(state.place)
		if room == bitmapSize(p.texts) {
			end += room
		}
		closed.data = append(closed.data, p.data[start:end]...)
		closed.ends[i] = uint32(len(closed.data))
		start += room
	}
	closed.data = slices.Clone(closed.data)
	return closed
}
