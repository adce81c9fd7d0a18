package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"instruction-catalog/catalog/files"
	"instruction-catalog/cmd/catalog/internal/hosts"
)

// place is the location of a configuration file that may not exist yet.
type place struct {
	path    string // path to show
	target  string // path with links resolved, to show
	folder  string // nothing outside this folder is read or written
	name    string // of the target, relative to folder
	private bool   // whether only the user may read it, because hosts keep secrets in it
}

// findPlace resolves the symbolic links in a path. It returns an error if a path in a
// project leads out of it, because the authors of a project must not choose where on
// this machine the program writes.
func findPlace(path string, global bool) (place, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return place{}, err
	}
	target, err := follow(whole)
	if err != nil {
		return place{}, fmt.Errorf("read %s: %w", path, files.Cause(err))
	}
	if global {
		return place{path, target, filepath.Dir(target), filepath.Base(target), true}, nil
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return place{}, err
	}
	project, err := filepath.EvalSymlinks(here)
	if err != nil {
		return place{}, err
	}
	name, err := filepath.Rel(project, target)
	if err != nil || !filepath.IsLocal(name) {
		return place{}, fmt.Errorf("%s leads out of this folder, to %s: put a real file there, in a real folder, or use --global; "+
			"nothing was written", path, target)
	}
	return place{path, name, project, name, false}, nil
}

// follow resolves the symbolic links in a path. The file and its parent folders may be
// missing.
func follow(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return target, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a link that leads nowhere: remove it, or create its target", path)
	}
	above := filepath.Dir(path)
	if above == path {
		return path, nil
	}
	above, err = follow(above)
	return filepath.Join(above, filepath.Base(path)), err
}

// config is a host's configuration file with its content when it was read.
type config struct {
	place
	root *os.Root // the folder of the place
	text []byte
	info fs.FileInfo
}

// read reads the configuration. The caller must close it. The error is fs.ErrNotExist
// if the file does not exist.
func (p place) read() (config, error) {
	root, err := os.OpenRoot(p.folder)
	if err != nil {
		return config{}, p.unreadable(err)
	}
	c := config{place: p, root: root}
	if err := c.fill(); err != nil {
		return config{}, errors.Join(p.unreadable(err), root.Close())
	}
	return c, nil
}

func (c *config) fill() error {
	info, err := c.root.Stat(c.name)
	if err != nil {
		return err
	}
	c.info = info
	c.text, err = c.now()
	return err
}

// now returns the current content of the file.
func (c config) now() ([]byte, error) {
	f, err := files.ReadIn(c.root, c.name, hosts.MaxFile)
	return f.Data, err
}

// unreadable adds the file's path to a read error. It returns fs.ErrNotExist without
// the path.
func (p place) unreadable(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case errors.Is(err, files.ErrNotRegular):
		return fmt.Errorf("%s: this is not a regular file: nothing was written", p.path)
	case errors.Is(err, files.ErrTooLarge):
		return fmt.Errorf("%s: the file has more than %d bytes: nothing was written", p.path, hosts.MaxFile)
	}
	return fmt.Errorf("read %s: %w", p.path, files.Cause(err))
}

func (c config) close() {
	if c.root != nil {
		_ = c.root.Close() // nothing is written through it
	}
}

// refused adds the file's path to an error from editing its text.
func (c config) refused(err error) error {
	separator := ": "
	if at, ok := errors.AsType[*hosts.Error](err); ok && at.Line > 0 {
		separator = ":"
	}
	return fmt.Errorf("%s%s%w; nothing was written", c.path, separator, err)
}

// rewrite replaces the content and returns the path of the backup with the previous
// content.
func (c config) rewrite(text []byte) (backup string, err error) {
	err = c.replace(text, func() error {
		if backup, err = c.keep(); err != nil {
			return fmt.Errorf("keep what is in %s: %w; nothing was written", c.path, err)
		}
		return nil
	})
	return backup, err
}

// replace calls before and then replaces the content, unless before fails. The file
// keeps its mode and owner, and links to it remain. The replacement is atomic.
func (c config) replace(text []byte, before func() error) error {
	// A rename would replace even a read-only file, so check write permission first.
	f, err := c.root.OpenFile(c.name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", c.path, files.Cause(err))
	}
	if err := f.Close(); err != nil {
		return err
	}
	d, err := c.draft(c.name, text)
	if err != nil {
		return fmt.Errorf("write %s: %w; nothing was written", c.path, err)
	}
	defer d.Discard()
	if err := before(); err != nil {
		return err
	}
	if err := c.unchanged(); err != nil {
		return err
	}
	if err := d.Replace(); err != nil {
		return fmt.Errorf("write %s: %w", c.path, err)
	}
	return nil
}

