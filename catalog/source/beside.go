package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
	"instruction-catalog/schemas/jsonscan"
)

// isBeside reports whether a file of that name is kept beside the entries and is not
// one.
func isBeside(name string) bool {
	return name == catalog.GatesFile || name == catalog.SumFile || name == catalog.NoteFile
}

// Beside is what stands in the folder of a catalog beside its entries, as the content
// of files; nil for those that are not there. A bundle carries them in lines of their
// own before those of the entries: gates.json as it is, and the others as strings, in
// as many lines as it takes:
//
//	{"gates.json":{"gates":[]}}
//	{"PROMPT-CRITERIA.json":"…\n"}
//	{"catalog.sum":"…\n"}
//	{"catalog.sum.note":"…\n"}
type Beside struct {
	Gates    []byte   // of gates.json
	Criteria Criteria // of a bundle those that it carries
	Sum      []byte   // of catalog.sum
	Note     []byte   // of catalog.sum.note
}

// Governing returns the content of the files that catalog.sum covers, by their names.
func (b Beside) Governing() map[string][]byte {
	return map[string][]byte{catalog.GatesFile: b.Gates, catalog.CriteriaFile: b.Criteria.Data}
}

// How large the files may be, in bytes.
const (
	maxGates = 1 << 20
	maxSum   = 32 << 20 // 170,000 entries with the longest ids
	maxNote  = 64 << 10
)

// Beside reads what stands beside the entries. A bundle that carries no gates has
// those of the folder that it lies in. A link may lead to a file within the folder
// only. The error is an [*UnreadableError].
func (s *Source) Beside() (b Beside, err error) {
	for _, file := range []struct {
		name    string
		limit   int
		content *[]byte
	}{{catalog.GatesFile, maxGates, &b.Gates}, {catalog.SumFile, maxSum, &b.Sum}, {catalog.NoteFile, maxNote, &b.Note}} {
		if *file.content, err = s.readBeside(file.name, file.limit); err != nil {
			return Beside{}, &UnreadableError{file.name, err}
		}
	}
	b.Criteria, err = s.Criteria()
	if err != nil {
		return Beside{}, err
	}
	if !b.Criteria.Carried && s.mode().IsRegular() {
		b.Criteria = Criteria{}
	}
	return b, nil
}

// UnreadableError is a file beside the entries that is there and cannot be read.
type UnreadableError struct {
	Name string // of the file
	Err  error  // why, and what to do
}

