package cachefile

import (
	"encoding/binary"
	"hash/crc32"
)

// checksum is a CRC of 64 bits: two of 32, whose polynomials have no divisor in
// common, say together what one with the product of both says. Processors have
// instructions for these two, which makes them several times as fast as
// SHA-256; nobody could be kept by either from writing what he likes.
type checksum [checksumSize]byte

const checksumSize = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// summer adds up what is written to it. It never fails.
type summer struct{ ieee, castagnoli uint32 }

func (s *summer) Write(data []byte) (int, error) {
	s.ieee = crc32.Update(s.ieee, crc32.IEEETable, data)
	s.castagnoli = crc32.Update(s.castagnoli, castagnoli, data)
	return len(data), nil
}

func (s *summer) checksum() (c checksum) {
	binary.BigEndian.PutUint32(c[:], s.ieee)
	binary.BigEndian.PutUint32(c[4:], s.castagnoli)
	return c
}