// restore replaces the content with text, which is that of the backup with the given
// suffix, and removes the backup.
func (c config) restore(text []byte, suffix string) error {
	if err := c.replace(text, func() error { return nil }); err != nil {
		return err
	}
	if err := c.root.Remove(c.name + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return c.sync()
}

// backupOf returns the suffix of the backup whose content is text, or "" if no backup
// has it.
func (c config) backupOf(text []byte) string {
	for n := range maxBackups {
		kept, err := files.ReadIn(c.root, c.name+backupSuffix(n), hosts.MaxFile)
		if err != nil {
			return ""
		}
		if bytes.Equal(kept.Data, text) {
			return backupSuffix(n)
		}
	}
	return ""
}

// backupSuffix returns the suffix of the nth backup, from 0.
func backupSuffix(n int) string {
	if n == 0 {
		return ".bak"
	}
	return ".bak." + strconv.Itoa(n)
}

// draft returns a draft with the owner and mode of the configuration.
func (c config) draft(name string, text []byte) (*files.Draft, error) {
	d, err := files.NewDraftIn(c.root, filepath.ToSlash(name), 0o600)
	if err != nil {
		return nil, err
	}
	d.Like(c.info)
	if _, err := d.Write(text); err != nil {
		d.Discard()
		return nil, err
	}
	return d, nil
}

// unchanged returns an error if the file has changed since it was read, because a
// running host may write it. Call it immediately before writing, because no lock
// excludes hosts.
func (c config) unchanged() error {
	text, err := c.now()
	if err != nil || !bytes.Equal(text, c.text) {
		return fmt.Errorf("%s has changed in the meantime, perhaps by the host: it stays as it is now; try again", c.path)
	}
	return nil
}

// maxBackups is the maximum number of backups with different contents.
const maxBackups = 100

// keep writes the previous content to the first unused backup name, unless an earlier
// backup has the same content. It never replaces a backup.
func (c config) keep() (string, error) {
	for n := range maxBackups {
		suffix := backupSuffix(n)
		kept, err := files.ReadIn(c.root, c.name+suffix, hosts.MaxFile)
		if err == nil && bytes.Equal(kept.Data, c.text) {
			return c.target + suffix, nil
		}
		if _, err := c.root.Lstat(c.name + suffix); errors.Is(err, fs.ErrNotExist) {
			d, err := c.draft(c.name+suffix, c.text)
			if err != nil {
				return "", err
			}
			return c.target + suffix, d.CreateNew()
		}
	}
	return "", fmt.Errorf("there are %d backups: remove some of %s.bak*", maxBackups, c.target)
}

// remove removes the file, and the link to it if there is one.
func (c config) remove() error {
	if err := c.unchanged(); err != nil {
		return err
	}
	if err := c.root.Remove(c.name); err != nil {
		return err
	}
	// If the path is not a link, it is the removed file or was created since.
	if info, err := os.Lstat(c.path); err == nil && info.Mode().Type() == fs.ModeSymlink {
		if err := os.Remove(c.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return c.sync()
}

// create writes a new configuration file. It returns an error if the file was created
// in the meantime.
func (p place) create(text []byte) error {
	folder, file := fs.FileMode(0o755), fs.FileMode(0o644)
	if p.private {
		folder, file = 0o700, 0o600
	}
	if err := os.MkdirAll(p.folder, folder); err != nil {
		return err
	}
	root, err := os.OpenRoot(p.folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(p.name), folder); err != nil {
		return err
	}
	switch err := files.CreateNewIn(root, filepath.ToSlash(p.name), text, file); {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s was created in the meantime, perhaps by the host: it stays as it is now; try again", p.path)
	case err != nil:
		return err
	}
	return p.sync()
}

// sync syncs the file's folder, so that creating, replacing or removing the file is
// durable.
func (p place) sync() error {
	return files.SyncFolder(os.Open, filepath.Dir(filepath.Join(p.folder, p.name)))
}
