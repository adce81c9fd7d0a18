package search

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Fold returns s under full Unicode case folding: the mappings of status C and
// F in the Unicode Character Database's CaseFolding.txt, version 15.0, which is
// also that of Go's package unicode. It does not normalise. Bytes that are not
// UTF-8 stay as they are. Where nothing changes, the result is s itself.
func Fold(s string) string {
	n := foldedPrefix(s)
	if n == len(s) {
		return s
	}
	var f folder
	return string(f.append(append(make([]byte, 0, len(s)), s[:n]...), s[n:]))
}

// foldedPrefix returns how many bytes of s come before the first character that
// changes.
func foldedPrefix(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			return i
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if foldingOf(r) != kept {
				return i
			}
			i += size
		}
	}
	return len(s)
}

// A folder folds one string after another.
type folder struct{}

// append appends Fold(s) to dst, which must not overlap with s.
func (folder) append(dst []byte, s string) []byte {
	for len(s) > 0 {
		dst = slices.Grow(dst, len(s))
		n := lowerASCII(dst[len(dst):len(dst)+len(s)], s)
		dst, s = dst[:len(dst)+n], s[n:]
		dst, n = appendBeyondASCII(dst, s)
		s = s[n:]
	}
	return dst
}

// appendBeyondASCII folds s up to its first byte that is ASCII, and returns how
// many bytes that is. What is kept is copied in stretches.
func appendBeyondASCII(dst []byte, s string) ([]byte, int) {
	copied, i := 0, 0
	for i < len(s) && s[i] >= utf8.RuneSelf {
		// An invalid byte decodes as U+FFFD, which is kept.
		r, size := utf8.DecodeRuneInString(s[i:])
		if how := foldingOf(r); how != kept {
			dst = append(dst, s[copied:i]...)
			dst = how.append(dst, r)
			copied = i + size
		}
		i += size
	}
	return append(dst, s[copied:i]...), i
}

// foldsToASCII reports whether s has a character beyond ASCII whose folding has
// one of ASCII: the Kelvin sign, ß, ligatures.
func foldsToASCII(s string) bool {
	var folded []byte
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			for i++; i+8 <= len(s) && load64(s[i:])&highBits == 0; i += 8 {
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if how := foldingOf(r); how != kept {
			folded = how.append(folded[:0], r)
			if slices.ContainsFunc(folded, func(c byte) bool { return c < utf8.RuneSelf }) {
				return true
			}
		}
		i += size
	}
	return false
}

// A folding is the number of a way to fold a character: [kept]; below
// len(foldShifts), by adding to the code point; from there on, by putting one of
// the foldExpansions in its place.
type folding uint8

const kept folding = 0

// foldingOf looks r up in the table: foldIndex has the page of each block of 64
// code points, which are those that differ in the last byte of UTF-8 alone.
func foldingOf(r rune) folding {
	block := uint(r) / 64
	if block >= uint(len(foldIndex)) {
		return kept
	}
	return foldPages[foldIndex[block]][r&63]
}

// append appends what r folds to.
func (f folding) append(dst []byte, r rune) []byte {
	if n := int(f) - len(foldShifts); n >= 0 {
		return append(dst, foldExpansions[n]...)
	}
	return utf8.AppendRune(dst, r+foldShifts[f])
}

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// lowerASCII copies s in lower case up to its first byte that is not ASCII, and
// returns how many bytes that is. Bytes of dst beyond them, up to len(s), are
// undefined. It works on eight bytes at a time.
func lowerASCII(dst []byte, s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := load64(s[i:])
		binary.LittleEndian.PutUint64(dst[i:], lower64(w))
		if beyond := w & highBits; beyond != 0 {
			return i + bits.TrailingZeros64(beyond)/8
		}
	}
	for ; i < len(s) && s[i] < utf8.RuneSelf; i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		dst[i] = c
	}
	return i
}

// load64 reads the first eight bytes of s: one instruction.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// lower64 lower-cases eight bytes up to the first that is not ASCII. The
// additions carry a byte from 'A', or from past 'Z', into its own high bit; only
// a byte beyond ASCII carries into the next.
func lower64(w uint64) uint64 {
	fromA := w + (0x80-'A')*eachByte
	pastZ := w + (0x80-'Z'-1)*eachByte
	upper := fromA &^ pastZ & highBits
	return w | upper>>2 // 0x80>>2 is 'a'-'A'
}
