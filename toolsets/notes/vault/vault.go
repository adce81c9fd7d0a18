package vault

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/watch"
	"instruction-catalog/toolsets/notes"
)

// maxFile is how large the file of a note may be.
const maxFile = 64 << 20

// fresh is how old a look at the folder may be for an answer.
const fresh = 300 * time.Millisecond

// Vault is a folder of notes. It may be used by any number of goroutines.
type Vault struct {
	dir     string
	log     *slog.Logger
	watcher *watch.Watcher
	watch   func() // starts the watcher, once
	stop    context.CancelFunc

	looking chan struct{} // holds one element during a look, which guards what only looks know
	known   map[notes.ID]known
	unread  []Unread

	mu      sync.Mutex // held for a moment
	last    look
	changes int // how often Expire was called
	steady  int // looks in a row that the watcher had, all without an error
}

// look is what came of a look at the folder.
type look struct {
	at       time.Time       // when it began
	changes  int             // of the vault, when it began
	snapshot *notes.Snapshot // nil before the first one
}

// known is a note as it was when its file was read.
type known struct {
	file files.Identity
	note *notes.Note
}

// Foreign returns the path of what has the name .catalog in the vault, "" if nothing
// does. Nothing here reads it: an older version kept plans of changes there, and it
// may have come with the folder.
func (v *Vault) Foreign() string {
	name := filepath.Join(v.dir, ".catalog")
	if _, err := os.Lstat(name); err != nil {
		return ""
	}
	return name
}

// Unread is a file or a folder that could not be read. The notes in it are missing.
type Unread struct {
	Path   string // within the vault
	Reason string
}

// New returns the vault in a folder, which is not looked at yet. What cannot be
// read is told to log. Close it after use.
func New(dir string, log *slog.Logger) *Vault {
	ctx, stop := context.WithCancel(context.Background())
	v := &Vault{dir: dir, log: log, stop: stop, looking: make(chan struct{}, 1)}
	v.watcher = watch.New(dir, v.lookAgain, log)
	v.watch = sync.OnceFunc(func() { go v.watcher.Run(ctx) })
	return v
}

// Close ends the watching of the folder.
func (v *Vault) Close() error {
	v.stop()
	return nil
}

// Snapshot returns the notes as they were a moment ago, at most. Where the folder
// can be watched, that is as they are known; else it is looked at. The error says
// that the folder cannot be read.
func (v *Vault) Snapshot(ctx context.Context) (*notes.Snapshot, error) {
	v.watch()
	if s := v.current(); s != nil {
		return s, nil
	}
	if err := v.lock(ctx); err != nil {
		return nil, err
	}
	defer v.unlock()
	if s := v.current(); s != nil { // somebody else has looked meanwhile
		return s, nil
	}
	return v.look(ctx)
}

// lock waits until no other look is under way. The first look at a large vault may
// take longer than a call may wait.
func (v *Vault) lock(ctx context.Context) error {
	select {
	case v.looking <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (v *Vault) unlock() { <-v.looking }

// current returns the last snapshot if nothing can have changed since that a call
// must see, else nil.
func (v *Vault) current() *notes.Snapshot {
	v.mu.Lock()
	defer v.mu.Unlock()
	watched := v.steady >= followed && v.watcher.Trouble() == "" && !v.watcher.Pending()
	if v.last.changes == v.changes && (watched || time.Since(v.last.at) < fresh) {
		return v.last.snapshot
	}
	return nil
}

// followed is after how many looks the watcher is in time for each change: the
// second one sees what changed before the watching began.
const followed = 2

// Expire has the next [Vault.Snapshot] look at the folder, for somebody who has
// changed something in it.
func (v *Vault) Expire() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.changes++
}

// Look returns the notes as they are now.
func (v *Vault) Look(ctx context.Context) (*notes.Snapshot, error) {
	if err := v.lock(ctx); err != nil {
		return nil, err
	}
	defer v.unlock()
	return v.look(ctx)
}

// Unread returns what the last look could not read, by path.
func (v *Vault) Unread() []Unread {
	v.looking <- struct{}{}
	defer v.unlock()
	return slices.Clone(v.unread)
}

// lookAgain looks for the watcher.
func (v *Vault) lookAgain(ctx context.Context, _ []string) ([]string, error) {
	if err := v.lock(ctx); err != nil {
		return nil, err
	}
	defer v.unlock()
	w, err := v.walk(ctx)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.steady++
	return w.folders, nil
}

// look returns the notes as they are now.
func (v *Vault) look(ctx context.Context) (*notes.Snapshot, error) {
	_, err := v.walk(ctx)
	return v.last.snapshot, err
}

// walk looks at the folder, and reads what changed since the last look. What was
// known of a folder that is missing is kept for the time when it is back.
func (v *Vault) walk(ctx context.Context) (*walker, error) {
	started := time.Now()
	v.mu.Lock()
	changes := v.changes // a later one may be missed
	v.mu.Unlock()
	w, found, err := v.find(ctx)
	if err != nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.steady, v.last.at = 0, time.Time{}
		return nil, err
	}
	v.tell(w.problems())
	s := v.last.snapshot
	if s == nil || !maps.EqualFunc(found, v.known, func(a, b known) bool { return a.note == b.note }) {
		all := make([]*notes.Note, 0, len(found))
		for _, k := range found {
			all = append(all, k.note)
		}
		s = notes.NewSnapshot(all, s)
	}
	v.known = found
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last = look{started, changes, s}
	return w, nil
}

// find returns the notes that there are.
func (v *Vault) find(ctx context.Context) (*walker, map[notes.ID]known, error) {
	root, err := os.OpenRoot(v.dir)
	if err != nil {
		return nil, nil, fmt.Errorf("the folder of notes %q cannot be opened: %w", v.dir, files.Cause(err))
	}
	defer root.Close()
	w := &walker{root: root}
	if err := w.walk(ctx, "."); err != nil {
		return nil, nil, fmt.Errorf("the folder of notes %q cannot be read: %w", v.dir, files.Cause(err))
	}
	found, err := w.read(ctx, v.known)
	return w, found, err
}

// tell logs what could not be read, once for as long as it stays so.
func (v *Vault) tell(unread []Unread) {
	for _, u := range unread {
		if !slices.Contains(v.unread, u) {
			v.log.Warn("a file of the notes cannot be read", "path", u.Path, "reason", u.Reason)
		}
	}
	v.unread = unread
}
