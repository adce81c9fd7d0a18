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
	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/catalog/watch"
	"instruction-catalog/toolsets/notes"
)

// maxFile is the maximum size of a note's file, in bytes.
const maxFile = 64 << 20

// fresh is the maximum age of a scan whose result may be reused without a watcher.
const fresh = 300 * time.Millisecond

// Vault is a folder of notes. It is safe for concurrent use.
type Vault struct {
	dir     string
	log     *slog.Logger
	watcher *watch.Watcher
	watch   func() // starts the watcher, once
	stop    context.CancelFunc
	onSwap  func(*notes.Snapshot)

	looking chan struct{} // semaphore: held during a scan; guards known
	known   map[notes.ID]known

	mu      sync.Mutex // guards the fields below; held only briefly
	last    look
	changes int // number of calls of Expire
	steady  int // consecutive scans by the watcher without an error
}

// look is the result of a scan of the folder.
type look struct {
	at       time.Time       // when the scan began
	changes  int             // Vault.changes when the scan began
	snapshot *notes.Snapshot // nil before the first scan
}

// known is a note and the identity of its file when it was read.
type known struct {
	file files.Identity
	note *notes.Note
}

// Foreign returns the path of .catalog in the vault, or "" if it does not exist. Nothing
// reads that path: older versions kept plans of changes there, and it may also have come
// with the notes.
func (v *Vault) Foreign() string {
	name := filepath.Join(v.dir, ".catalog")
	if _, err := os.Lstat(name); err != nil {
		return ""
	}
	return name
}

// New returns the vault in dir. It does not scan the folder yet. Files that cannot be
// read are logged. Call Close when the vault is no longer needed.
func New(dir string, log *slog.Logger) *Vault {
	ctx, stop := context.WithCancel(context.Background())
	v := &Vault{dir: dir, log: log, stop: stop, looking: make(chan struct{}, 1)}
	v.watcher = watch.New(dir, v.lookAgain, log)
	v.watch = sync.OnceFunc(func() { go v.watcher.Run(ctx) })
	return v
}

// OnSwap registers f to be called with the current snapshot, if there is one, and with
// each new one. f must not block or use the vault.
func (v *Vault) OnSwap(f func(*notes.Snapshot)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.onSwap = f
	if s := v.last.snapshot; s != nil {
		f(s)
	}
}

// Close stops watching the folder.
func (v *Vault) Close() error {
	v.stop()
	return nil
}

// Snapshot returns the notes. If the folder can be watched, it returns the snapshot that
// the watcher keeps current. Otherwise it scans the folder, unless the last scan is less
// than 300 ms old. It returns an error if the folder cannot be read or ctx is done.
func (v *Vault) Snapshot(ctx context.Context) (*notes.Snapshot, error) {
	v.watch()
	if s := v.current(); s != nil {
		return s, nil
	}
	if err := v.lock(ctx); err != nil {
		return nil, err
	}
	defer v.unlock()
	if s := v.current(); s != nil { // another call has scanned meanwhile
		return s, nil
	}
	return v.look(ctx)
}

// Documents returns the notes for semantic search. It fails as [Vault.Snapshot] does.
func (v *Vault) Documents(ctx context.Context) (vectors.Documents, error) {
	s, err := v.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return s.Documents(), nil
}

// lock waits until no other scan is running, or ctx is done. The first scan of a large
// vault can take longer than the time limit of a call.
func (v *Vault) lock(ctx context.Context) error {
	select {
	case v.looking <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (v *Vault) unlock() { <-v.looking }

// current returns the last snapshot if it is recent enough to use, or nil.
func (v *Vault) current() *notes.Snapshot {
	v.mu.Lock()
	defer v.mu.Unlock()
	watched := v.steady >= followed && v.watcher.Trouble() == "" && !v.watcher.Pending()
	if v.last.changes == v.changes && (watched || time.Since(v.last.at) < fresh) {
		return v.last.snapshot
	}
	return nil
}

// followed is the number of scans after which the watcher misses no change. The second
// scan finds the changes made before watching began.
const followed = 2

// Expire makes the next [Vault.Snapshot] scan the folder. Call it after changing a file
// in the vault.
func (v *Vault) Expire() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.changes++
}

// Look scans the folder and returns the current notes.
func (v *Vault) Look(ctx context.Context) (*notes.Snapshot, error) {
	if err := v.lock(ctx); err != nil {
		return nil, err
	}
	defer v.unlock()
	return v.look(ctx)
}

// lookAgain scans the folder on behalf of the watcher and returns the folders to watch.
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

// look scans the folder and returns the current notes. The caller must hold the lock.
func (v *Vault) look(ctx context.Context) (*notes.Snapshot, error) {
	_, err := v.walk(ctx)
	return v.last.snapshot, err
}

// walk scans the folder and reads the files that changed since the last scan. If the
// folder is missing, walk keeps the notes of the last scan until the folder is back.
func (v *Vault) walk(ctx context.Context) (*walker, error) {
	started := time.Now()
	v.mu.Lock()
	changes := v.changes // Expire may be called during the scan
	v.mu.Unlock()
	w, found, err := v.find(ctx)
	if err != nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.steady, v.last.at = 0, time.Time{}
		return nil, err
	}
	s, unread := v.last.snapshot, w.problems()
	if s == nil || !maps.EqualFunc(found, v.known, func(a, b known) bool { return a.note == b.note }) {
		all := make([]*notes.Note, 0, len(found))
		for _, k := range found {
			all = append(all, k.note)
		}
		s = notes.NewSnapshot(all, s)
	}
	if before := s.Unread(); !slices.Equal(unread, before) {
		v.warn(unread, before)
		s = s.WithUnread(unread)
	}
	v.known = found
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.onSwap != nil && s != v.last.snapshot {
		v.onSwap(s)
	}
	v.last = look{started, changes, s}
	return w, nil
}

// find returns the notes that now exist.
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

// warn logs the files that could not be read, unless they are in before.
func (v *Vault) warn(unread, before []notes.Unread) {
	for _, u := range unread {
		if !slices.Contains(before, u) {
			v.log.Warn("a file of the notes cannot be read", "path", u.Path, "reason", u.Reason)
		}
	}
}
