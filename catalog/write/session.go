package write

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog/files"
)

// ErrChanged means that a file no longer holds what the caller has read.
var ErrChanged = errors.New("another program has changed it since it was read: try again")

// Catalog is a catalog's folder to write to.
type Catalog struct {
	Folder string
	// State is the folder for staged texts and plans. It must not be below Folder.
	State string
	Log   *slog.Logger
}

// archive is the folder for removed files.
const archive = "_archive"

// Begin creates the folder if it is missing. It waits until no other process writes to
// the folder, or ctx is done. It then completes any change that was interrupted.
func (c Catalog) Begin(ctx context.Context) (*Session, error) {
	if err := os.MkdirAll(c.Folder, 0o777); err != nil {
		return nil, err
	}
	folder := &files.Folder{Path: c.Folder, State: c.State, Trash: archive, Owns: Owns, Rewrite: rewrite, Log: c.Log}
	s, err := folder.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return &Session{s}, nil
}

// Owns reports whether a path within a catalog or a repository may be written. Git's
// own paths are not allowed, in any spelling that a file system accepts for .git.
func Owns(name string) bool {
	isGit := func(segment string) bool {
		plain := strings.ToLower(strings.TrimRight(segment, ". "))
		return plain == ".git" || strings.HasPrefix(plain, "git~") || strings.ContainsAny(segment, ":\x00")
	}
	return name == path.Clean(name) && !slices.ContainsFunc(strings.Split(name, "/"), isGit)
}

// Session holds the write lock of a catalog until it is closed. Paths are relative to
// the catalog and use slashes. A Session is not safe for concurrent use.
type Session struct{ files *files.Session }

// Close ends the session and releases the lock.
func (s *Session) Close() error { return s.files.Close() }

// Create writes a new file and creates the folders above it. If name already exists,
// the error is [fs.ErrExist].
func (s *Session) Create(name string, text []byte) error { return s.files.Create(name, text) }

// Replace writes text to a file that holds base. If the file holds anything else or is
// missing, the error is [ErrChanged].
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

// Replacement is a new text for a file that holds Base.
type Replacement struct {
	Name       string
	Base, Text []byte
}

// ReplaceAll makes the replacements as one change: all of them or none. If a file is
// missing, or holds neither its base nor its new text, the error is [ErrChanged].
func (s *Session) ReplaceAll(ctx context.Context, all []Replacement) error {
	var change files.Change
	for _, r := range all {
		do, err := json.Marshal(rewriting{sha256.Sum256(r.Base), r.Text})
		if err != nil {
			return err
		}
		change.Edits = append(change.Edits, files.Edit{Name: r.Name, Do: do})
	}
	err := s.files.Apply(ctx, change)
	if !errors.Is(err, files.ErrHalfMade) && (errors.Is(err, ErrChanged) || errors.Is(err, fs.ErrNotExist)) {
		return ErrChanged
	}
	return err
}

// rewriting is the stored form of a replacement, in a plan.
type rewriting struct {
	Base [sha256.Size]byte
	Text []byte
}

// rewrite applies a stored replacement.
func rewrite(text []byte, do json.RawMessage) ([]byte, error) {
	var r rewriting
	if err := json.Unmarshal(do, &r); err != nil {
		return nil, err
	}
	if !bytes.Equal(text, r.Text) && sha256.Sum256(text) != r.Base {
		return nil, ErrChanged
	}
	return r.Text, nil
}
