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
	// LockedFolder is the folder to lock, relative to Path. It must exist. "" means
	// Path.
	LockedFolder string
	// State is the folder that holds the plans and staged texts of all folders. Begin
	// creates it if it is missing. Nothing that is distributed with Path, such as a
	// symbolic link in a repository, may lead to it.
	State string
	// Trash is the folder, relative to Path, for deleted files and for copies of texts
	// that would be lost otherwise.
	Trash string
	// Owns reports whether the session may change a file. The name is relative to Path.
	Owns func(name string) bool
	// Rewrite applies the Do value of an [Edit] of a [Change] to the file's current
	// text. It is called again after a concurrent change and after a crash, so it must
	// be idempotent: if the text is already edited, it must return it unchanged.
	Rewrite func(text []byte, do json.RawMessage) ([]byte, error)
	Log     *slog.Logger

	warn sync.Once // logs only once that the folder itself cannot be locked

	system *system // replaced by tests; nil for thisSystem
}

// Session holds the write lock of a folder until it is closed. One process can hold the
// lock at a time. Names are slash-separated paths relative to the folder. A Session is
// not safe for concurrent use.
type Session struct {
	*Folder
	system
	root   *os.Root // the folder
	own    *os.Root // its subfolder of State
	unlock func()
	beside bool // stage texts beside their targets, because renames from State fail
	kept   []string
}

// pending is the folder, within own, for the plan and the staged texts of a change.
const pending = "pending"

// Begin waits for the write lock of the folder and returns an error if ctx is done
// first. It then completes an interrupted change, or sets it aside if it cannot be
// completed.
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

// ownFolder returns the subfolder of State for this folder. Its name is derived from
// the folder's real path.
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
			s.Log.Warn("the folder itself cannot be locked: programs with another state folder do not wait for this one", "folder", s.Path, "lock", file)
		})
		unlock, err = Lock(ctx, file)
	}
	if err == nil {
		s.unlock = unlock
	}
	return err
}

// Close releases the lock and the open folders, so that the next session can begin.
func (s *Session) Close() error {
	s.unlock()
	s.unlock = func() {}
	if s.own != nil {
		_ = s.own.Close() // nothing was written through this handle
	}
	return s.root.Close()
}

// Interrupted reports whether a change of the folder is unfinished: a process died
// during it, or is still making it. Begin completes the change of a process that died.
func (f *Folder) Interrupted() bool {
	own, err := f.ownFolder()
	if err != nil {
		return false
	}
	left, err := os.ReadDir(filepath.Join(own, pending))
	return err == nil && len(left) > 0
}

// Root returns the folder, for reading. The session closes it.
func (s *Session) Root() *os.Root { return s.root }

// Read returns the content of a file.
func (s *Session) Read(name string) ([]byte, error) {
	f, err := ReadIn(s.root, name, math.MaxInt32)
	return f.Data, err
}

// Kept returns the names in the trash of the copies that this session made of other
// programs' texts. The session makes a copy if another program saves a file at the
// moment when the session changes it. This is rare: normally such a text stays in its
// file and is edited there.
func (s *Session) Kept() []string { return s.kept }

// allow returns an error for names that lead out of the folder or that Owns rejects.
func (s *Session) allow(names ...string) error {
	for _, name := range names {
		if _, err := filepath.Localize(name); err != nil || !s.Owns(name) {
			return fmt.Errorf("%q is not a file that may be changed here", name)
		}
	}
	return nil
}

// Create writes a new file, and creates its missing parent folders. The error is
// [fs.ErrExist] if the name is taken.
func (s *Session) Create(name string, text []byte) error {
	if err := s.allow(name); err != nil {
		return err
	}
	p := s.newPlan(&step{Edit: Edit{Name: name}, After: hashOf(text)})
	return errors.Join(fileError(name, s.create(p, text)), s.forget(p))
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

// Edit replaces the text of a file with the result of edit. It calls edit again if
// another program changes the file meanwhile. It does not write an unchanged text. The
// error is [ErrUncertain] if the edit failed but the new text may be in place.
func (s *Session) Edit(name string, edit func(text []byte) ([]byte, error)) error {
	if err := s.allow(name); err != nil {
		return err
	}
	return s.apply(context.Background(), s.newPlan(&step{Edit: Edit{Name: name}, edit: edit}))
}

// Delete moves a file to the trash. Files of the same name that are already in the
// trash stay there. If check returns an error for the file's current text, Delete moves
// the file back and returns that error.
func (s *Session) Delete(name string, check func(text []byte) error) error {
	if err := s.allow(name); err != nil {
		return err
	}
	from := place{s.root, name}
	kept, err := s.intoTrash(name, func(kept place) error { return s.moveNew(from, kept) })
	if err != nil {
		return fileError(name, err)
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

// Keep copies text, a former content of the file, to the trash and returns the name of
// the copy.
func (s *Session) Keep(name string, text []byte) (string, error) {
	kept, err := s.intoTrash(name, func(kept place) error {
		f, err := s.root.OpenFile(kept.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		if err = errors.Join(err, s.fsync(f), f.Close()); err != nil {
			err = errors.Join(err, kept.remove()) // an incomplete copy is useless, and a full disk needs the space
		}
		return err
	})
	return kept.name, err
}

// intoTrash calls put with a place in the trash. While put returns [fs.ErrExist], it
// tries the next numbered name.
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
