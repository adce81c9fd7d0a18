package watch

import (
	"context"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// debounce is the debounce interval: the watcher waits until no event has arrived for
	// this long. If more than many paths have changed, it waits for debounceMany instead,
	// because a program that changes many files, such as git, may pause for longer.
	// maxDebounce is the maximum time to debounce.
	debounce     = 40 * time.Millisecond
	many         = 20
	debounceMany = 250 * time.Millisecond
	maxDebounce  = 2 * time.Second
	// rescanInterval is the interval between scans while watching works.
	rescanInterval = 10 * time.Minute
	// pollInterval is the minimum interval between scans while watching does not work. The
	// pause after a scan is at least share times as long as the scan.
	pollInterval = 2 * time.Second
	share        = 20
)

// Scan looks for changes since its last call. changed has the paths that may have
// changed, relative to the root and with slashes; nil means that any path may have. Scan
// returns the folders in which changes matter, in the same form; "." is the root. If the
// root is a file, it returns no folders. An error means that the root cannot be scanned
// now.
type Scan func(ctx context.Context, changed []string) (folders []string, err error)

// Watcher calls a [Scan] function again when something may have changed.
type Watcher struct {
	root    string // absolute
	real    string // root without symbolic links
	scan    Scan
	log     *slog.Logger
	events  *fsnotify.Watcher // nil if nothing is watched
	tried   time.Time         // time of the last failure to watch
	trouble atomic.Pointer[string]
	pending atomic.Bool
}

// New returns a watcher for a folder or a file. It does not start watching; see
// [Watcher.Run].
func New(root string, scan Scan, log *slog.Logger) *Watcher {
	if absolute, err := filepath.Abs(root); err == nil {
		root = absolute
	}
	return &Watcher{root: root, scan: scan, log: log}
}

// Trouble returns the reason why nothing is watched, or "" if watching works. It is safe
// for concurrent use.
func (w *Watcher) Trouble() string {
	if trouble := w.trouble.Load(); trouble != nil {
		return *trouble
	}
	return ""
}

// Pending reports whether something may have changed since the last scan began. It is
// safe for concurrent use.
func (w *Watcher) Pending() bool { return w.pending.Load() }

// Run calls scan immediately, and again whenever something may have changed, until ctx
// is done. Calls do not overlap.
func (w *Watcher) Run(ctx context.Context) {
	defer w.unwatch()
	var changed []string
	for ctx.Err() == nil {
		start := time.Now()
		w.pending.Store(false)
		folders, err := w.scan(ctx, changed)
		took := time.Since(start)
		switch added := err == nil && w.follow(folders); {
		case added: // changes before the watch was added caused no event
			w.wait(ctx, debounce)
			changed = nil
		case err != nil || w.events == nil:
			w.wait(ctx, max(pollInterval, share*took))
			changed = nil
		default:
			changed = w.wait(ctx, rescanInterval)
		}
	}
}

// wait returns when the next scan is due: after events have arrived and been debounced,
// or after most has passed without an event. It returns the changed paths, or nil if any
// path may have changed.
func (w *Watcher) wait(ctx context.Context, most time.Duration) []string {
	timer := time.NewTimer(most)
	defer timer.Stop()
	var events chan fsnotify.Event
	var lost chan error
	if w.events != nil {
		events, lost = w.events.Events, w.events.Errors
	}
	var first time.Time
	var changed changes
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return changed.all()
		case event := <-events:
			if !w.matters(event) {
				continue
			}
			changed.add(w.real, event.Name)
		case <-lost:
			changed.everywhere = true
		}
		if first.IsZero() {
			w.pending.Store(true)
			first = time.Now()
		}
		pause := debounce
		if len(changed.paths) > many {
			pause = debounceMany
		}
		timer.Reset(min(pause, time.Until(first.Add(maxDebounce))))
	}
}

// changes collects the paths that have changed. The zero value has none.
type changes struct {
	paths      map[string]bool
	everywhere bool
}

func (c *changes) add(root, path string) {
	relative, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(relative) || relative == "." {
		c.everywhere = true
		return
	}
	if c.paths == nil {
		c.paths = map[string]bool{}
	}
	c.paths[filepath.ToSlash(relative)] = true
}

// all returns the changed paths, or nil if any path may have changed. It also returns
// nil if there were no events.
func (c *changes) all() []string {
	if c.everywhere {
		return nil
	}
	return slices.Collect(maps.Keys(c.paths))
}

// matters reports whether an event concerns a watched path. In the folder that contains
// the root, only the root itself does.
func (w *Watcher) matters(event fsnotify.Event) bool {
	beside := filepath.Dir(w.root)
	return event.Name == w.root || filepath.Dir(event.Name) != beside || beside == w.root
}
