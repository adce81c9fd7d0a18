package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"

	"instruction-catalog/catalog/files"
)

// The folders within the folder that are the package's own.
const (
	Hidden = ".catalog" // the lock, the plan of a change, texts on their way
	Trash  = ".trash"   // what was deleted, under the path that it had
)

const (
	lockFile = Hidden + "/lock"
	planFile = Hidden + "/change.json"
	staging  = Hidden + "/staged"
)

// Rewrite does what an edit says to the text that a file holds at the moment. It
// is asked again when the text has changed, and after a restart, perhaps by
// another version of the program: a text that has been edited already must come
// back as it is.
type Rewrite func(text []byte, do json.RawMessage) ([]byte, error)

// Session is the right to change the files of a folder, until it is closed.
// Names are paths below the folder, with slashes.
type Session struct {
	root       *os.Root
	rewrite    Rewrite
	unlock     func()
	staged     int  // names given to staged files
	completing bool // the change of another process
}

// Begin waits until nobody else changes the files of the folder, or the context
// is over. A change that was interrupted is completed first.
func Begin(ctx context.Context, folder string, rewrite Rewrite) (*Session, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	s := &Session{root: root, rewrite: rewrite, unlock: func() {}}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Session) begin(ctx context.Context) error {
	if err := s.folder(Hidden, 0o700); err != nil {
		return err
	}
	if err := s.lock(ctx); err != nil {
		return err
	}
	if err := s.complete(); err != nil {
		return err
	}
	if err := s.root.RemoveAll(staging); err != nil {
		return err
	}
	return s.folder(staging, 0o700)
}

// folder makes a folder of our own. A link in its place would lead elsewhere.
func (s *Session) folder(name string, mode fs.FileMode) error {
	if err := s.root.Mkdir(name, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := s.root.Lstat(name)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder: move it away", name)
	}
	return err
}

// lock is released by the operating system, too, when the process ends.
func (s *Session) lock(ctx context.Context) error {
	if info, err := s.root.Lstat(lockFile); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file: move it away", lockFile)
	}
	type result struct {
		unlock func()
		err    error
	}
	locked := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(filepath.Join(s.root.Name(), filepath.FromSlash(lockFile))).Lock()
		locked <- result{unlock, err}
	}()
	select {
	case r := <-locked:
		if r.err == nil {
			s.unlock = r.unlock
		}
		return r.err
	case <-ctx.Done():
		go func() { // the lock cannot be waited for any less
			if r := <-locked; r.err == nil {
				r.unlock()
			}
		}()
		return fmt.Errorf("another process has been writing to the folder for too long: %w", ctx.Err())
	}
}

// Close ends the session, and lets the next one begin.
func (s *Session) Close() error {
	s.unlock()
	s.unlock = func() {}
	return s.root.Close()
}

// Interrupted reports whether a process died while it changed files of the
// folder, or is about to change them. Begin completes the change.
func Interrupted(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(planFile)))
	return err == nil
}

// Root returns the folder, to look around in. It is closed with the session.
func (s *Session) Root() *os.Root { return s.root }

// Read returns what a file holds.
func (s *Session) Read(name string) ([]byte, error) {
	f, err := files.ReadIn(s.root, name, math.MaxInt32)
	return f.Data, err
}
