package source

import (
	"bytes"
	"errors"
	"regexp"

	"instruction-catalog/catalog"
)

// What keeps a hash from being recorded in a file.
var (
	// ErrNoHashLine: the file has no sourceHash, so nobody wants one recorded.
	ErrNoHashLine = errors.New("it has no sourceHash: add one, which may be empty, where a hash is to be recorded")
	// ErrHashLine: there is one, and it cannot be replaced on its own line.
	ErrHashLine = errors.New(`its sourceHash does not stand on a line of its own with its name: write it so, and empty`)
)

// The line of a sourceHash, in YAML or TOML as in JSON in three parts of which the second is replaced.
var (
	hashInJSON     = regexp.MustCompile(`("sourceHash"[ \t]*:[ \t]*)("[^"\\]*"|null)(.*)`)
	hashInMarkdown = regexp.MustCompile(`^(sourceHash[ \t]*[:=])([ \t]*(?:"[^"]*"|'[^']*'|[0-9A-Za-z]*))([ \t]*(?:#.*)?\r?\n?)$`)
)

// RecordHash returns the text of the instruction file of that path with the hash
// of its body recorded on the line of its sourceHash. Nothing else changes, and
// nothing at all where the hash stands there. Its errors are [ErrNoHashLine]
// and [ErrHashLine], or say why the file is no entry.
func RecordHash(path string, data []byte) ([]byte, error) {
	before := interpret(file{path: path, data: data})
	if before.entry == nil {
		return nil, errors.New("it is no entry: see what verify says of it")
	}
	doc, _ := parse(file{path: path, data: data})
	line := doc.lineOf("sourceHash")
	if line == 0 {
		return nil, ErrNoHashLine
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	pattern, quote := hashInJSON, `${1}"`+string(before.entry.SourceHash)+`"${3}`
	if doc.form == markdownForm {
		pattern, quote = hashInMarkdown, `${1} "`+string(before.entry.SourceHash)+`"${3}`
	}
	lines[line-1] = pattern.ReplaceAll(lines[line-1], []byte(quote))
	text := bytes.Join(lines, nil)
	if !records(interpret(file{path: path, data: text}).entry, before.entry) {
		return nil, ErrHashLine
	}
	return text, nil
}

// records reports whether an entry is another one with its hash recorded.
func records(e, other *catalog.Entry) bool {
	return e != nil && e.Hash() == other.Hash() && e.Origin.RecordedHash == string(other.SourceHash)
}
