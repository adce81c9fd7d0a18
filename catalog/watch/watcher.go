package watch

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// quiet is how long nothing must happen before the next look, and longest how
	// long it waits for that at most.
	quiet   = 40 * time.Millisecond
	longest = time.Second
	// rarely is the time between looks where watching works.
	rarely = 10 * time.Minute
	// often is the shortest time between looks where it does not; a look may take
	// one part in share of all time.
	often = 2 * time.Second
	share = 20
)

// Look looks at everything that is watched, and returns the folders in which
// something may happen that matters, relative to the root and with slashes; "." is
// the root. Where the root is a file there are none. An error says that the root
// cannot be looked at now.
type Look func(context.Context) (folders []string, err error)

// Watcher has somebody look again when something may have changed.
type Watcher struct {
	root    string // absolute
	look    Look
	log     *slog.Logger
	events  *fsnotify.Watcher // nil where nothing is watched
	tried   time.Time         // when watching last failed
	trouble atomic.Pointer[string]
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

// Run looks at once, and again whenever something may have changed, until ctx
// ends. It never looks twice at the same time.
func (w *Watcher) Run(ctx context.Context) {
	defer w.unwatch()
	for ctx.Err() == nil {
		start := time.Now()
		folders, err := w.look(ctx)
		took := time.Since(start)
		switch added := err == nil && w.follow(folders); {
		case added: // something may have happened there before they were watched
			w.wait(ctx, quiet)
		case err != nil || w.events == nil:
			w.wait(ctx, max(often, share*took))
		default:
			w.wait(ctx, rarely)
		}
	}
}

// wait returns when it is time to look again: when something has happened and it is
// quiet again, or after some time.
func (w *Watcher) wait(ctx context.Context, most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	var events chan fsnotify.Event
	var errors chan error
	if w.events != nil {
		events, errors = w.events.Events, w.events.Errors
	}
	var first time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
			return
		case event := <-events:
			if !w.matters(event) {
				continue
			}
		case <-errors: // events were lost
		}
		if first.IsZero() {
			first = time.Now()
		}
		timer.Reset(min(quiet, time.Until(first.Add(longest))))
	}
}

// matters reports whether an event is about what is watched: in the folder that the
// root lies in, only the root is.
func (w *Watcher) matters(event fsnotify.Event) bool {
	beside := filepath.Dir(w.root)
	return event.Name == w.root || filepath.Dir(event.Name) != beside || beside == w.root
}
