package search

import (
	"bytes"
	"unicode/utf8"
)

// CaseFolding.txt folds the small letters of Cherokee to its capitals, which
// came first, and the capitals to themselves. cases.Fold exchanges the two
// (golang.org/issue/46101), so that they never meet. This file puts it right.

// hasCherokeeCapital reports whether text may hold U+13A0 to U+13F5.
func hasCherokeeCapital(text []byte) bool {
	return bytes.Contains(text, []byte("\xe1\x8e")) || bytes.Contains(text, []byte("\xe1\x8f"))
}

// capitaliseCherokee replaces the small letters in text by their capitals, which
// take as many bytes.
func capitaliseCherokee(text []byte) {
	for i := 0; i < len(text); {
		letter, size := utf8.DecodeRune(text[i:])
		switch {
		case 0xAB70 <= letter && letter <= 0xABBF:
			utf8.EncodeRune(text[i:], letter-0xAB70+0x13A0)
		case 0x13F8 <= letter && letter <= 0x13FD:
			utf8.EncodeRune(text[i:], letter-0x13F8+0x13F0)
		}
		i += size
	}
}
