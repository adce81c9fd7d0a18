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

// isMetadata reports whether name is that of a metadata file, such as gates.json, which
// is never an entry.
func isMetadata(name string) bool {
	return name == catalog.GatesFile || name == catalog.SumFile || name == catalog.NoteFile
}

// Metadata holds the contents of the metadata files of a catalog: the files in its folder
// that are not entries. The content of a missing file is nil. In a bundle, these
// contents are on lines of their own, before the lines of the entries. The line for
// gates.json contains its JSON. Each other file is a string, split over as many lines as
// necessary:
//
//	{"gates.json":{"gates":[]}}
//	{"PROMPT-CRITERIA.json":"…\n"}
//	{"catalog.sum":"…\n"}
//	{"catalog.sum.note":"…\n"}
type Metadata struct {
	Gates    []byte   // content of gates.json
	Criteria Criteria // for a bundle, only the criteria in the bundle itself
	Sum      []byte   // content of catalog.sum
	Note     []byte   // content of catalog.sum.note
}

// Governing returns the content of the metadata files that catalog.sum covers, by file
// name.
func (b Metadata) Governing() map[string][]byte {
	return map[string][]byte{catalog.GatesFile: b.Gates, catalog.CriteriaFile: b.Criteria.Data}
}

// The maximum sizes of the files, in bytes.
const (
	maxGates = 1 << 20
	maxSum   = 32 << 20 // 170,000 entries with the longest ids
	maxNote  = 64 << 10
)

// Metadata reads the files of the catalog that are not entries. If a bundle does not
// contain gates, Metadata reads gates.json from the bundle's folder. A symbolic link is
// followed only within the folder. The error is an [*UnreadableError].
func (s *Source) Metadata() (b Metadata, err error) {
	for _, file := range []struct {
		name    string
		limit   int
		content *[]byte
	}{{catalog.GatesFile, maxGates, &b.Gates}, {catalog.SumFile, maxSum, &b.Sum}, {catalog.NoteFile, maxNote, &b.Note}} {
		if *file.content, err = s.readMetadata(file.name, file.limit); err != nil {
			return Metadata{}, &UnreadableError{file.name, err}
		}
	}
	b.Criteria, err = s.Criteria()
	if err != nil {
		return Metadata{}, err
	}
	if !b.Criteria.Carried && s.mode().IsRegular() {
		b.Criteria = Criteria{}
	}
	return b, nil
}

// UnreadableError means that a metadata file exists but cannot be read.
type UnreadableError struct {
	Name string // name of the file, or its path
	Err  error  // why, and what to do
}

// Error returns the name of the file and the reason.
func (e *UnreadableError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns the reason why the file cannot be read.
func (e *UnreadableError) Unwrap() error { return e.Err }

// Sum reads the content of catalog.sum, or returns nil if there is no such file.
func (s *Source) Sum() ([]byte, error) { return s.readMetadata(catalog.SumFile, maxSum) }

// Gates reads the content of gates.json, or returns nil if there is no such file. For a
// bundle it returns the result of [Bundle.Gates], or if that is nil, the content of
// gates.json in the bundle's folder. A file in that folder whose name differs from
// gates.json only in case is an error.
func (s *Source) Gates() ([]byte, error) { return s.readMetadata(catalog.GatesFile, maxGates) }

// CarriesGates reports whether the catalog is a bundle that contains the gates. It also
// returns true for a bundle that cannot be read.
func (s *Source) CarriesGates() bool {
	if !s.IsBundle() {
		return false
	}
	own, err := s.bundle.Gates()
	return own != nil || err != nil
}

// checkGatesName returns an error if the folder contains a file whose name differs from
// gates.json only in case, or if the folder cannot be read.
func checkGatesName(folder string) error {
	all, err := os.ReadDir(folder)
	for _, file := range all {
		if name := file.Name(); name != catalog.GatesFile && strings.EqualFold(name, catalog.GatesFile) {
			return fmt.Errorf("%s: these gates are not evaluated: name the file %s", name, catalog.GatesFile)
		}
	}
	return err
}

// readMetadata returns the content of the metadata file called name, or nil if there is
// none. A file of more than limit bytes is an error.
func (s *Source) readMetadata(name string, limit int) ([]byte, error) {
	if text := s.folder.drafts[name]; text != nil {
		return text, nil
	}
	if s.mode().IsRegular() {
		carried, err := s.bundle.readMetadata(name, limit)
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
	// Opening a broken link fails with ErrNotExist, but the link itself exists.
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
		return nil, errors.New("it is not a regular file: put a file here")
	case errors.Is(err, files.ErrTooLarge):
		return nil, fmt.Errorf("it has more than %d bytes and was not read", limit)
	case err != nil:
		return nil, fmt.Errorf("it cannot be read (%w): it must be a readable file within the folder of the catalog", files.Cause(err))
	}
	return append([]byte{}, f.Data...), nil // not nil, even if the file is empty
}

// readMetadata returns the content of the file called name from the bundle, or nil if the
// bundle does not contain it.
func (b *Bundle) readMetadata(name string, limit int) ([]byte, error) {
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

// markHead sets head on the lines of a batch that precede the first entry. inHead says
// whether no entry precedes the batch. markHead reports whether no entry precedes the
// next batch either.
func markHead(batch []line, inHead bool) bool {
	for i := range batch {
		inHead = inHead && isHead(batch[i])
		batch[i].head = inHead
	}
	return inHead
}

// isHead reports whether a line may precede the entries of a bundle: it is blank or
// contains a metadata file.
func isHead(l line) bool {
	name, _ := carriedBy(l)
	return name != "" || l.blank()
}

// inParts lists the metadata files that a bundle contains as strings, possibly in several
// parts.
var inParts = []string{catalog.CriteriaFile, catalog.SumFile, catalog.NoteFile}

// carriedBy returns the name of the metadata file that a line contains in whole or in
// part, and the content as JSON. The name is empty if the line contains no such file.
// The content shares the memory of the line.
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

// write writes the bundle lines for b.
func (b Metadata) write(w io.Writer) error {
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

// maxPart is the maximum number of bytes of a file on one line. Even escaped, they fit
// in a line of maxLine bytes.
const maxPart = 512 << 10

// writeParts writes the bundle lines for the file called name. It writes none if content
// is nil.
func writeParts(w io.Writer, name string, content []byte) error {
	for content != nil {
		part := content[:min(maxPart, len(content))]
		if end := bytes.LastIndexByte(part, '\n') + 1; end > 0 { // so that no character is split
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
