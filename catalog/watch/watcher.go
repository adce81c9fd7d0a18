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
	// quiet is how long nothing must happen before the next look. Who changes many
	// files, as git does, may pause for longer. Longest is how long it waits at most.
	quiet       = 40 * time.Millisecond
	many        = 20
	quietOfMany = 250 * time.Millisecond
	longest     = 2 * time.Second
	// rarely is the time between looks where watching works.
	rarely = 10 * time.Minute
	// often is the shortest time between looks where it does not; a look may take
	// one part in share of all time.
	often = 2 * time.Second
	share = 20
)

// Look looks where something may have changed since the last look: at these paths
// relative to the root, with slashes, or everywhere, for nil. It returns the folders in which
// something may happen that matters, relative to the root and with slashes; "." is
// the root. Where the root is a file there are none. An error says that the root
// cannot be looked at now.
type Look func(ctx context.Context, changed []string) (folders []string, err error)

// Watcher has somebody look again when something may have changed.
type Watcher struct {
	root    string // absolute
	real    string // where it leads to, if it is a symbolic link
	look    Look
	log     *slog.Logger
	events  *fsnotify.Watcher // nil where nothing is watched
	tried   time.Time         // when watching last failed
	trouble atomic.Pointer[string]
	pending atomic.Bool
}

// New returns a watcher of a folder or a file. It watches nothing yet.
func New(root string, look Look, log *slog.Logger) *Watcher {
	if absolute, err := filepath.Abs(root); err == nil {
		root = absolute
	}
	return &Watcher{root: root, look: look, log: log}
}

// Trouble says why nothing is watched, "" where it is. It may be called by any
// goroutine.
func (w *Watcher) Trouble() string {
	if trouble := w.trouble.Load(); trouble != nil {
		return *trouble
	}
	return ""
}

// Pending reports whether something may have changed that no look has begun to see.
// It may be called by any goroutine.
func (w *Watcher) Pending() bool { return w.pending.Load() }

// Run looks at once, and again whenever something may have changed, until ctx
// ends. It never looks twice at the same time.
func (w *Watcher) Run(ctx context.Context) {
	defer w.unwatch()
	var changed []string
	for ctx.Err() == nil {
		start := time.Now()
		w.pending.Store(false)
		folders, err := w.look(ctx, changed)
		took := time.Since(start)
		switch added := err == nil && w.follow(folders); {
		case added: // something may have happened there before they were watched
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

// wait returns when it is time to look again: when something has happened, where,
// and it is quiet again, or after some time, with nil for everywhere.
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

// changes are the paths at which something has happened. The zero value has none.
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

// all returns the paths, nil for everywhere: also where nothing has happened, which
// is when time has passed.
func (c *changes) all() []string {
	if c.everywhere {
		return nil
	}
	return slices.Collect(maps.Keys(c.paths))
}

// matters reports whether an event is about what is watched: in the folder that the
// root lies in, only the root is.
func (w *Watcher) matters(event fsnotify.Event) bool {
	beside := filepath.Dir(w.root)
	return event.Name == w.root || filepath.Dir(event.Name) != beside || beside == w.root
}
