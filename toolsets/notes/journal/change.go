package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"golang.org/x/sync/errgroup"
)

// Change is several files that change as one. Of a file that moves, the edit is
// under its old name.
type Change struct {
	From  string `json:"from,omitempty"` // the file that gets another name, if one does
	To    string `json:"to,omitempty"`
	Edits []Edit `json:"edits"`
}

// Edit is what changes in one file.
type Edit struct {
	Name string          `json:"name"`
	Do   json.RawMessage `json:"do"` // what changes, as [Rewrite] understands it

	Before string `json:"before"` // fingerprints of the texts, set by Apply
	After  string `json:"after"`
	Staged string `json:"staged"` // where the new text is, set by Apply

	before []byte
	mode   fs.FileMode
}

func fingerprint(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Apply makes a change: all of it, or with an error nothing. Where not even that
// can be had, because the disk fails in the middle, the plan stays and the next
// session completes it. The error is [fs.ErrExist] if something has the name that
// the file was to get.
func (s *Session) Apply(c Change) error {
	if err := s.prepare(&c); err != nil {
		return errors.Join(err, s.root.RemoveAll(staging), s.folder(staging, 0o700))
	}
	err := s.follow(&c)
	if err != nil {
		if stuck := s.takeBack(&c); stuck != nil {
			return fmt.Errorf("%w; the change is half made and will be completed: %w", err, stuck)
		}
	}
	return errors.Join(err, s.forget())
}

// prepare stages every new text, and then the plan. Until then nothing has
// changed, and afterwards hardly any space is needed.
func (s *Session) prepare(c *Change) error {
	var group errgroup.Group
	group.SetLimit(128) // they wait for the disk
	for i := range c.Edits {
		e := &c.Edits[i]
		e.Staged = s.nextStaged()
		group.Go(func() error { return s.prepareEdit(e) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if c.From != "" {
		if _, err := s.root.Lstat(c.To); err == nil {
			return &fs.PathError{Op: "rename", Path: c.To, Err: fs.ErrExist}
		}
	}
	plan, err := json.Marshal(c)
	if err != nil {
		return err
	}
	staged := s.nextStaged()
	if err := s.stage(staged, plan, 0o600); err != nil {
		return err
	}
	if err := s.sync(staging); err != nil {
		return err
	}
	if err := s.root.Rename(staged, planFile); err != nil {
		return err
	}
	return s.sync(Hidden)
}

func (s *Session) prepareEdit(e *Edit) (err error) {
	if e.before, e.mode, err = s.readForWriting(e.Name); err != nil {
		return err
	}
	text, err := s.rewrite(e.before, e.Do)
	if err != nil {
		return err
	}
	e.Before, e.After = fingerprint(e.before), fingerprint(text)
	return s.stage(e.Staged, text, e.mode)
}

// follow does what the plan says and has not been done yet.
func (s *Session) follow(c *Change) error {
	folders := map[string]bool{}
	for i := range c.Edits { // the file that moves comes first: it is what can fail
		if e := &c.Edits[i]; e.Name == c.From {
			if err := s.move(e, c.To); err != nil {
				return err
			}
			folders[path.Dir(c.From)], folders[path.Dir(c.To)] = true, true
		}
	}
	for i := range c.Edits {
		if e := &c.Edits[i]; e.Name != c.From {
			if err := s.replace(e); err != nil {
				return err
			}
			folders[path.Dir(e.Name)] = true
		}
	}
	for folder := range folders {
		if err := s.sync(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// move gives the edited file its new name. It may have been done by half: then
// both names are there.
func (s *Session) move(e *Edit, to string) error {
	old, err := s.Read(e.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	there, err := s.Read(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := s.renew(e, old); err != nil {
			return err
		}
		err = s.placeNew(e.Staged, to)
	case err == nil && fingerprint(there) != e.After:
		err = &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	case err == nil && fingerprint(old) != e.Before: // edited before the next start
		if err := s.renew(e, old); err != nil {
			return err
		}
		err = s.root.Rename(e.Staged, to)
	}
	if err != nil {
		return err
	}
	return s.root.Remove(e.Name)
}

// replace puts the edited text into its place. A file that is gone stays away.
func (s *Session) replace(e *Edit) error {
	now, err := s.Read(e.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case fingerprint(now) == e.After:
		return nil
	}
	if err := s.renew(e, now); err != nil {
		return err
	}
	return s.root.Rename(e.Staged, e.Name)
}

// renew stages the text of the edit again if the file has changed since it was
// staged.
func (s *Session) renew(e *Edit, now []byte) error {
	if fingerprint(now) == e.Before {
		return nil
	}
	text, err := s.rewrite(now, e.Do)
	switch {
	case err != nil && s.completing:
		text = now // nobody is there to mend it, and the rest is worth more
	case err != nil:
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	info, err := s.root.Lstat(e.Name)
	if err != nil {
		return err
	}
	e.Before, e.After, e.before = fingerprint(now), fingerprint(text), bytes.Clone(now)
	return s.stage(e.Staged, text, info.Mode().Perm())
}

// takeBack makes undone what follow has done, as far as nobody has changed it
// since. The plan stays until it is through: whoever dies here leaves what the
// next session completes.
func (s *Session) takeBack(c *Change) error {
	for i := range c.Edits {
		e := &c.Edits[i]
		name := e.Name
		if e.Name == c.From {
			name = c.To
		}
		now, err := s.Read(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && (fingerprint(now) != e.After || e.After == e.Before && name == e.Name) {
			continue
		} else if err != nil {
			return err
		}
		if err := s.putBack(e, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) putBack(e *Edit, name string) error {
	staged := s.nextStaged()
	if err := s.stage(staged, e.before, e.mode); err != nil {
		return err
	}
	if err := s.root.Rename(staged, e.Name); err != nil {
		return err
	}
	if name != e.Name {
		if err := s.root.Remove(name); err != nil {
			return err
		}
	}
	return s.sync(path.Dir(e.Name))
}

// complete follows the plan of a process that died.
func (s *Session) complete() error {
	text, err := s.Read(planFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	var c Change
	if err := json.Unmarshal(text, &c); err != nil {
		return fmt.Errorf("%s cannot be understood: %w", planFile, err)
	}
	s.completing = true
	defer func() { s.completing = false }()
	if err := s.follow(&c); err != nil && !errors.Is(err, fs.ErrExist) { // then nothing has been done
		return fmt.Errorf("complete a change that was interrupted: %w", err)
	}
	return s.forget()
}

// forget removes the plan: the change is made.
func (s *Session) forget() error {
	if err := s.root.Remove(planFile); err != nil {
		return err
	}
	return s.sync(Hidden)
}
