package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"instruction-catalog/catalog/files"
)

// resultFile is a draft of a result file. It is created before the long work, so that
// an unwritable path is reported at once and only a complete result replaces an earlier
// one. It is nil if no file was requested.
type resultFile struct{ *files.Draft }

// createResult creates the draft of the result file at path. It returns nil if path is
// empty. An existing file keeps its mode; a new file gets the default mode under the
// umask. createResult does not write through a symbolic link, because someone other
// than the user may have created it, for example in a repository.
func createResult(path string) (*resultFile, error) {
	if path == "" {
		return nil, nil
	}
	switch info, err := os.Lstat(path); {
	case err == nil && info.Mode().Type() == fs.ModeSymlink:
		return nil, fmt.Errorf("--out: %s is a link: name the file that it leads to, or remove it", path)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("--out: %s is not a regular file: name a file", path)
	}
	folder := filepath.Dir(path)
	if err := staysHere(folder); err != nil {
		return nil, unwritable("the folder "+folder, err)
	}
	draft, err := files.NewDraft(path, 0o666)
	if err != nil {
		return nil, unwritable("the folder "+folder, err)
	}
	return &resultFile{draft}, nil
}

// staysHere returns an error if folder is a path within the working directory but a
// symbolic link leads out of it. Other paths are always allowed.
func staysHere(folder string) error {
	if !filepath.IsLocal(folder) {
		return nil
	}
	here, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	defer here.Close()
	_, err = here.Stat(folder)
	return err
}

func unwritable(where string, err error) error {
	return fmt.Errorf("--out: nothing can be written to %s (%w): fix that, or name a file elsewhere", where, files.Cause(err))
}

// write writes the result and replaces the file. It does nothing if f is nil.
func (f *resultFile) write(data []byte) error {
	if f == nil {
		return nil
	}
	if _, err := f.Write(data); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return f.keep()
}

// keep replaces the file with the draft.
func (f *resultFile) keep() error {
	if err := f.Replace(); err != nil {
		return fmt.Errorf("--out: %w", files.Cause(err))
	}
	return nil
}

// discard removes the draft unless it has replaced the file.
func (f *resultFile) discard() {
	if f != nil {
		f.Discard()
	}
}
