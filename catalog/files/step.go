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
	After  string `json:"after"`  // SHA-256 of the new text

	number int
	edit   func(text []byte) ([]byte, error)
	staged place // holds the new text, and after the exchange the replaced text
	moved  bool  // the file has its new name
	placed bool  // the file has its new text
	late   bool  // the new text is synced only after it is placed
}

// name returns the current name of the file.
func (st *step) name() string {
	if st.moved {
		return st.To
	}
	return st.Name
}

// place puts the new text of a file in place. If another program has changed the file
// since it was read, place edits the changed text and tries again. The error is
// [ErrBusy] if all attempts fail.
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
		// Do not sync: a program that saves often would always be faster.
		if err := s.restage(st, false); err != nil {
			return err
		}
	}
	return ErrBusy
}

// put swaps the staged text and the file. If the old content is not expected, another
// program has just saved the file, and put swaps back. done reports whether the file
// now has text. The error is [ErrBusy] if other programs keep changing the file.
func (s *Session) put(p *plan, st *step, text, expected string) (done bool, err error) {
	put := text
	var foreign [][]byte
	defer func() {
		for _, text := range foreign { // keep a copy: a program that read the other text meanwhile may overwrite this one
			err = errors.Join(err, s.keep(st.name(), text))
		}
	}()
	for range patience {
		if err := s.reach(p, st, s.exchange); err != nil {
			if len(foreign) > 0 { // the other program's text could not be restored
				err = fmt.Errorf("%w: %w", ErrUncertain, err)
			}
			return false, errors.Join(err, s.rescue(st))
		}
		out, err := st.staged.hash()
		if err != nil {
			return false, err
		}
		switch {
		case out == expected && put == text:
			return true, nil // settle checks the staged text again
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
	return false, errors.Join(ErrBusy, s.rescue(st))
}

// rescue moves the staged text to the trash if another program has saved it.
func (s *Session) rescue(st *step) error {
	st.staged.awaitWriters()
	text, err := st.staged.hash()
	if err != nil || text == st.Before || text == st.After {
		return ignoreMissing(err)
	}
	return s.keepAway(st.staged, st.name())
}

// reach calls rename with the staged place and the target. If they are on different
// file systems, it moves the staged text beside the target and tries again.
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

// settle removes the replaced text. If a program that had the file open has written to
// the replaced text, settle puts that text back and edits it.
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
	return ErrBusy
}

// keep copies a text that another program has saved to the trash, and logs a warning.
func (s *Session) keep(name string, text []byte) error {
	kept, err := s.Keep(name, text)
	if err != nil {
		return err
	}
	s.kept = append(s.kept, kept)
	s.Log.Warn("another program saved a file while it was being changed: the saved version is kept", "file", name, "copy", kept)
	return nil
}

// keepAway copies the text of the file at from to the trash, logs a warning and removes
// the file.
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

// restage reads a file, edits its text and stages the result. durable says whether to
// sync the staged text.
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

// writable returns an error if this process may not write to a file, or if it is not a
// regular file. Without this check, a rename would replace even a read-only file.
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

// stage writes a text to its staged place. The file gets the mode and, if possible, the
// owner of like. If like is nil, it gets those of a new file.
func (s *Session) stage(st *step, text []byte, like fs.FileInfo, durable bool) (err error) {
	if err := st.staged.remove(); err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	if like != nil {
		mode = 0o600 // until Chmod sets the mode of like
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
		_ = keepOwner(f, like) // usually only an administrator may change the owner
		if err := f.Chmod(like.Mode().Perm()); err != nil {
			return err
		}
	}
	if !durable {
		return nil
	}
	return s.fsync(f)
}

// sync makes the changes of the steps durable. It syncs the folders, and the files
// whose new text was not synced before it was placed.
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
