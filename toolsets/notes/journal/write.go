package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"instruction-catalog/catalog/files"
)

// Create writes a file that is not there yet, and the folders above it. The
// error is [fs.ErrExist] if something has the name.
func (s *Session) Create(name string, text []byte) error {
	staged := s.nextStaged()
	if err := s.stage(staged, text, newFile); err != nil {
		return err
	}
	err := s.makeFolders(path.Dir(name))
	if err == nil {
		err = s.placeNew(staged, name)
	}
	if err != nil {
		return errors.Join(err, s.root.Remove(staged))
	}
	return s.sync(path.Dir(name))
}

// Edit replaces the text of a file by what edit makes of it, which is asked
// again when somebody writes to the file meanwhile. What comes back unchanged is
// not written.
func (s *Session) Edit(name string, edit func(text []byte) ([]byte, error)) error {
	for {
		done, err := s.edit(name, edit)
		if done || err != nil {
			return err
		}
	}
}

// edit is not done when somebody has written to the file meanwhile.
func (s *Session) edit(name string, edit func(text []byte) ([]byte, error)) (done bool, err error) {
	old, mode, err := s.readForWriting(name)
	if err != nil {
		return false, err
	}
	text, err := edit(old)
	if err != nil || bytes.Equal(old, text) {
		return true, err
	}
	staged := s.nextStaged()
	if err := s.stage(staged, text, mode); err != nil {
		return false, err
	}
	now, err := s.Read(name)
	if err == nil && bytes.Equal(now, old) {
		if err = s.root.Rename(staged, name); err == nil {
			return true, s.sync(path.Dir(name))
		}
	}
	return false, errors.Join(err, s.root.Remove(staged))
}

// Delete moves a file into the trash, beside what was deleted under its name
// before.
func (s *Session) Delete(name string) error {
	if err := s.makeFolders(path.Join(Trash, path.Dir(name))); err != nil {
		return err
	}
	for n := 1; ; n++ {
		kept := path.Join(Trash, name)
		if n > 1 {
			extension := path.Ext(kept)
			kept = fmt.Sprintf("%s %d%s", strings.TrimSuffix(kept, extension), n, extension)
		}
		if _, err := s.root.Lstat(kept); err == nil {
			continue
		}
		if err := s.root.Rename(name, kept); err != nil {
			return err
		}
		return errors.Join(s.sync(path.Dir(kept)), s.sync(path.Dir(name)))
	}
}

// readForWriting fails where the file may not be written to, although it could
// be replaced.
func (s *Session) readForWriting(name string) ([]byte, fs.FileMode, error) {
	info, err := s.root.Lstat(name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is a link: change the file that it leads to", name)
	}
	opened, err := s.root.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return nil, 0, err
	}
	if err := opened.Close(); err != nil {
		return nil, 0, err
	}
	text, err := s.Read(name)
	return text, info.Mode().Perm(), err
}

func (s *Session) nextStaged() string {
	s.staged++
	return staging + "/" + strconv.Itoa(s.staged)
}

// newFile is the mode of a file that was not there: the process masks it. That of
// an existing one is kept to the bit.
const newFile = fs.ModeIrregular | 0o666

// stage writes a text durably under a name of our own. What has that name may be a
// note already, under a second name, and is not written to.
func (s *Session) stage(staged string, text []byte, mode fs.FileMode) (err error) {
	if err := s.root.Remove(staged); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := s.root.OpenFile(staged, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, s.root.Remove(staged)) // a full disk needs the space
		}
	}()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if mode != newFile {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	return f.Sync()
}

// placeNew gives a staged file its name, unless something has it.
func (s *Session) placeNew(staged, name string) error {
	err := s.root.Link(staged, name)
	switch {
	case err == nil:
		return s.root.Remove(staged)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	// Some file systems have no hard links.
	if _, err := s.root.Lstat(name); err == nil {
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	return s.root.Rename(staged, name)
}

// makeFolders makes a folder and those above it, durably.
func (s *Session) makeFolders(name string) error {
	switch err := s.root.Mkdir(name, 0o777); {
	case name == ".", errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		if err := s.makeFolders(path.Dir(name)); err != nil {
			return err
		}
		if err := s.root.Mkdir(name, 0o777); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	return s.sync(path.Dir(name))
}

// sync makes durable which files a folder has.
func (s *Session) sync(folder string) error {
	return files.SyncFolder(s.root.Open, folder)
}
