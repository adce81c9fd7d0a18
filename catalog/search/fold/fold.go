// Package fold compares texts ignoring case. Under full Unicode case folding, Straße and
// STRASSE are equal, and so are ſ and s, the Kelvin sign and k, and Σ, σ and ς.
//
// [String] folds a text, and [Locate] finds the matches of a query in the original text.
// The package does not normalise (a composed é differs from a decomposed one) and is
// independent of language: a Turkish İ folds by Unicode's default mapping.
package fold

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// String returns s under full Unicode case folding: the mappings of status C and F in
// CaseFolding.txt of the Unicode Character Database, version 15.0. Go's package unicode
// uses the same version. Bytes that are not valid UTF-8 stay unchanged.
func String(s string) string { return string(Append(nil, s)) }

// Append appends the folded form of s to dst.
func Append(dst []byte, s string) []byte {
	for len(s) > 0 {
		var n int
		dst, n = appendLower(dst, s)
		if s = s[n:]; s == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		if f := foldingOf(r); f == unchanged { // also an invalid byte, which decodes as U+FFFD
			dst = append(dst, s[:size]...)
		} else {
			dst = f.append(dst, r)
		}
		s = s[size:]
	}
	return dst
}

// appendLower appends s in lower case, up to its first non-ASCII byte. It returns the
// number of bytes that it appended.
func appendLower(dst []byte, s string) ([]byte, int) {
	dst = slices.Grow(dst, len(s))
	lower := dst[len(dst) : len(dst)+len(s)]
	for i := range lower {
		c := s[i]
		if c >= utf8.RuneSelf {
			return dst[:len(dst)+i], i
		}
		lower[i] = lowerASCII[c] // takes half the time of a comparison
	}
	return dst[:len(dst)+len(s)], len(s)
}

// lowerASCII maps each ASCII byte to lower case.
var lowerASCII = func() (all [utf8.RuneSelf]byte) {
	for c := range all {
		all[c] = byte(unicode.ToLower(rune(c)))
	}
	return all
}()

// A folding identifies a way to fold a character: [unchanged]; a number n below
// len(foldShifts), which adds foldShifts[n] to the code point; or a higher number n, which
// replaces the character with foldExpansions[n-len(foldShifts)].
type folding uint8

const unchanged folding = 0

// foldingOf looks up the folding of r. The entry of foldIndex for a block of 64 code points
// is the index of its page in foldPages.
func foldingOf(r rune) folding {
	block := uint(r) / 64
	if block >= uint(len(foldIndex)) {
		return unchanged
	}
	return foldPages[foldIndex[block]][r%64]
}

// append appends the folded form of r, whose folding is f.
func (f folding) append(dst []byte, r rune) []byte {
	if n := int(f) - len(foldShifts); n >= 0 {
		return append(dst, foldExpansions[n]...)
	}
	return utf8.AppendRune(dst, r+foldShifts[f])
}
