package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"instruction-catalog/catalog/files"
)

// resultFile is where the result will stand: a temporary file beside its
// place, made before the long work, so that a place that cannot be written
// shows at once and an earlier result is lost only to a new one. It is nil
// where none was asked for.
type resultFile struct {
	*os.File
	path string // where links lead: they stay
}

func createResult(path string) (*resultFile, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("--out: %s is no regular file: name a file", path)
	}
	target, err := follow(path)
	if err != nil {
		return nil, unwritable(path, err)
	}
	file, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+"-*")
	if err != nil {
		return nil, unwritable("the folder "+filepath.Dir(target), err)
	}
	return &resultFile{file, target}, nil
}

func unwritable(where string, err error) error {
	return fmt.Errorf("--out: nothing can be written to %s (%w): mend that, or name a file elsewhere", where, files.Cause(err))
}

// write writes the whole result and puts it into its place.
func (f *resultFile) write(data []byte) error {
	if f == nil {
		return nil
	}
	if _, err := f.Write(data); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return f.keep()
}

// keep puts what was written into its place.
func (f *resultFile) keep() error {
	if err := errors.Join(f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err := errors.Join(os.Rename(f.Name(), f.path), syncFolder(filepath.Dir(f.path))); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// syncFolder makes a renaming last. Windows has no such call, and needs none.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// discard removes what was not put into its place.
func (f *resultFile) discard() {
	if f != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
}
