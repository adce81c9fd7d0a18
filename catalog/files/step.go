package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// step is the change of one file.
type step struct {
	Edit
	Before string `json:"before"` // SHA-256 of the text that was read
	After  string `json:"after"`  // and of what it becomes

	number int
	edit   func(text []byte) ([]byte, error)
	staged place // of the new text; when that is in its place, of the text that was there
	moved  bool  // the file has its new name
	placed bool  // the file has its new text
	late   bool  // the new text has to be synced in its place
}

// name is the current name of the file.
func (st *step) name() string {
	if st.moved {
		return st.To
	}
	return st.Name
}

// place puts the new text of a file into its place. If another program has changed
// the file since it was read, that text is edited again.
func (s *Session) place(p *plan, st *step) error {
	for range patience {
		now, err := (place{s.root, st.name()}).hash()
		if err != nil {
			return err
		}
		if now == st.Before {
			if st.After == st.Before {
				return nil
			}
			if staged, err := st.staged.hash(); err == nil && staged == st.After {
				if st.placed, err = s.put(p, st, st.After, st.Before); st.placed || err != nil {
					return err
				}
			}
		}
		// There is no time to sync it, or a program that saves often is always faster.
		if err := s.restage(st, false); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: %w", st.name(), ErrBusy)
}

// put has the staged text and the text of a file change places. If what comes out
// is not what was expected, another program has saved it a moment ago, and it goes
// back. Put reports whether the text is in its place in the end.
func (s *Session) put(p *plan, st *step, text, expected string) (done bool, err error) {
	put := text
	var foreign [][]byte
	defer func() {
		for _, text := range foreign { // who read what was put for a moment may save that over it
			err = errors.Join(err, s.keep(st.name(), text))
		}
	}()
	for range patience {
		if err := s.reach(p, st, s.exchange); err != nil {
			return false, errors.Join(err, s.rescue(st))
		}
		out, err := st.staged.hash()
		if err != nil {
			return false, err
		}
		switch {
		case out == expected && put == text:
			return true, nil // what is staged now is looked at again by settle
		case out == expected:
			return false, s.rescue(st)
		}
		text, err := st.staged.read()
		if err != nil {
			return false, err
		}
		foreign = append(foreign, text)
		put, expected = out, put
	}
	return false, errors.Join(fmt.Errorf("%s: %w", st.name(), ErrBusy), s.rescue(st))
}

// rescue keeps the staged text if another program has saved it.
func (s *Session) rescue(st *step) error {
	st.staged.awaitWriters()
	text, err := st.staged.hash()
	if err != nil || text == st.Before || text == st.After {
		return ignoreMissing(err)
	}
	return s.keepAway(st.staged, st.name())
}

// reach renames between the staged place and the target. If they are on two file
// systems, the staged text is moved beside its target first.
func (s *Session) reach(p *plan, st *step, rename func(staged, target place) error) error {
	target := place{s.root, st.name()}
	err := rename(st.staged, target)
	if errors.Is(err, errElsewhere) {
		if err = s.moveBeside(p, st); err == nil {
			err = rename(st.staged, target)
		}
	}
	return err
}

func (s *Session) moveBeside(p *plan, st *step) error {
	from := st.staged
	if from.root == s.root {
		return errElsewhere
	}
	info, err := from.root.Lstat(from.name)
	if err != nil {
		return err
	}
	text, err := from.read()
	if err != nil {
		return err
	}
	st.staged = s.stagedBeside(p, st)
	return errors.Join(s.stage(st, text, info, true), from.remove())
}

// settle removes the text that was replaced. A program that had the file open may
// have written to it until now: then that is put back and edited.
func (s *Session) settle(p *plan, st *step) error {
	for range patience {
		if !st.placed {
			return nil
		}
		st.staged.awaitWriters()
		out, err := st.staged.hash()
		if err != nil {
			return err
		}
		if out == st.Before {
			return st.staged.remove()
		}
		if _, err := s.put(p, st, out, st.After); err != nil {
			return err
		}
		st.placed = false
		if err := s.place(p, st); err != nil {
			return err
		}
		if err := s.sync(st); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: %w", st.name(), ErrBusy)
}

// keep writes a text that another program has saved to the trash.
func (s *Session) keep(name string, text []byte) error {
	kept, err := s.Keep(name, text)
	if err != nil {
		return err
	}
	s.kept = append(s.kept, kept)
	s.Log.Warn("another program saved a file while it was being changed: what it saved is kept", "file", name, "copy", kept)
	return nil
}

// keepAway moves it there.
func (s *Session) keepAway(from place, name string) error {
	text, err := from.read()
	if err == nil {
		err = s.keep(name, text)
	}
	if err != nil {
		return err
	}
	return from.remove()
}

// restage reads a file, edits its text and stages what comes of it.
func (s *Session) restage(st *step, durable bool) error {
	target := place{s.root, st.name()}
	info, err := writable(target)
	if err != nil {
		return err
	}
	text, err := target.read()
	if err != nil {
		return err
	}
	edited, err := st.edit(text)
	if err != nil {
		return err
	}
	if err := s.rescue(st); err != nil {
		return err
	}
	st.Before, st.After = hashOf(text), hashOf(edited)
	if st.Before == st.After {
		return nil
	}
	st.late = !durable
	return s.stage(st, edited, info, durable)
}

// writable fails if a file may not be written to, although it could be replaced.
func writable(p place) (fs.FileInfo, error) {
	info, err := p.root.Lstat(p.name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is a link: change the file that it leads to", p.name)
	}
	opened, err := p.root.OpenFile(p.name, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	return info, opened.Close()
}

// stage writes a text to its staged place, with mode and owner of the file that it
// is for, or as a new file.
func (s *Session) stage(st *step, text []byte, like fs.FileInfo, durable bool) (err error) {
	if err := st.staged.remove(); err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	if like != nil {
		mode = 0o600 // until it has its own
	}
	f, err := st.staged.root.OpenFile(st.staged.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, st.staged.remove()) // a full disk needs the space
		}
	}()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if like != nil {
		_ = keepOwner(f, like) // which only an administrator can
		if err := f.Chmod(like.Mode().Perm()); err != nil {
			return err
		}
	}
	if !durable {
		return nil
	}
	return s.fsync(f)
}

// sync makes durable what has happened to the files of some steps.
func (s *Session) sync(steps ...*step) error {
	folders := map[string]bool{}
	for _, st := range steps {
		folders[path.Dir(st.Name)], folders[path.Dir(st.name())] = true, true
		if st.late && st.placed {
			if err := s.syncPlaced(st); err != nil {
				return err
			}
		}
	}
	for folder := range folders {
		if err := ignoreMissing(SyncFolder(s.root.Open, folder)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) syncPlaced(st *step) error {
	f, err := s.root.OpenFile(st.name(), os.O_WRONLY, 0)
	if err != nil {
		return ignoreMissing(err)
	}
	return errors.Join(s.fsync(f), f.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
