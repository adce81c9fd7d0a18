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
	// quiet is the debounce time: the watcher waits until no event has arrived for this
	// long. After more than many changed paths it waits for quietOfMany instead, because
	// a program that changes many files, such as git, may pause for longer. longest is
	// the maximum time to debounce.
	quiet       = 40 * time.Millisecond
	many        = 20
	quietOfMany = 250 * time.Millisecond
	longest     = 2 * time.Second
	// rarely is the interval between looks while watching works.
	rarely = 10 * time.Minute
	// often is the minimum interval between looks while watching does not work. The
	// pause after a look is at least share times as long as the look.
	often = 2 * time.Second
	share = 20
)

// Look scans for changes since its last call. changed has the paths that may have
// changed, relative to the root and with slashes; nil means that any path may have. Look
// returns the folders in which changes matter, in the same form; "." is the root. If the
// root is a file, it returns no folders. An error means that the root cannot be scanned
// now.
type Look func(ctx context.Context, changed []string) (folders []string, err error)

// Watcher calls a [Look] function again when something may have changed.
type Watcher struct {
	root    string // absolute
	real    string // root without symbolic links
	look    Look
	log     *slog.Logger
	events  *fsnotify.Watcher // nil if nothing is watched
	tried   time.Time         // time of the last failure to watch
	trouble atomic.Pointer[string]
	pending atomic.Bool
}

// New returns a watcher for a folder or a file. It does not start watching; see
// [Watcher.Run].
func New(root string, look Look, log *slog.Logger) *Watcher {
	if absolute, err := filepath.Abs(root); err == nil {
		root = absolute
	}
	return &Watcher{root: root, look: look, log: log}
}

// Trouble returns the reason why nothing is watched, or "" if watching works. It is safe
// for concurrent use.
func (w *Watcher) Trouble() string {
	if trouble := w.trouble.Load(); trouble != nil {
		return *trouble
	}
	return ""
}

// Pending reports whether something may have changed since the last look began. It is
// safe for concurrent use.
func (w *Watcher) Pending() bool { return w.pending.Load() }

// Run calls look immediately, and again whenever something may have changed, until ctx
// is done. Calls do not overlap.
func (w *Watcher) Run(ctx context.Context) {
	defer w.unwatch()
	var changed []string
	for ctx.Err() == nil {
		start := time.Now()
		w.pending.Store(false)
		folders, err := w.look(ctx, changed)
		took := time.Since(start)
		switch added := err == nil && w.follow(folders); {
		case added: // changes there before the watch was added have no event
			w.wait(ctx, quiet)
			changed = nil
		case err != nil || w.events == nil:
			w.wait(ctx, max(often, share*took))
			changed = nil
		default:
			changed = w.wait(ctx, rarely)
		}
	}
}

// wait returns when the next look is due: after events have arrived and been debounced,
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
		pause := quiet
		if len(changed.paths) > many {
			pause = quietOfMany
		}
		timer.Reset(min(pause, time.Until(first.Add(longest))))
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
