package source

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"instruction-catalog/catalog/files"
)

// draft is a file as somebody edits it. Loads read it afresh, and take the text in
// place of what is on disk.
type draft struct {
	path string
	text []byte // nil for the text on disk
}

// WithDraft returns a source in which the file at path has the given text, whether or
// not it exists; nil stands for the text on disk. Its loads reuse what s has loaded of
// other files.
func (s *Source) WithDraft(p string, text []byte) *Source {
	return &Source{path: s.path, folder: s.folder.withDraft(&draft{p, text}), bundle: NewBundle(s.path), top: s.top}
}

func (f *Folder) withDraft(d *draft) *Folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &Folder{dir: f.dir, last: f.last, draft: d, include: f.include, untrusted: f.untrusted}
}

// ReadFile reads the file at a path within the folder of the catalog, or its draft. A
// symbolic link may lead to a file within the folder only.
func (s *Source) ReadFile(p string) ([]byte, error) {
	if d := s.folder.draft; d.has(p) {
		return d.text, nil
	}
	root, err := os.OpenRoot(s.Folder())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	target, err := files.Resolve(root, p)
	if err != nil {
		return nil, err
	}
	f, err := files.ReadIn(root, target, MaxFile)
	return f.Data, err
}

// has reports whether there is a text for a path.
func (d *draft) has(p string) bool { return d != nil && d.text != nil && d.path == p }

// isOf reports whether a candidate is the file that is edited, or a link to it.
func (d *draft) isOf(c candidate) bool { return d != nil && (c.path == d.path || c.target == d.path) }

// from returns the draft with the path from a folder above the catalog's.
func (d *draft) from(within string) *draft {
	if d == nil {
		return nil
	}
	return &draft{path.Join(within, d.path), d.text}
}

// addTo adds the file, or the folder that it lies in, to what a folder lists, if it is
// not on disk. The error of listing the folder is nil if the file makes it exist.
func (d *draft) addTo(dir string, listed []dirEntry, err error) ([]dirEntry, error) {
	if d == nil || d.text == nil {
		return listed, err
	}
	rest, below := d.path, dir == "."
	if !below {
		rest, below = strings.CutPrefix(d.path, dir+"/")
	}
	name, _, isFolder := strings.Cut(rest, "/")
	if !below || slices.ContainsFunc(listed, func(e dirEntry) bool { return e.name == name }) {
		return listed, err
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	e := dirEntry{name: name, path: path.Join(dir, name)}
	if isFolder {
		e.kind = fs.ModeDir
	}
	return append(listed, e), err
}

// fileReader reads the files of a root, and a draft in place of its file.
type fileReader struct {
	*files.Reader
	draft *draft
}

func newFileReader(root *os.Root, d *draft) *fileReader {
	return &fileReader{files.NewReader(root), d}
}

// Read is [files.Reader.Read].
func (r *fileReader) Read(name string, limit int) (files.File, error) {
	switch {
	case !r.draft.has(name):
		return r.Reader.Read(name, limit)
	case len(r.draft.text) > limit:
		return files.File{}, files.ErrTooLarge
	}
	return files.File{Data: bytes.Clone(r.draft.text), Modified: time.Now()}, nil
}
