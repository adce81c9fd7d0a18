package search

// A pairSet holds which pairs of neighbouring bytes occur in a shard, so that a
// query with a pair that does not is done with the shard at once. It is all that
// stands between a query of one or two bytes and a scan. The pair ab is bit
// a<<8|b.
type pairSet [1 << 16 / 64]uint64

// add enters the pairs of text, and its last byte as the first of a pair.
func (p *pairSet) add(text []byte) {
	if len(text) == 0 {
		return
	}
	pair := uint16(text[0])
	for _, c := range text[1:] {
		pair = pair<<8 | uint16(c)
		p[pair/64] |= 1 << (pair % 64)
	}
	pair <<= 8
	p[pair/64] |= 1 << (pair % 64)
}

// mayContain reports whether q, which is not empty, may occur in the text. It
// errs only towards true.
func (p *pairSet) mayContain(q []byte) bool {
	if len(q) == 1 {
		row := p[uint(q[0])*4:][:4]
		return row[0]|row[1]|row[2]|row[3] != 0
	}
	pair := uint16(q[0])
	for _, c := range q[1:min(len(q), filteredBytes)] {
		pair = pair<<8 | uint16(c)
		if p[pair/64]>>(pair%64)&1 == 0 {
			return false
		}
	}
	return true
}
