package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/source/agentfile"
)

// MaxFile is how large a file of the catalog may be, in bytes.
const MaxFile = 4 << 20

var (
	errNotRegular = errors.New("this is no regular file and was not opened: put a file here, or begin the name with '_' to leave it out")
	errTooLarge   = fmt.Errorf("the file is larger than %d MiB and was not read: split it up", MaxFile>>20)
)

// file is an instruction file as it was found, or a line of a bundle.
type file struct {
	path     string // within the catalog, with slashes; of a bundle its name
	line     int    // in the bundle, from 1; 0 for a file of its own
	modified time.Time
	identity files.Identity
	data     []byte

	place            *agentfile.Place // as in found
	mayBe, orNothing bool             // as in found
}

// reading is what came of one file.
type reading struct {
	at  found   // with the identity that the file had when it was read
	key lineKey // of a line of a bundle

	entry       *catalog.Entry // nil if there is none
	diagnostics []catalog.Diagnostic
	unread      because // why the file is none to be read; zero if it is
	exhausted   error   // as that of a walker
}

// readAndInterpret makes an entry of the file of that path, or says why there is
// none.
func readAndInterpret(from *files.Reader, at found) reading {
	f, err := readFile(from, cmp.Or(at.target, at.path))
	f.path, at.identity = at.path, f.identity
	switch {
	case errors.Is(err, fs.ErrNotExist): // it was there a moment ago
		return reading{at: at}
	case files.Exhausted(err):
		return reading{at: at, exhausted: err}
	case err != nil:
		return reading{at: at, diagnostics: []catalog.Diagnostic{{
			Path: at.path, Severity: catalog.SeverityError, Message: err.Error(),
		}}}
	}
	f.place, f.mayBe, f.orNothing = at.place, at.mayBe, at.orNothing
	r := interpret(f)
	r.at = at
	return r
}

// MayBeEntry reports whether a file of that path can be an entry, by its name.
func MayBeEntry(path string) bool { return formOf(path) != noForm }

// Interpret returns the entry that a file of that path would be if it held these data,
// nil for none. No agent's file is told from others.
func Interpret(path string, data []byte) *catalog.Entry {
	return interpret(file{path: path, data: data}).entry
}

// interpret makes an entry of a file, or says why there is none.
func interpret(f file) reading {
	doc, problem := parse(f)
	if problem != nil {
		return reading{diagnostics: []catalog.Diagnostic{*problem}}
	}
	if f.mayBe {
		place, ok := agentfile.Plugin(f.path, doc.frontMatter())
		switch {
		case ok:
			doc.place = &place
		case f.orNothing:
			return reading{unread: noPersona}
		}
	}
	if doc.place == nil && doc.form == markdownForm {
		doc.adoptNames()
	}
	entry, diagnostics := normalise(doc)
	return reading{entry: entry, diagnostics: diagnostics}
}

// readFile reads the file of that path. Its errors are fit for a diagnostic, unless
// nothing more could be opened. Its data is valid until the next file is read.
func readFile(from *files.Reader, path string) (file, error) {
	f, err := from.Read(path, MaxFile)
	switch {
	case errors.Is(err, files.ErrNotRegular):
		return file{}, errNotRegular
	case errors.Is(err, files.ErrTooLarge):
		return file{}, errTooLarge
	case files.Exhausted(err):
		return file{}, err
	case err != nil:
		return file{}, fmt.Errorf("the file cannot be read (%w): mend that, or begin its name with '_' to leave it out", files.Cause(err))
	}
	return file{path: path, modified: f.Modified, identity: f.Identity, data: f.Data}, nil
}

// bodyOf returns the one body that the file of that path holds, or the file that a
// symbolic link there leads to. The error is that of a walker that is exhausted.
func (w *walker) bodyOf(from *files.Reader, path string) (body string, ok bool, exhausted error) {
	f, err := readFile(from, path)
	if errors.Is(err, files.ErrLink) {
		var target string
		if target, err = w.follow(path); err == nil {
			f, err = readFile(from, target)
			f.path = path
		}
	}
	if w.exhausted != nil || files.Exhausted(err) {
		return "", false, cmp.Or(w.exhausted, err)
	}
	if err != nil {
		return "", false, nil
	}
	doc, problem := parse(f)
	if problem != nil {
		return "", false, nil
	}
	body, ok = doc.body()
	return body, ok, nil
}
