package catalog

import (
	"bytes"
	"unsafe"
)

// Sealer completes entries. It packs what it encodes close together and is not
// safe for concurrent use: whoever seals in parallel takes one for each
// goroutine. The zero Sealer is ready.
type Sealer struct {
	scratch []byte
	block   []byte // the entries packed last, and room for more
}

// blockBytes is how much room is taken at once, and shareOfBlock the part of it
// from which on an entry gets room of its own.
const (
	blockBytes   = 256 << 10
	shareOfBlock = 8
)

// Seal gives an entry whose other fields have been checked its body, derives
// what follows from all of them (sourceHash, riskScore), and encodes the whole
// as JSON, once. Neither the entry nor what it refers to may change afterwards.
func (s *Sealer) Seal(e *Entry, body string) {
	e.SourceHash = FingerprintOf(body)
	e.RiskScore = e.riskScore()
	s.scratch = appendString(s.scratch[:0], body)
	literal := len(s.scratch)
	e.Body = Body(stringOf(s.scratch))
	s.scratch = e.appendMembers(s.scratch, func(Field) bool { return true })
	e.encoded = s.pack(s.scratch[literal:])
	// Within a string every quote has a backslash before it, so that this is no
	// part of the id or the title.
	const name = `,"body":`
	start := bytes.Index(e.encoded, []byte(name)) + len(name)
	e.Body = Body(stringOf(e.encoded[start : start+literal]))
}

// pack copies data to where it stays.
func (s *Sealer) pack(data []byte) []byte {
	if len(data) > blockBytes/shareOfBlock {
		return bytes.Clone(data)
	}
	if len(data) > cap(s.block)-len(s.block) {
		s.block = make([]byte, 0, blockBytes)
	}
	start := len(s.block)
	s.block = append(s.block, data...)
	return s.block[start:len(s.block):len(s.block)]
}

// stringOf returns bytes that do not change any more as a string.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
