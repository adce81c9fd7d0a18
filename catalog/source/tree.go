package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"instruction-catalog/catalog/config"
)

// Tree lists the files of the repository that contains a catalog.
type Tree struct {
	// Catalog is the path of the catalog's folder in the repository, or "." if they are
	// the same.
	Catalog string
	// Files and Folders are the paths that git does not ignore, with slashes.
	Files, Folders []string
	// Links maps each symbolic link to the path of its target, or to "" if that is
	// outside the repository.
	Links map[string]string
	// Skipped lists the paths that were not examined, such as .git and those that git
	// ignores.
	Skipped []string

	root    string
	mu      sync.Mutex // guards walker
	walker  walker
	regular map[string]bool
}

// maxTree is the maximum number of files to list in a repository. It is about ten times
// the number of files of the Linux kernel.
const maxTree = 1_000_000

var errTreeTooLarge = errors.New("the repository has too many files")

// Tree lists the repository that contains the catalog's folder: the nearest folder, at
// that folder or above it, that contains .git. If there is none, it lists the catalog's
// folder.
func (s *Source) Tree(ctx context.Context) (*Tree, error) {
	folder, err := filepath.Abs(s.Folder())
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		return nil, err
	}
	t := &Tree{root: config.Top(folder), Links: map[string]string{}, regular: map[string]bool{}}
	within, err := filepath.Rel(t.root, folder)
	if err != nil {
		return nil, err
	}
	t.Catalog = filepath.ToSlash(within)
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	t.walker = walker{root: root, drafts: s.folder.drafts.from(t.Catalog), wholeTree: true, tracked: trackedIn(t.root)}
	if err := t.walker.walk(ctx, folderListing{path: "."}); err != nil {
		return nil, err
	}
	t.Folders, t.Skipped = t.walker.folders, t.walker.skipped
	for _, m := range t.walker.candidates {
		switch {
		case m.kind.IsRegular():
			t.Files = append(t.Files, m.path)
			t.regular[m.path] = true
		case m.kind&fs.ModeSymlink != 0:
			t.Links[m.path] = targetOf(root, m.path)
		}
	}
	return t, nil
}

// targetOf returns the target of a symbolic link, relative to the root. It returns "" if
// the target is absolute or outside the root.
func targetOf(root *os.Root, link string) string {
	written, err := root.Readlink(link)
	written = filepath.ToSlash(written)
	target := path.Join(path.Dir(link), written)
	if err != nil || path.IsAbs(written) || !filepath.IsLocal(filepath.FromSlash(target)) {
		return ""
	}
	return target
}

// Ignores reports whether git ignores a path in the repository. The file need not exist.
func (t *Tree) Ignores(p string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.walker.ignores(p)
}

// Text returns the text of the file at p, which must be one of Files. ok is false if the
// file cannot be read, is too large or is not text.
func (t *Tree) Text(p string) (text string, ok bool) {
	root, err := os.OpenRoot(t.root)
	if err != nil || !t.regular[p] {
		return "", false
	}
	defer root.Close()
	r := newFileReader(root, t.walker.drafts)
	defer r.Close()
	f, err := r.Read(p, MaxFile)
	return string(f.Data), err == nil && !strings.Contains(string(f.Data), "\x00")
}
