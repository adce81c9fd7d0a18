package write

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog/files"
)

// ErrChanged says that a file no longer holds what the caller has read.
var ErrChanged = errors.New("another program has changed it since it was read: try again")

// Catalog is the folder of a catalog, to be changed.
type Catalog struct {
	Folder string
	// State is the folder for staged texts and plans, which is not below Folder.
	State string
	Log   *slog.Logger
}

// archive is where files go that are removed.
const archive = "_archive"

// Begin makes the folder if it is missing, and waits until no other process writes to
// it, or ctx is done. A change that was interrupted is completed first.
func (c Catalog) Begin(ctx context.Context) (*Session, error) {
	if err := os.MkdirAll(c.Folder, 0o777); err != nil {
		return nil, err
	}
	folder := &files.Folder{Path: c.Folder, State: c.State, Trash: archive, Owns: Owns, Log: c.Log}
	s, err := folder.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return &Session{s}, nil
}

// Owns reports whether a path within a catalog or a repository may be written: one
// outside of what belongs to git, however a file system lets its name be spelt.
func Owns(name string) bool {
	isGit := func(segment string) bool {
		plain := strings.ToLower(strings.TrimRight(segment, ". "))
		return plain == ".git" || strings.HasPrefix(plain, "git~") || strings.ContainsAny(segment, ":\x00")
	}
	return name == path.Clean(name) && !slices.ContainsFunc(strings.Split(name, "/"), isGit)
}

// Session is the right to write to a catalog, until it is closed. Paths are within the
// catalog, with slashes. It is not safe for concurrent use.
type Session struct{ files *files.Session }

// Close ends the session.
func (s *Session) Close() error { return s.files.Close() }

// Create writes a file that is missing, and the folders above it. The error is
// [fs.ErrExist] if something has the name.
func (s *Session) Create(name string, text []byte) error { return s.files.Create(name, text) }

// Replace writes text over a file that holds base. The error is [ErrChanged] if it
// holds anything else, or is gone.
func (s *Session) Replace(name string, base, text []byte) error {
	err := s.files.Edit(name, func(now []byte) ([]byte, error) {
		if !bytes.Equal(now, base) {
			return nil, ErrChanged
		}
		return text, nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return ErrChanged
	}
	return err
}
