package search

import (
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/cases"
)

// Fold returns s under full Unicode case folding: the mappings of status C and
// F in the Unicode Character Database's CaseFolding.txt, in the version that
// golang.org/x/text/cases carries. It does not normalise. Bytes that are not
// UTF-8 stay as they are. Where nothing changes, the result is s itself.
func Fold(s string) string {
	if isFoldedASCII(s) {
		return s
	}
	var f folder
	folded := f.append(make([]byte, 0, len(s)), s)
	if string(folded) == s {
		return s
	}
	return string(folded)
}

func isFoldedASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// fullFolding is shared: a folding Caser has no state and is documented as safe
// for concurrent use.
var fullFolding = cases.Fold()

// A folder folds one string after another, reusing its buffers. Only runs
// without ASCII go through cases.Fold; that is exact because the folding of a
// code point does not depend on its neighbours.
type folder struct {
	source []byte
	run    []byte
}

// append appends Fold(s) to dst.
func (f *folder) append(dst []byte, s string) []byte {
	start := len(dst)
	f.source = append(f.source[:0], s...)
	for rest := f.source; len(rest) > 0; {
		n := lowerASCII(rest)
		dst = append(dst, rest[:n]...)
		rest = rest[n:]
		n = nonASCIIPrefix(rest)
		dst = append(dst, f.foldRun(rest[:n])...)
		rest = rest[n:]
	}
	if hasCherokeeCapital(f.source) {
		capitaliseCherokee(dst[start:])
	}
	return dst
}

// maxGrowth is how many times its own length a code point's folding can have in
// UTF-8. U+0390, for one, takes two bytes and folds to six.
const maxGrowth = 3

// foldRun folds a run without ASCII. The result is valid until the next call.
func (f *folder) foldRun(run []byte) []byte {
	if len(run) == 0 {
		return nil
	}
	if need := maxGrowth * len(run); len(f.run) < need {
		f.run = make([]byte, 2*need)
	}
	n, _, err := fullFolding.Transform(f.run, run, true)
	if err != nil {
		panic("search: case folding grew beyond its buffer: " + err.Error())
	}
	return f.run[:n]
}

func nonASCIIPrefix(b []byte) int {
	for i, c := range b {
		if c < utf8.RuneSelf {
			return i
		}
	}
	return len(b)
}

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// lowerASCII lower-cases b in place up to its first byte that is not ASCII, and
// returns how many bytes that is. It works on eight bytes at a time: the
// additions carry a byte from 'A', or from past 'Z', into its own high bit.
func lowerASCII(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		if w&highBits != 0 {
			break
		}
		fromA := w + (0x80-'A')*eachByte
		pastZ := w + (0x80-'Z'-1)*eachByte
		upper := fromA &^ pastZ & highBits
		binary.LittleEndian.PutUint64(b[i:], w|upper>>2) // 0x80>>2 is 'a'-'A'
	}
	for ; i < len(b) && b[i] < utf8.RuneSelf; i++ {
		if c := b[i]; 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return i
}
