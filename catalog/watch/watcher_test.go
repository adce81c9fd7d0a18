package watch_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"instruction-catalog/catalog/watch"
)

// watched is a folder that is watched until the test ends. Each scan records the names
// of its files.
type watched struct {
	t    *testing.T
	root string

	mu    sync.Mutex
	scans int
	names string
	err   error
}

func watchFolder(t *testing.T, root string) *watched {
	t.Helper()
	w := &watched{t: t, root: root}
	ctx, stop := context.WithCancel(t.Context())
	watcher := watch.New(root, w.scan, slog.New(slog.DiscardHandler))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		watcher.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		if watcher.Trouble() != "" {
			t.Error(watcher.Trouble())
		}
	})
	return w
}

func (w *watched) scan(context.Context, []string) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scans++
	var folders, names []string
	w.err = filepath.WalkDir(w.root, func(path string, d os.DirEntry, err error) error {
		switch name, _ := filepath.Rel(w.root, path); {
		case err != nil:
			return err
		case d.IsDir():
			folders = append(folders, filepath.ToSlash(name))
		default:
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	if w.err == nil {
		w.names = strings.Join(names, " ")
	}
	return folders, w.err
}

func (w *watched) state() (scans int, names string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.scans, w.names, w.err
}

// until waits until the given number of scans have run and the last one has found the
// names.
func (w *watched) until(atLeast int, want string) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		scans, names, err := w.state()
		if scans >= atLeast && names == want && err == nil {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("waited for %q, the %dth scan found %q (%v)", want, scans, names, err)
		}
	}
}

func (w *watched) write(name string) {
	w.t.Helper()
	path := filepath.Join(w.root, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(name), 0o600)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// New, renamed and removed folders are watched correctly.
func TestFoldersAreFollowed(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, t.TempDir())
	w.until(2, "")
	w.write("one/two/a")
	w.until(0, "one/two/a")
	w.write("one/two/b")
	w.until(0, "one/two/a one/two/b")
	w.must(os.Rename(filepath.Join(w.root, "one"), filepath.Join(w.root, "six")))
	w.until(0, "six/two/a six/two/b")
	w.write("six/two/c")
	w.until(0, "six/two/a six/two/b six/two/c")
	w.must(os.RemoveAll(filepath.Join(w.root, "six")))
	w.until(0, "")
	w.write("six/two/d")
	w.until(0, "six/two/d")
	w.write("six/two/e")
	w.until(0, "six/two/d six/two/e")
}

// A removed root is detected when it exists again. Changes next to it are ignored.
func TestRootThatReturns(t *testing.T) {
	t.Parallel()
	beside := t.TempDir()
	w := watchFolder(t, filepath.Join(beside, "root"))
	w.write("a")
	w.until(2, "a")
	scans, _, _ := w.state()
	w.must(os.WriteFile(filepath.Join(beside, "other"), nil, 0o600))
	time.Sleep(200 * time.Millisecond)
	if after, _, _ := w.state(); after > scans+1 { // the second scan may have been in progress
		t.Errorf("%d scans for a file beside the root", after-scans)
	}
	w.must(os.Rename(w.root, w.root+"2"))
	w.write("b")
	w.until(0, "b")
	w.write("c")
	w.until(0, "b c")
}

// A root may be a symbolic link, and its target may change later.
func TestLinkedRoot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"first", "second"} {
		if err := errors.Join(os.Mkdir(filepath.Join(dir, name), 0o755), os.WriteFile(filepath.Join(dir, name, name), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "first"), link); err != nil {
		t.Skip(err)
	}
	w := watchFolder(t, link+string(os.PathSeparator))
	w.until(2, "first")
	w.must(os.Symlink(filepath.Join(dir, "second"), link+"2"))
	w.must(os.Rename(link+"2", link))
	w.until(0, "second")
	w.write("third")
	w.until(0, "second third")
}
