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

// drafts maps paths of files that are being edited, relative to the top of the walk, to
// their texts. Loads read these files again and use the given text instead of the one on
// disk. If the text is nil, they read the file on disk.
type drafts map[string][]byte

// WithDraft returns a source in which the file at path p has the given text, whether or
// not the file exists. If text is nil, the source reads the file on disk. Its loads
// reuse what s has loaded from other files.
func (s *Source) WithDraft(p string, text []byte) *Source {
	return s.WithDrafts(map[string][]byte{p: text})
}

// WithDrafts is like [Source.WithDraft] for several files.
func (s *Source) WithDrafts(texts map[string][]byte) *Source {
	return &Source{path: s.path, folder: s.folder.withDrafts(texts), bundle: NewBundle(s.path), top: s.top}
}

func (f *Folder) withDrafts(d drafts) *Folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &Folder{dir: f.dir, last: f.last, drafts: d, include: f.include, untrusted: f.untrusted}
}

// ReadFile reads the file at a path within the catalog's folder, or returns its draft. A
// symbolic link is followed only within the folder.
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

// has reports whether a candidate is a draft, or a symbolic link to one.
func (d drafts) has(c candidate) bool {
	_, edited := d[c.path]
	_, linked := d[c.target]
	return edited || linked
}

// from returns the drafts with paths relative to the top of the repository. within is
// the path of the catalog's folder there.
func (d drafts) from(within string) drafts {
	moved := drafts{}
	for p, text := range d {
		moved[path.Join(within, p)] = text
	}
	return moved
}

// addTo adds the drafts that are not on disk to the listing of dir, or the folders that
// contain them. err is the error of listing dir. If it is ErrNotExist and a draft is
// below dir, addTo returns nil instead.
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

// fileReader reads the files of a root. It returns the draft of a file if there is one.
type fileReader struct {
	*files.Reader
	drafts drafts
}

func newFileReader(root *os.Root, d drafts) *fileReader {
	return &fileReader{files.NewReader(root), d}
}

// Read is like [files.Reader.Read], but returns drafts.
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
