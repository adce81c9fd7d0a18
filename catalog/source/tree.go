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

// Tree lists the files of the repository that a catalog lies in.
type Tree struct {
	// Catalog is the path of the catalog's folder in the repository; "." if they are the same.
	Catalog string
	// Files and Folders have slashes, and are those that git does not ignore.
	Files, Folders []string
	// Links maps each symbolic link to the path that it leads to, "" if that is outside.
	Links map[string]string
	// Skipped are folders that were not looked into, such as .git.
	Skipped []string

	root    string
	mu      sync.Mutex // guards walker
	walker  walker
	regular map[string]bool
}

// maxTree is how many files a repository may have to be listed: about ten times those of
// the Linux kernel.
const maxTree = 1_000_000

var errTreeTooLarge = errors.New("the repository has too many files")

// Tree lists the repository around the catalog's folder: from the next folder upward that
// has .git, else from that folder itself.
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

// targetOf returns what a symbolic link says, from the root, "" if it leads out.
func targetOf(root *os.Root, link string) string {
	written, err := root.Readlink(link)
	written = filepath.ToSlash(written)
	target := path.Join(path.Dir(link), written)
	if err != nil || path.IsAbs(written) || !filepath.IsLocal(filepath.FromSlash(target)) {
		return ""
	}
	return target
}

// Ignores reports whether git ignores a path in the repository, whether or not there is
// a file.
func (t *Tree) Ignores(p string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.walker.ignores(p)
}

// Text returns the text of one of the Files. It is not ok if the file cannot be read,
// is too large or is not text.
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
