package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// Fingerprint is a SHA-256 hash as 64 lower-case hexadecimal digits.
type Fingerprint string

// FingerprintOf returns the fingerprint of the UTF-8 bytes of text.
func FingerprintOf(text string) Fingerprint {
	h := sha256.New()
	var part [512]byte
	for len(text) > 0 { // to avoid copying the whole text
		n := copy(part[:], text)
		h.Write(part[:n]) // a hash never returns an error
		text = text[n:]
	}
	return Fingerprint(hex.EncodeToString(h.Sum(part[:0])))
}

// recordedMatches reports whether recorded, a hash found in a file, is a hash of body.
// Programs that write catalogs hash the body unchanged, trimmed, or with newlines and
// trailing blanks normalised. Each of these forms is accepted.
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

// normaliseBlanks converts line endings to \n and removes trailing blanks and tabs from
// each line.
func normaliseBlanks(body string) string {
	body = strings.ReplaceAll(body, "\r\n", "\n")
	lines := strings.Split(strings.ReplaceAll(body, "\r", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Join(lines, "\n")
}

// isBlank reports whether JavaScript's trim removes r: white space and the byte order
// mark.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// aggregate returns the fingerprint of the id:hash pairs of the entries, joined with
// '|'. hashOf returns the hash of an entry. The entries must be in id order.
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