// Error implements error. It names the file.
func (e *UnreadableError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns why the file cannot be read.
func (e *UnreadableError) Unwrap() error { return e.Err }

// Sum reads the content of catalog.sum; nil if there is none.
func (s *Source) Sum() ([]byte, error) { return s.readBeside(catalog.SumFile, maxSum) }

// Gates reads the content of gates.json, nil if there is none. For a bundle it is what
// [Bundle.Gates] returns, or else the file in the folder that it lies in, where one whose
// name is gates.json but for the case of its letters is an error.
func (s *Source) Gates() ([]byte, error) { return s.readBeside(catalog.GatesFile, maxGates) }

// CarriesGates reports whether the gates are in the bundle. A bundle that cannot be read
// counts as one that carries them.
func (s *Source) CarriesGates() bool {
	if !s.IsBundle() {
		return false
	}
	own, err := s.bundle.Gates()
	return own != nil || err != nil
}

// checkGatesName refuses a folder with a file that is gates.json but for the case of its
// letters.
func checkGatesName(folder string) error {
	all, err := os.ReadDir(folder)
	for _, file := range all {
		if name := file.Name(); name != catalog.GatesFile && strings.EqualFold(name, catalog.GatesFile) {
			return fmt.Errorf("%s: these gates are not evaluated: name the file %s", name, catalog.GatesFile)
		}
	}
	return err
}

// readBeside returns the content of one of these files, of at most limit bytes; nil if
// there is none.
func (s *Source) readBeside(name string, limit int) ([]byte, error) {
	if text := s.folder.drafts[name]; text != nil {
		return text, nil
	}
	if s.mode().IsRegular() {
		carried, err := s.bundle.readBeside(name, limit)
		if carried != nil || err != nil || name != catalog.GatesFile {
			return carried, err
		}
		if err := checkGatesName(s.Folder()); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(s.Folder())
	if err != nil {
		return nil, fmt.Errorf("the folder of the catalog cannot be opened (%w)", files.Cause(err))
	}
	defer root.Close()
	// A link that leads nowhere is there, although opening it says otherwise.
	if _, err := root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	target, err := files.Resolve(root, name)
	if hidden := hiddenSegment(target); hidden != "" {
		return nil, fmt.Errorf("it is a symbolic link to %s, which is hidden: put a file here", format.Quote(hidden))
	}
	var f files.File
	if err == nil {
		f, err = files.ReadIn(root, target, limit)
	}
	switch {
	case errors.Is(err, files.ErrNotRegular):
		return nil, errors.New("it is no regular file: put a file here")
	case errors.Is(err, files.ErrTooLarge):
		return nil, fmt.Errorf("it has more than %d bytes and was not read", limit)
	case err != nil:
		return nil, fmt.Errorf("it cannot be read (%w): it must be a readable file within the folder of the catalog", files.Cause(err))
	}
	return append([]byte{}, f.Data...), nil // which is not nil where the file is empty
}

// readBeside returns what the bundle carries of a file.
func (b *Bundle) readBeside(name string, limit int) ([]byte, error) {
	if name == catalog.GatesFile {
		return b.Gates()
	}
	content, found := []byte{}, false
	err := b.read(func(lines *lineReader, _ fs.FileInfo) error {
		for {
			lines.held = lines.held[:0]
			l, err := lines.next()
			if err == io.EOF || err == nil && !isHead(l) {
				return nil
			}
			if err != nil {
				return err
			}
			if of, part := carriedBy(l); of == name {
				text, _ := jsonscan.Unquote(part)
				content = append(content, text...)
				found = true
			}
			if len(content) > limit {
				return fmt.Errorf("its %s has more than %d bytes", name, limit)
			}
		}
	})
	switch {
	case err != nil:
		return nil, explain("bundle", b.path, err)
	case !found:
		return nil, nil
	}
	return content, nil
}

// markHead marks those of the next lines before which there is no entry, where there
// is none before all of them, and reports whether there is none after them either.
func markHead(batch []line, inHead bool) bool {
	for i := range batch {
		inHead = inHead && isHead(batch[i])
		batch[i].head = inHead
	}
	return inHead
}

// isHead reports whether a line may stand before those of the sum.
func isHead(l line) bool {
	name, _ := carriedBy(l)
	return name != "" || l.blank()
}

// inParts are the files that a bundle carries as strings.
var inParts = []string{catalog.CriteriaFile, catalog.SumFile, catalog.NoteFile}

// carriedBy returns the name of the file beside the entries that a line carries, in
// whole or in part, and the content as JSON. The name is empty if the line carries
// none. The content shares the memory of the line.
func carriedBy(l line) (name string, value []byte) {
	for m, err := range jsonscan.Members(files.TrimByteOrderMark(l.data)) {
		isPart := m.Value != nil && m.Value[0] == '"' && slices.Contains(inParts, string(m.Name))
		if err != nil || name != "" || string(m.Name) != catalog.GatesFile && !isPart {
			return "", nil
		}
		name, value = string(m.Name), m.Value
	}
	return name, value
}

// write writes the lines that carry it.
func (b Beside) write(w io.Writer) error {
	if err := writeGates(w, b.Gates); err != nil {
		return err
	}
	for i, content := range [][]byte{b.Criteria.Data, b.Sum, b.Note} {
		if err := writeParts(w, inParts[i], content); err != nil {
			return err
		}
	}
	return nil
}

// maxPart is how many bytes of a file go into one line: escaped, they are fewer than a
// line may have.
const maxPart = 512 << 10

// writeParts writes the lines that carry a file.
func writeParts(w io.Writer, name string, content []byte) error {
	for content != nil {
		part := content[:min(maxPart, len(content))]
		if end := bytes.LastIndexByte(part, '\n') + 1; end > 0 { // not within a character
			part = part[:end]
		}
		if _, err := fmt.Fprintf(w, "{%q:%s}\n", name, jsonscan.MustEncode(string(part))); err != nil {
			return err
		}
		if content = content[len(part):]; len(content) == 0 {
			return nil
		}
	}
	return nil
}
