// Package fold compares texts whatever their case: under the full case folding of
// Unicode, Straße and STRASSE are the same, and so are ſ and s, the Kelvin sign and
// k, and Σ, σ and ς.
//
// [String] folds a text, and [Locate] finds what matches a query in a text as it
// was written. The package never normalises (a composed é is not a decomposed one)
// and knows no language: a Turkish İ folds as Unicode's default says.
package fold

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// String returns s under full Unicode case folding: the mappings of status C and
// F in the Unicode Character Database's CaseFolding.txt, version 15.0, which is
// also that of Go's package unicode. Bytes that are not UTF-8 stay as they are.
func String(s string) string { return string(Append(nil, s)) }

// Append appends the folded s to dst.
func Append(dst []byte, s string) []byte {
	for len(s) > 0 {
		var n int
		dst, n = appendLower(dst, s)
		if s = s[n:]; s == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		if f := foldingOf(r); f == unchanged { // as an invalid byte is, which decodes as U+FFFD
			dst = append(dst, s[:size]...)
		} else {
			dst = f.append(dst, r)
		}
		s = s[size:]
	}
	return dst
}

// appendLower appends s in lower case up to its first byte that is not ASCII, and
// returns how many bytes that is.
func appendLower(dst []byte, s string) ([]byte, int) {
	dst = slices.Grow(dst, len(s))
	lower := dst[len(dst) : len(dst)+len(s)]
	for i := range lower {
		c := s[i]
		if c >= utf8.RuneSelf {
			return dst[:len(dst)+i], i
		}
		lower[i] = lowerASCII[c] // half as long as a comparison
	}
	return dst[:len(dst)+len(s)], len(s)
}

// lowerASCII has each byte of ASCII in lower case.
var lowerASCII = func() (all [utf8.RuneSelf]byte) {
	for c := range all {
		all[c] = byte(unicode.ToLower(rune(c)))
	}
	return all
}()

// A folding is the number of a way to fold a character: [unchanged]; below
// len(foldShifts), by adding to the code point; from there on, by putting one of
// the foldExpansions in its place.
type folding uint8

const unchanged folding = 0

// foldingOf looks r up in the table: foldIndex has the page of each block of 64
// code points.
func foldingOf(r rune) folding {
	block := uint(r) / 64
	if block >= uint(len(foldIndex)) {
		return unchanged
	}
	return foldPages[foldIndex[block]][r%64]
}

// append appends what r folds to.
func (f folding) append(dst []byte, r rune) []byte {
	if n := int(f) - len(foldShifts); n >= 0 {
		return append(dst, foldExpansions[n]...)
	}
	return utf8.AppendRune(dst, r+foldShifts[f])
}
