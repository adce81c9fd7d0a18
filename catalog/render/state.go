package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// State is how a rendered file compares with the catalog and with what was written last.
type State string

// The states.
const (
	Same      State = "same"
	Stale     State = "stale"     // the catalog changed, the file did not
	Edited    State = "edited"    // the file changed, the catalog did not
	Conflict  State = "conflict"  // both changed
	Missing   State = "missing"   // it is not there
	Orphan    State = "orphan"    // its entry is gone
	Foreign   State = "foreign"   // it was never ours
	Forgotten State = "forgotten" // its entry is gone, and so is the file
)

// Decide returns the state of a file or region. The base is the [Sum] of what was written
// last, "" if it was never ours; source is what would be written now, nil if nothing
// would; file is what stands there, nil if nothing does.
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

// Sum returns the SHA-256 of a content, in hexadecimal.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// wrote reports whether a content is what has that sum, with its line ends or with all
// of them LF or CRLF.
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

// equal reports whether a file is what would be written, with its line ends or with all
// of them LF or CRLF.
func equal(source, file []byte) bool {
	return bytes.Equal(source, file) || bytes.Equal(toLF(source), file) || bytes.Equal(toCRLF(source), file)
}

// WithLineEnds returns a content with the line ends of a file that it replaces: CRLF if
// all of the file's are, LF if all are, else those of the content.
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
