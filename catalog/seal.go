package catalog

import (
	"bytes"
	"strings"
	"unsafe"
)

// Sealer completes entries. It packs what it encodes close together and is not
// safe for concurrent use: whoever seals in parallel takes one for each
// goroutine. The zero Sealer is ready.
type Sealer struct {
	scratch []byte
	hash    []byte // of the body sealed last
	places  []span // of the members in what was encoded last
	block   []byte // the entries packed last, and room for more
	spare   []Entry
	details Details // of the entry that is being filled
}

// Entry returns an entry of that origin, to be filled and sealed before the next
// one is asked for.
func (s *Sealer) Entry(from Origin) *Entry {
	s.details = Details{}
	return nextOf(&s.spare, from, &s.details)
}

// spareEntries is for how many entries memory is taken at once.
const spareEntries = 32

// nextOf takes the next of some entries. It writes to all of it: new memory that
// is read before it is written to, if only for a check against nil, is taken from
// the system twice.
func nextOf(spare *[]Entry, from Origin, details *Details) *Entry {
	if len(*spare) == 0 {
		*spare = make([]Entry, spareEntries)
	}
	e := &(*spare)[0]
	*spare = (*spare)[1:]
	*e = Entry{Origin: from, Details: details}
	return e
}

// span is where in an encoded entry the value of a member stands.
type span struct{ member, start, end int }

// blockBytes is how much room is taken at once, and shareOfBlock the part of it
// from which on an entry gets room of its own.
const (
	blockBytes   = 256 << 10
	shareOfBlock = 8
)

// Seal gives an entry whose other fields have been checked its body, derives
// what follows from all of them (sourceHash, riskScore), and encodes the whole
// as JSON, once. It must not change afterwards; what its texts were before may,
// for they become parts of that JSON, or copies.
func (s *Sealer) Seal(e *Entry, body string) {
	if e.Details == nil {
		e.Details = &noDetails
	}
	e.Details = e.Details.kept()
	s.hash = appendFingerprint(s.hash[:0], body)
	e.SourceHash = Fingerprint(stringOf(s.hash))
	e.RiskScore = e.riskScore()
	s.scratch = appendString(s.scratch[:0], body)
	literal := len(s.scratch)
	e.Body = Body(stringOf(s.scratch))
	s.places = s.places[:0]
	s.scratch = e.appendNoting(s.scratch, func(Field) bool { return true }, func(member, start, end int) {
		s.places = append(s.places, span{member, start - literal, end - literal})
	})
	s.scratch = append(s.scratch, closing...)
	e.encoded = s.pack(s.scratch[literal:])
	for _, p := range s.places {
		if share := members[p.member].share; share != nil {
			share(e, e.encoded[p.start:p.end:p.end])
		}
	}
	e.LastUsedAt = Timestamp(strings.Clone(string(e.LastUsedAt)))
	e.Origin.share(e)
}

// share takes what is the same as in the entry from there.
func (o *Origin) share(e *Entry) {
	if o.SpelledID == string(e.ID) {
		o.SpelledID = string(e.ID)
	} else {
		o.SpelledID = strings.Clone(o.SpelledID)
	}
	if o.RecordedHash == string(e.SourceHash) {
		o.RecordedHash = string(e.SourceHash)
	} else {
		o.RecordedHash = strings.Clone(o.RecordedHash)
	}
}

// pack copies data to where it stays. Its capacity reaches to the end of the block,
// which tells [Entry.AppendEncoded] what lies behind it.
func (s *Sealer) pack(data []byte) []byte {
	if len(data) > blockBytes/shareOfBlock {
		return bytes.Clone(data)
	}
	if len(data) > cap(s.block)-len(s.block) {
		s.block = make([]byte, 0, blockBytes)
	}
	start := len(s.block)
	s.block = append(s.block, data...)
	return s.block[start:]
}

// stringOf returns bytes that do not change any more as a string.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
