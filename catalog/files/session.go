package files

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// Folder is a folder whose files this program and others change at the same time.
type Folder struct {
	Path string
	// LockedFolder is the folder below Path that is locked, which exists; "" for Path.
	LockedFolder string
	// State is the folder for what belongs to changes of all folders: plans, and
	// texts that are not in their place yet. It is made if it is missing. Nothing
	// that comes with Path may reach it.
	State string
	// Trash is the folder, below Path, for deleted files, and for copies of texts
	// that would be lost otherwise.
	Trash string
	// Owns reports whether a file may be changed, by its name below Path.
	Owns func(name string) bool
	// Rewrite does what an [Edit] of a [Change] says to the text that the file holds
	// at that moment. It is called again if the text changes meanwhile, and after a
	// crash: a text that has been edited already must come back as it is.
	Rewrite func(text []byte, do json.RawMessage) ([]byte, error)
	Log     *slog.Logger

	warn sync.Once // that the folder itself cannot be locked

	system *system // that of a test; nil for the one that there is
}

// Session is the right to change the files of a folder, which one process has at a
// time, until it is closed. Names are paths below the folder, with slashes. It is
// not safe for concurrent use.
type Session struct {
	*Folder
	system
	root   *os.Root // the folder
	own    *os.Root // what is kept for it in State
	unlock func()
	beside bool // texts are staged beside their targets, as a rename needs that
	kept   []string
}

// pending is the folder, within own, of the plan and the texts of a change.
const pending = "pending"

// Begin waits until no other process changes the folder, or ctx is done. A change
// that was interrupted is completed first, or set aside.
func (f *Folder) Begin(ctx context.Context) (*Session, error) {
	root, err := os.OpenRoot(f.Path)
	if err != nil {
		return nil, err
	}
	s := &Session{Folder: f, system: *cmp.Or(f.system, &thisSystem), root: root, unlock: func() {}}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Session) begin(ctx context.Context) error {
	own, err := s.ownFolder()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(own, pending), 0o700); err != nil {
		return err
	}
	if s.own, err = os.OpenRoot(own); err != nil {
		return err
	}
	if err := s.lock(ctx, filepath.Join(own, "lock")); err != nil {
		return err
	}
	s.beside = !sameFileSystem(s.own, s.root)
	return s.recover()
}

// ownFolder returns the folder, below State, that belongs to the real path of the
// folder alone.
func (f *Folder) ownFolder() (string, error) {
	real, err := filepath.EvalSymlinks(f.Path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	return filepath.Join(f.State, hashOf([]byte(real))[:32]), err
}

func (s *Session) lock(ctx context.Context, file string) (err error) {
	unlock, err := lockFolder(ctx, s.root, cmp.Or(s.LockedFolder, "."))
	if errors.Is(err, errors.ErrUnsupported) {
		s.warn.Do(func() {
			s.Log.Warn("the folder cannot be locked itself: programs with another state folder do not wait for this one", "folder", s.Path, "lock", file)
		})
		unlock, err = Lock(ctx, file)
	}
	if err == nil {
		s.unlock = unlock
	}
	return err
}

// Close ends the session, and lets the next one begin.
func (s *Session) Close() error {
	s.unlock()
	s.unlock = func() {}
	if s.own != nil {
		_ = s.own.Close() // it was written to through other files
	}
	return s.root.Close()
}

// Interrupted reports whether a process died while it changed files of the folder,
// or is about to change them. Begin completes the change.
func (f *Folder) Interrupted() bool {
	own, err := f.ownFolder()
	if err != nil {
		return false
	}
	left, err := os.ReadDir(filepath.Join(own, pending))
	return err == nil && len(left) > 0
}

// Root returns the folder, to look around in. It is closed with the session.
func (s *Session) Root() *os.Root { return s.root }

// Read returns the content of a file.
func (s *Session) Read(name string) ([]byte, error) {
	f, err := ReadIn(s.root, name, math.MaxInt32)
	return f.Data, err
}

// Kept returns the names of copies in the trash of what other programs saved in the
// very moment in which a file was changed. That is nearly always nothing: what
// they save stays in its place, and is edited there.
func (s *Session) Kept() []string { return s.kept }

// allow refuses names that lead out of the folder or that it does not own.
func (s *Session) allow(names ...string) error {
	for _, name := range names {
		if _, err := filepath.Localize(name); err != nil || !s.Owns(name) {
			return fmt.Errorf("%q is no name of a file that may be changed here", name)
		}
	}
	return nil
}

// Create writes a file that is missing, and the folders above it. The error is
// [fs.ErrExist] if something has the name.
func (s *Session) Create(name string, text []byte) error {
	if err := s.allow(name); err != nil {
		return err
	}
	p := s.newPlan(&step{Edit: Edit{Name: name}, After: hashOf(text)})
	return errors.Join(s.create(p, text), s.forget(p))
}

func (s *Session) create(p *plan, text []byte) error {
	st := p.Steps[0]
	if err := s.save(p); err != nil {
		return err
	}
	if err := s.stage(st, text, nil, true); err != nil {
		return err
	}
	if err := MakeFolders(s.root, path.Dir(st.Name)); err != nil {
		return err
	}
	if err := s.reach(p, st, s.moveNew); err != nil {
		return err
	}
	return s.sync(st)
}

// Edit replaces the text of a file by what edit makes of it. Edit is called again
// if another program changes the file meanwhile. A text that comes back unchanged
// is not written.
func (s *Session) Edit(name string, edit func(text []byte) ([]byte, error)) error {
	if err := s.allow(name); err != nil {
		return err
	}
	return s.apply(context.Background(), s.newPlan(&step{Edit: Edit{Name: name}, edit: edit}))
}

// Delete moves a file into the trash, beside those that had its name before. If
// check refuses the text that it had at that moment, the file goes back.
func (s *Session) Delete(name string, check func(text []byte) error) error {
	if err := s.allow(name); err != nil {
		return err
	}
	from := place{s.root, name}
	kept, err := s.intoTrash(name, func(kept place) error { return s.moveNew(from, kept) })
	if err != nil {
		return err
	}
	text, err := kept.read()
	if err == nil {
		err = check(text)
	}
	if err != nil {
		return errors.Join(err, s.moveNew(kept, from))
	}
	return SyncFolder(s.root.Open, path.Dir(name))
}

// Keep puts a copy of what a file held into the trash, and returns its name.
func (s *Session) Keep(name string, text []byte) (string, error) {
	kept, err := s.intoTrash(name, func(kept place) error {
		f, err := s.root.OpenFile(kept.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		if err = errors.Join(err, s.fsync(f), f.Close()); err != nil {
			err = errors.Join(err, kept.remove()) // half a copy is none, and a full disk needs the space
		}
		return err
	})
	return kept.name, err
}

// intoTrash puts something into the trash, under a name that is free.
func (s *Session) intoTrash(name string, put func(kept place) error) (place, error) {
	kept := place{s.root, path.Join(s.Trash, name)}
	if err := MakeFolders(s.root, path.Dir(kept.name)); err != nil {
		return kept, err
	}
	extension := path.Ext(name)
	stem := strings.TrimSuffix(kept.name, extension)
	for n := 2; ; n++ {
		if err := put(kept); err == nil {
			return kept, SyncFolder(s.root.Open, path.Dir(kept.name))
		} else if !errors.Is(err, fs.ErrExist) {
			return kept, err
		}
		kept.name = fmt.Sprintf("%s %d%s", stem, n, extension)
	}
}
