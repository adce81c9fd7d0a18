package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// Fingerprint is a SHA-256 in lower-case hexadecimal, 64 characters.
type Fingerprint string

// FingerprintOf returns the fingerprint of the UTF-8 bytes of text.
func FingerprintOf(text string) Fingerprint {
	h := sha256.New()
	var part [512]byte
	for len(text) > 0 { // rather than a copy of the whole
		n := copy(part[:], text)
		h.Write(part[:n]) // a hash never fails
		text = text[n:]
	}
	return Fingerprint(hex.EncodeToString(h.Sum(part[:0])))
}

// recordedMatches reports whether recorded, a hash found in a file, is a hash of
// body. Writers of catalogs hash the body as it is, trimmed, or with newlines and
// trailing blanks normalised; each of the three is accepted.
func recordedMatches(recorded, body string) bool {
	want := Fingerprint(strings.ToLower(strings.TrimSpace(recorded)))
	if want == FingerprintOf(body) {
		return true
	}
	trimmed := strings.TrimFunc(body, isBlank)
	normalised := normaliseBlanks(body)
	for _, form := range []string{trimmed, normalised, strings.TrimFunc(normalised, isBlank)} {
		if want == FingerprintOf(form) {
			return true
		}
	}
	return false
}

// normaliseBlanks ends every line with \n alone and without blanks before it.
func normaliseBlanks(body string) string {
	body = strings.ReplaceAll(body, "\r\n", "\n")
	lines := strings.Split(strings.ReplaceAll(body, "\r", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Join(lines, "\n")
}

// isBlank is what JavaScript's trim removes: white space and the byte order mark.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// aggregate is the fingerprint of id:hash joined with '|', ids in byte order: of
// all entries, each with one of its hashes.
func aggregate(sorted []*Entry, hashOf func(*Entry) Fingerprint) Fingerprint {
	h := sha256.New()
	var text []byte
	for i, e := range sorted {
		if i > 0 {
			text = append(text, '|')
		}
		text = append(append(append(text, e.ID...), ':'), hashOf(e)...)
		if len(text) > 4<<10 {
			h.Write(text)
			text = text[:0]
		}
	}
	h.Write(text)
	return Fingerprint(hex.EncodeToString(h.Sum(nil)))
}
