package vault

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"instruction-catalog/catalog/files"
	"instruction-catalog/toolsets/notes"
)

// maxFile is how large the file of a note may be.
const maxFile = 64 << 20

// fresh is how old a look at the folder may be for an answer.
const fresh = 300 * time.Millisecond

// Vault is a folder of notes. It may be used by any number of goroutines.
type Vault struct {
	dir string
	log *slog.Logger

	mu       sync.Mutex // held while the folder is looked at
	looked   time.Time
	known    map[notes.ID]known
	snapshot *notes.Snapshot // nil before the first look
	unread   []Unread
}

// known is a note as it was when its file was read.
type known struct {
	file files.Identity
	note *notes.Note
}

// Unread is a file or a folder that could not be read. The notes in it are missing.
type Unread struct {
	Path   string // within the vault
	Reason string // and what to do
}

// New returns the vault in a folder, which is not looked at yet. What cannot be
// read is told to log.
func New(dir string, log *slog.Logger) *Vault { return &Vault{dir: dir, log: log} }

// Snapshot returns the notes as they were a moment ago, at most. The error says
// that the folder cannot be read.
func (v *Vault) Snapshot(ctx context.Context) (*notes.Snapshot, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.snapshot != nil && time.Since(v.looked) < fresh {
		return v.snapshot, nil
	}
	return v.look(ctx)
}

// Look returns the notes as they are now.
func (v *Vault) Look(ctx context.Context) (*notes.Snapshot, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.look(ctx)
}

// Unread returns what the last look could not read, by path.
func (v *Vault) Unread() []Unread {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.unread)
}

// look reads what changed since the last look. A folder that is missing keeps what
// was known, for the time when it is back.
func (v *Vault) look(ctx context.Context) (*notes.Snapshot, error) {
	started := time.Now()
	root, err := os.OpenRoot(v.dir)
	if err != nil {
		return nil, fmt.Errorf("the folder of notes cannot be opened: %w", files.Cause(err))
	}
	defer root.Close()
	w := &walker{root: root}
	if err := w.walk(ctx, "."); err != nil {
		return nil, fmt.Errorf("the folder of notes cannot be read: %w", files.Cause(err))
	}
	found, err := w.read(ctx, v.known)
	if err != nil {
		return nil, err
	}
	v.tell(w.problems())
	if v.snapshot == nil || !maps.EqualFunc(found, v.known, func(a, b known) bool { return a.note == b.note }) {
		all := make([]*notes.Note, 0, len(found))
		for _, k := range found {
			all = append(all, k.note)
		}
		v.snapshot = notes.NewSnapshot(all, v.snapshot)
	}
	v.known, v.looked = found, started
	return v.snapshot, nil
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
