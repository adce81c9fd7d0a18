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

// MaxFile is how large a file of the catalog may be, in bytes.
const MaxFile = 4 << 20

var (
	errNotRegular = errors.New("this is no regular file and was not opened: put a file here, or begin the name with '_' to leave it out")
	errTooLarge   = fmt.Errorf("the file is larger than %d MiB and was not read: split it up", MaxFile>>20)
)

// fileResult is what came of a file of a folder.
type fileResult struct {
	candidate // with the identity that it had when it was read
	format.Outcome
	exhausted error // as that of a walker
}

// readAndInterpret makes an entry of a file, or says why there is none.
func readAndInterpret(from *fileReader, c candidate) fileResult {
	f, err := readFile(from, cmp.Or(c.target, c.path))
	r := fileResult{candidate: c}
	r.identity = f.Identity
	switch {
	case errors.Is(err, fs.ErrNotExist): // it was there a moment ago
	case files.Exhausted(err):
		r.exhausted = err
	case err != nil:
		r.Diagnostics = []catalog.Diagnostic{{Path: c.path, Severity: catalog.SeverityError, Message: err.Error(), Rule: FileUnreadable}}
	default:
		r.Outcome = format.Decode(format.File{Path: c.path, Modified: f.Modified, Data: f.Data, Place: c.place, Persona: c.persona})
	}
	return r
}

// readFile reads the file of that path. Its errors are fit for a diagnostic, unless
// nothing more could be opened. Its data is valid until the next file is read.
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
		return files.File{}, fmt.Errorf("the file cannot be read (%w): mend that, or begin its name with '_' to leave it out", files.Cause(err))
	}
	return f, nil
}

// bodyOf returns the one body that the file of that path holds, or the file that a
// symbolic link there leads to. The error is that of a walker that is exhausted.
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
