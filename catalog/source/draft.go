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

// drafts are files as somebody edits them, by path from the top of the walk. Loads read
// them afresh, and take the text in place of what is on disk; nil stands for that.
type drafts map[string][]byte

// WithDraft returns a source in which the file at path has the given text, whether or
// not it exists; nil stands for the text on disk. Its loads reuse what s has loaded of
// other files.
func (s *Source) WithDraft(p string, text []byte) *Source {
	return s.WithDrafts(map[string][]byte{p: text})
}

// WithDrafts is [Source.WithDraft] for several files.
func (s *Source) WithDrafts(texts map[string][]byte) *Source {
	return &Source{path: s.path, folder: s.folder.withDrafts(texts), bundle: NewBundle(s.path), top: s.top}
}

func (f *Folder) withDrafts(d drafts) *Folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &Folder{dir: f.dir, last: f.last, drafts: d, include: f.include, untrusted: f.untrusted}
}

// ReadFile reads the file at a path within the folder of the catalog, or its draft. A
// symbolic link may lead to a file within the folder only.
func (s *Source) ReadFile(p string) ([]byte, error) {
	if text := s.folder.drafts[p]; text != nil {
		return text, nil
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

// has reports whether a candidate is a file that is edited, or a link to one.
func (d drafts) has(c candidate) bool {
	_, edited := d[c.path]
	_, linked := d[c.target]
	return edited || linked
}

// from returns the drafts with their paths from a folder above the catalog's.
func (d drafts) from(within string) drafts {
	moved := drafts{}
	for p, text := range d {
		moved[path.Join(within, p)] = text
	}
	return moved
}

// addTo adds files, or the folders that they lie in, to what a folder lists, if they are
// not on disk. The error of listing the folder is nil if a file makes it exist.
func (d drafts) addTo(dir string, listed []dirEntry, err error) ([]dirEntry, error) {
	for p, text := range d {
		rest, below := p, dir == "."
		if !below {
			rest, below = strings.CutPrefix(p, dir+"/")
		}
		name, _, isFolder := strings.Cut(rest, "/")
		if text == nil || !below || slices.ContainsFunc(listed, func(e dirEntry) bool { return e.name == name }) {
			continue
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		e := dirEntry{name: name, path: path.Join(dir, name)}
		if isFolder {
			e.kind = fs.ModeDir
		}
		listed = append(listed, e)
	}
	return listed, err
}

// fileReader reads the files of a root, and drafts in place of theirs.
type fileReader struct {
	*files.Reader
	drafts drafts
}

func newFileReader(root *os.Root, d drafts) *fileReader {
	return &fileReader{files.NewReader(root), d}
}

// Read is [files.Reader.Read].
func (r *fileReader) Read(name string, limit int) (files.File, error) {
	switch text := r.drafts[name]; {
	case text == nil:
		return r.Reader.Read(name, limit)
	case len(text) > limit:
		return files.File{}, files.ErrTooLarge
	default:
		return files.File{Data: bytes.Clone(text), Modified: time.Now()}, nil
	}
}
