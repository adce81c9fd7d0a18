package files

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"
)

// ErrBusy means that another program wrote to a file during each attempt to change it.
var ErrBusy = errors.New("another program keeps writing to it: try again later")

// ErrHalfMade means that only a part of a change was made, and that it could not be
// rolled back. The next session completes it.
var ErrHalfMade = errors.New("the change is half made")

// ErrUncertain means that a file may have its old text or its new one. The next session
// does not change it.
var ErrUncertain = errors.New("the file has its old text or its new one")

// FileError is an error about one file of a [Folder].
type FileError struct {
	Name string // relative to the folder
	Err  error
}

func (e *FileError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns the error without the name.
func (e *FileError) Unwrap() error { return e.Err }

// fileError returns a [FileError], or nil if err is nil.
func fileError(name string, err error) error {
	if err == nil {
		return nil
	}
	return &FileError{name, err}
}

// patience is the maximum number of attempts to edit a file that other programs change.
const patience = 50

// Change is a set of edits that are applied as a unit.
type Change struct{ Edits []Edit }

// Edit is a change to one file.
type Edit struct {
	Name string          `json:"name"`
	To   string          `json:"to,omitempty"` // the new name; "" if the file keeps its name
	Do   json.RawMessage `json:"do,omitempty"` // passed to [Folder.Rewrite]
}

// Apply makes all edits of c. On an error it rolls back the edits that it made. If the
// rollback fails, too, for example because the disk fails, or if an error occurs after
// all new texts are in place, the error is [ErrHalfMade] and the next session completes
// the change. If ctx is done before the new texts are staged, nothing is changed. The
// error is [fs.ErrExist] if the new name of a file is taken.
func (s *Session) Apply(ctx context.Context, c Change) error {
	steps := make([]*step, len(c.Edits))
	for i, e := range c.Edits {
		if err := s.allow(e.Name, cmp.Or(e.To, e.Name)); err != nil {
			return err
		}
		steps[i] = s.stepOf(e)
	}
	p := s.newPlan(steps...)
	p.Complete = true
	return s.apply(ctx, p)
}

func (s *Session) stepOf(e Edit) *step {
	return &step{Edit: e, edit: func(text []byte) ([]byte, error) { return s.Rewrite(text, e.Do) }}
}

func (s *Session) apply(ctx context.Context, p *plan) error {
	if err := s.prepare(ctx, p); err != nil || !p.Begun {
		return errors.Join(err, s.forget(p))
	}
	if err := s.follow(p); err != nil {
		if stuck := s.rollback(p); stuck != nil {
			return p.unfinished(errors.Join(err, stuck))
		}
		return errors.Join(err, s.forget(p))
	}
	for _, st := range p.Steps {
		if err := s.settle(p, st); err != nil {
			return p.unfinished(fileError(st.name(), err))
		}
	}
	if err := s.forget(p); err != nil { // all new texts are in place
		return p.unfinished(err)
	}
	return nil
}

// unfinished wraps err in [ErrHalfMade] or [ErrUncertain], which say what the next
// session does with the plan.
func (p *plan) unfinished(err error) error {
	if p.Complete {
		return fmt.Errorf("%w: %w", ErrHalfMade, err)
	}
	return fmt.Errorf("%w: %w", ErrUncertain, err)
}

// prepare stages every new text, and then saves the plan. It changes no file. The rest
// of the change needs hardly any disk space.
func (s *Session) prepare(ctx context.Context, p *plan) error {
	if s.beside { // recovery finds the staged texts by the plan
		if err := s.save(p); err != nil {
			return err
		}
	}
	var group errgroup.Group
	group.SetLimit(128) // the goroutines mostly wait for the disk
	for _, st := range p.Steps {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return fileError(st.Name, s.restage(st, true))
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, st := range p.Steps {
		if st.To != "" && (place{s.root, st.To}).exists() {
			return &fs.PathError{Op: "rename", Path: st.To, Err: fs.ErrExist}
		}
		p.Begun = p.Begun || st.To != "" || st.Before != st.After
	}
	if !p.Begun {
		return nil
	}
	return s.save(p)
}

// follow carries out the plan. It moves files first, because moves are most likely to
// fail.
func (s *Session) follow(p *plan) error {
	for _, st := range p.Steps {
		if err := s.move(st); err != nil {
			return fileError(st.Name, err)
		}
	}
	for _, st := range p.Steps {
		err := s.place(p, st)
		if err != nil && !(p.Complete && errors.Is(err, fs.ErrNotExist)) { // a file that was deleted meanwhile is not created again
			return fileError(st.name(), err)
		}
	}
	return s.sync(p.Steps...)
}

// move renames a file to its new name, with its current content.
func (s *Session) move(st *step) error {
	if st.To == "" || st.moved {
		return nil
	}
	if err := MakeFolders(s.root, path.Dir(st.To)); err != nil {
		return err
	}
	err := s.moveNew(place{s.root, st.Name}, place{s.root, st.To})
	st.moved = err == nil
	return err
}

// rollback undoes follow. It keeps changes that other programs have made since.
func (s *Session) rollback(p *plan) error {
	for _, st := range slices.Backward(p.Steps) {
		if st.placed {
			if _, err := s.put(p, st, st.Before, st.After); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fileError(st.name(), err)
			}
			st.placed = false
		}
		if st.moved {
			to := place{s.root, st.To}
			err := s.moveNew(to, place{s.root, st.Name})
			if errors.Is(err, fs.ErrExist) { // an editor has saved a file under the old name
				err = s.keepAway(to, st.To)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			st.moved = false
		}
	}
	return s.sync(p.Steps...)
}
