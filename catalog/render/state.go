package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// State is the result of comparing a rendered file with the catalog and with the text
// written last.
type State string

// The states of a rendered file.
const (
	Same      State = "same"
	Stale     State = "stale"     // the catalog changed, the file did not
	Edited    State = "edited"    // the file changed, the catalog did not
	Conflict  State = "conflict"  // both changed
	Missing   State = "missing"   // the file does not exist
	Orphan    State = "orphan"    // the entry is gone, the file did not change
	Foreign   State = "foreign"   // the file was not rendered
	Forgotten State = "forgotten" // the entry and the file are gone
)

// Decide returns the state of a file or region. base is the [Sum] of the text written
// last, or "" if nothing was written. source is the text to write now, or nil if
// nothing is to be written. file is the text on disk, or nil if it is missing.
func Decide(base string, source, file []byte) State {
	switch {
	case source == nil && file == nil:
		return Forgotten
	case file == nil:
		return Missing
	case source == nil && wrote(base, file):
		return Orphan
	case source == nil && base == "":
		return Foreign
	case source == nil:
		return Conflict
	case equal(source, file):
		return Same
	case base == "":
		return Foreign
	case wrote(base, file):
		return Stale
	case wrote(base, source):
		return Edited
	}
	return Conflict
}

// Sum returns the SHA-256 of content in hexadecimal.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// wrote reports whether content has the given sum. If all its line endings are LF or
// all are CRLF, the sum of the other form counts, too.
func wrote(sum string, content []byte) bool {
	if sum == "" {
		return false
	}
	if Sum(content) == sum {
		return true
	}
	lf, crlf := toLF(content), toCRLF(content)
	return bytes.Equal(content, crlf) && Sum(lf) == sum || bytes.Equal(content, lf) && Sum(crlf) == sum
}

// equal reports whether file is source, or source with all line endings changed to LF
// or to CRLF.
func equal(source, file []byte) bool {
	return bytes.Equal(source, file) || bytes.Equal(toLF(source), file) || bytes.Equal(toCRLF(source), file)
}

// WithLineEnds returns content with the line endings of file, if those are all LF or
// all CRLF. Otherwise it returns content unchanged.
func WithLineEnds(content, file []byte) []byte {
	switch {
	case !bytes.Contains(file, []byte("\n")):
		return content
	case bytes.Equal(file, toLF(file)):
		return toLF(content)
	case bytes.Equal(file, toCRLF(file)):
		return toCRLF(content)
	}
	return content
}

func toLF(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

func toCRLF(text []byte) []byte {
	return bytes.ReplaceAll(toLF(text), []byte("\n"), []byte("\r\n"))
}
