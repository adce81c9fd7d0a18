package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"instruction-catalog/files"
	"instruction-catalog/hosts"
)

// config is the configuration of a host, as it was found.
type config struct {
	path   string // as it is shown
	target string // the file itself, where links lead
	text   []byte
	mode   fs.FileMode
}

// readConfig reads a configuration. The error is fs.ErrNotExist if there is
// none; a link that leads nowhere is another error.
func readConfig(path string) (config, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return config{}, fmt.Errorf("%s is a link that leads nowhere: remove it, or make the file that it names", path)
		}
		return config{}, fs.ErrNotExist
	}
	if err != nil {
		return config{}, fmt.Errorf("read %s: %w", path, files.Cause(err))
	}
	c := config{path: path, target: target}
	info, err := os.Stat(target)
	if err != nil {
		return c, fmt.Errorf("read %s: %w", path, files.Cause(err))
	}
	c.mode = info.Mode().Perm()
	f, err := files.Read(target, hosts.MaxFile)
	switch {
	case errors.Is(err, files.ErrNotRegular):
		return c, fmt.Errorf("%s: this is no regular file: nothing was written", path)
	case errors.Is(err, files.ErrTooLarge):
		return c, fmt.Errorf("%s: the file has more than %d bytes: nothing was written", path, hosts.MaxFile)
	case err != nil:
		return c, fmt.Errorf("read %s: %w", path, files.Cause(err))
	}
	c.text = f.Data
	return c, nil
}

// refused is the error of an edit, with the file.
func (c config) refused(err error) error {
	separator := ": "
	if at, ok := errors.AsType[*hosts.Error](err); ok && at.Line > 0 {
		separator = ":"
	}
	return fmt.Errorf("%s%s%w; nothing was written", c.path, separator, err)
}

// rewrite replaces the text, and returns the file that keeps what it was. The
// mode of the file stays, and a link to it.
func (c config) rewrite(text []byte) (backup string, err error) {
	// What may not be written to could be replaced all the same.
	f, err := os.OpenFile(c.target, os.O_WRONLY, 0)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", c.path, files.Cause(err))
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	backup, err = c.keep()
	if err != nil {
		return "", fmt.Errorf("keep what is in %s: %w; nothing was written", c.path, err)
	}
	if err := writeAtomically(c.target, text, c.mode, true); err != nil {
		return "", fmt.Errorf("write %s: %w", c.path, err)
	}
	return backup, nil
}

// mostBackups is how many files with different contents are kept.
const mostBackups = 100

// keep writes the text into the first backup that is free, unless one of those
// before it holds the same. None is ever replaced.
func (c config) keep() (string, error) {
	for n := range mostBackups {
		name := c.target + ".bak"
		if n > 0 {
			name += "." + strconv.Itoa(n)
		}
		kept, err := files.Read(name, hosts.MaxFile)
		if err == nil && bytes.Equal(kept.Data, c.text) {
			return name, nil
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, writeNew(name, c.text, c.mode, true)
		}
	}
	return "", fmt.Errorf("there are %d backups: remove some of %s.bak*", mostBackups, c.target)
}

// remove removes the file, and a link to it.
func (c config) remove() error {
	if err := os.Remove(c.target); err != nil {
		return err
	}
	if err := os.Remove(c.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncFolder(filepath.Dir(c.target))
}

// createConfig writes a configuration where there is none. That of a user is
// for that user's eyes: hosts keep secrets in it.
func createConfig(path string, text []byte, private bool) error {
	folder, file := fs.FileMode(0o755), fs.FileMode(0o644)
	if private {
		folder, file = 0o700, 0o600
	}
	if err := os.MkdirAll(filepath.Dir(path), folder); err != nil {
		return err
	}
	return writeAtomically(path, text, file, false)
}

// writeAtomically writes a file so that, whatever happens, there is the old text
// or the new, and nothing between. An exact mode is one that the umask does not
// change.
func writeAtomically(path string, text []byte, mode fs.FileMode, exact bool) error {
	beside := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	if err := writeNew(beside, text, mode, exact); err != nil {
		return err
	}
	if err := os.Rename(beside, path); err != nil {
		return errors.Join(err, os.Remove(beside))
	}
	return syncFolder(filepath.Dir(path))
}

// writeNew writes a file that must not be there, to the disk.
func writeNew(path string, text []byte, mode fs.FileMode, exact bool) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil && exact {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
