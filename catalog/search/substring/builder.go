package substring

import "encoding/binary"

// A builder builds postings, of one segment after the other, in two passes over its
// texts: the first measures how long the posting of each gram will be, the second
// writes them.
type builder struct {
	pages [1 << 16]*page // by the first two bytes of a gram; nil where none was seen
}

// A page is the state of the grams that begin with the same two bytes, by the third.
type page [256]state

// A state is what is known of a gram in the present pass.
type state struct {
	number uint16 // of the last text that has it, counted from 1; 0 for none
	size   uint16 // of its posting
	place  uint32 // where to write on
}

func (b *builder) build(s *texts) *postings {
	limit := bitmapSize(s.len())
	b.each(s, func(g *state, number uint16) {
		g.size += uint16(varintSize(number - g.number))
		if int(g.size) > limit {
			g.size = uint16(limit)
		}
	})
	p := b.layout(s.len())
	b.each(s, func(g *state, number uint16) {
		if int(g.size) == limit {
			bitmap(p.data[g.place:]).set(int(number) - 1)
			return
		}
		g.place += uint32(binary.PutUvarint(p.data[g.place:], uint64(number-g.number)))
	})
	b.reset()
	return p
}

// each calls do with each gram of each text, once.
func (b *builder) each(s *texts, do func(g *state, number uint16)) {
	for i := range s.len() {
		number, text := uint16(i+1), s.text(i)
		for at := range len(text) - gramSize + 1 {
			if text[at] == terminator {
				continue
			}
			g := &b.page(text[at], text[at+1])[text[at+2]]
			if g.number != number {
				do(g, number)
				g.number = number
			}
		}
	}
}

func (b *builder) page(first, second byte) *page {
	at := &b.pages[int(first)<<8|int(second)]
	if *at == nil {
		*at = new(page)
	}
	return *at
}

// layout makes room for postings, and goes to the beginning.
func (b *builder) layout(texts int) *postings {
	p := &postings{texts: texts}
	size := uint32(0)
	for begin, page := range b.pages {
		if page == nil {
			continue
		}
		for third := range page {
			g := &page[third]
			if g.size == 0 {
				continue
			}
			g.number, g.place = 0, size
			size += uint32(g.size)
			p.grams = append(p.grams, gram(begin<<8|third))
			p.ends = append(p.ends, size)
		}
	}
	p.data = make([]byte, size)
	return p
}

// reset forgets the segment, and keeps the pages.
func (b *builder) reset() {
	for _, page := range b.pages {
		if page != nil {
			clear(page[:])
		}
	}
}

// varintSize is the length of an unsigned varint.
func varintSize(n uint16) int {
	var buffer [binary.MaxVarintLen16]byte
	return binary.PutUvarint(buffer[:], uint64(n))
}
