package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// follow watches the given folders and the one that contains the root, and no others. It
// reports whether it added a watch. After a failure it waits for rescanInterval before it
// tries again.
func (w *Watcher) follow(folders []string) (added bool) {
	if w.events == nil && time.Since(w.tried) < rescanInterval {
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

// paths returns the folders to watch. If the root is a symbolic link, they include both
// the folder that contains the link and the folders at its target.
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

// watch adds and removes watches, so that exactly the given paths are watched, and
// reports whether it added one. If one folder cannot be watched, it returns an error.
func (w *Watcher) watch(paths []string) (added bool, err error) {
	if isNetwork(w.root) {
		return false, errors.New("it is on a network drive, which does not report changes by other machines")
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
		case errors.Is(err, fs.ErrNotExist): // removed since; its parent folder reports an event
		case errors.Is(err, fs.ErrPermission) && beside: // not needed: the root itself has an event when it is removed
		case err != nil:
			return false, err
		default:
			added = true
		}
	}
	for path := range before {
		_ = w.events.Remove(path) // fails if the folder was removed
	}
	return added, nil
}

// fail stops watching, closes the watcher and logs the error, unless the previous
// failure was the same.
func (w *Watcher) fail(err error) {
	w.unwatch()
	w.tried = time.Now()
	trouble := fmt.Sprintf("files are not watched (%v): they are scanned every %v or less often", err, pollInterval)
	if before := w.trouble.Swap(&trouble); before == nil || *before != trouble {
		w.log.Warn(trouble, "root", w.root)
	}
}

func (w *Watcher) unwatch() {
	if w.events != nil {
		_ = w.events.Close() // an error loses nothing
		w.events = nil
	}
}
