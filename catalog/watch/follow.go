package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// follow watches these folders and the one that the root lies in, and no others. It
// reports whether there are some that it did not watch before.
func (w *Watcher) follow(folders []string) (added bool) {
	if w.events == nil && time.Since(w.tried) < rarely {
		return false
	}
	added, err := w.watch(w.paths(folders))
	if err != nil {
		w.fail(err)
		return false
	}
	w.trouble.Store(nil)
	return added
}

// paths are the folders to watch. The root may be a symbolic link: then a change of
// the link matters, and what happens where it leads to.
func (w *Watcher) paths(folders []string) []string {
	paths := []string{filepath.Dir(w.root)}
	real, err := filepath.EvalSymlinks(w.root)
	if err != nil {
		return paths
	}
	w.real = real
	if len(folders) == 0 && real != w.root {
		paths = append(paths, filepath.Dir(real))
	}
	for _, folder := range folders {
		paths = append(paths, filepath.Join(real, filepath.FromSlash(folder)))
	}
	return paths
}

// watch adds and removes watches. One folder that cannot be watched is as bad as
// all of them.
func (w *Watcher) watch(paths []string) (added bool, err error) {
	if isNetwork(w.root) {
		return false, errors.New("it is on a network drive, where what other machines do is not seen")
	}
	if w.events == nil {
		if w.events, err = fsnotify.NewWatcher(); err != nil {
			return false, err
		}
	}
	before := map[string]bool{}
	for _, path := range w.events.WatchList() {
		before[path] = true
	}
	for _, path := range paths {
		if before[path] {
			delete(before, path)
			continue
		}
		beside := path == filepath.Dir(w.root)
		switch err := w.events.Add(path); {
		case errors.Is(err, fs.ErrNotExist): // gone since, which its folder tells
		case errors.Is(err, fs.ErrPermission) && beside: // that the root is gone, it tells itself
		case err != nil:
			return false, err
		default:
			added = true
		}
	}
	for path := range before {
		_ = w.events.Remove(path) // it may be gone
	}
	return added, nil
}

// fail gives up watching for a while, and frees what it took.
func (w *Watcher) fail(err error) {
	w.unwatch()
	w.tried = time.Now()
	trouble := fmt.Sprintf("files are not watched (%v): they are looked at every %v or less often", err, often)
	if before := w.trouble.Swap(&trouble); before == nil || *before != trouble {
		w.log.Warn(trouble, "root", w.root)
	}
}

func (w *Watcher) unwatch() {
	if w.events != nil {
		_ = w.events.Close() // nothing is lost with it
		w.events = nil
	}
}
