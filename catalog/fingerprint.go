package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unsafe"
)

// Fingerprint is a SHA-256 in lower-case hexadecimal, 64 characters.
type Fingerprint string

// FingerprintOf returns the fingerprint of the UTF-8 bytes of text.
func FingerprintOf(text string) Fingerprint {
	return Fingerprint(appendFingerprint(make([]byte, 0, 2*sha256.Size), text))
}

func appendFingerprint(dst []byte, text string) []byte {
	// Hashing reads the bytes only, so that they need not be copied.
	sum := sha256.Sum256(unsafe.Slice(unsafe.StringData(text), len(text)))
	return hex.AppendEncode(dst, sum[:])
}

// RecordedMatches reports whether recorded, a hash that somebody wrote into a
// file, was taken of body. Writers of catalogs hash the body as it stands,
// trimmed, or with newlines and trailing blanks normalised: any of the three
// counts.
func RecordedMatches(recorded, body string) bool {
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

// aggregate is the catalog hash: the fingerprint of id:sourceHash joined with
// '|', ids in byte order.
func aggregate(sorted []*Entry) Fingerprint {
	const atOnce = 8 << 10 // a hash takes long texts faster than short ones
	h := sha256.New()
	buf := make([]byte, 0, atOnce+maxID+sha256.BlockSize)
	for i, e := range sorted {
		if i > 0 {
			buf = append(buf, '|')
		}
		buf = append(append(append(buf, e.ID...), ':'), e.SourceHash...)
		if len(buf) > atOnce {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	h.Write(buf)
	return Fingerprint(hex.EncodeToString(h.Sum(nil)))
}
