package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
)

// MaxFile is the maximum size of a file of the catalog, in bytes.
const MaxFile = 4 << 20

var (
	errNotRegular = errors.New("this is not a regular file and was not opened: put a file here, or begin the name with '_' to leave it out")
	errTooLarge   = fmt.Errorf("the file is larger than %d MiB and was not read: split it up", MaxFile>>20)
)

// fileResult is the result of reading a file of a folder.
type fileResult struct {
	candidate // with the identity at the time of reading
	format.Outcome
	exhausted error // set if no more files can be opened
}

// readAndInterpret reads a file and decodes it into an entry, or into diagnostics if it
// is not one. A file that has been removed yields neither.
func readAndInterpret(from *fileReader, c candidate) fileResult {
	f, err := readFile(from, cmp.Or(c.target, c.path))
	r := fileResult{candidate: c}
	r.identity = f.Identity
	switch {
	case errors.Is(err, fs.ErrNotExist): // removed since it was listed
	case files.Exhausted(err):
		r.exhausted = err
	case err != nil:
		r.Diagnostics = []catalog.Diagnostic{{Path: c.path, Severity: catalog.SeverityError, Message: err.Error(), Rule: FileUnreadable}}
	default:
		r.Outcome = format.Decode(format.File{Path: c.path, Modified: f.Modified, Data: f.Data, Place: c.place, Persona: c.persona})
		if r.Entry != nil {
			r.Entry.Origin.Target = c.target
		}
	}
	return r
}

// readFile reads the file at a path. The text of its errors is suitable for a
// diagnostic, except for an error for which [files.Exhausted] is true. The data is
// valid until the next file is read.
func readFile(from *fileReader, path string) (files.File, error) {
	f, err := from.Read(path, MaxFile)
	switch {
	case errors.Is(err, files.ErrNotRegular):
		return files.File{}, errNotRegular
	case errors.Is(err, files.ErrTooLarge):
		return files.File{}, errTooLarge
	case files.Exhausted(err):
		return files.File{}, err
	case err != nil:
		return files.File{}, fmt.Errorf("the file cannot be read (%w): fix that, or begin its name with '_' to leave it out", files.Cause(err))
	}
	return f, nil
}

// bodyOf returns the body of the file at a path, which may be a symbolic link. ok is
// false if the file cannot be read or does not contain exactly one body. The error means
// that no more files can be opened.
func (w *walker) bodyOf(from *fileReader, path string) (body string, ok bool, exhausted error) {
	f, err := readFile(from, path)
	if errors.Is(err, files.ErrLink) {
		var target string
		if target, err = w.follow(path); err == nil {
			f, err = readFile(from, target)
		}
	}
	if w.exhausted != nil || files.Exhausted(err) {
		return "", false, cmp.Or(w.exhausted, err)
	}
	if err != nil {
		return "", false, nil
	}
	body, ok = format.Body(path, f.Data)
	return body, ok, nil
}
