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

// ErrBusy says that another program wrote to a file at each attempt to change it.
var ErrBusy = errors.New("another program keeps writing to it: try again later")

// patience is how often an edit is repeated because another program changed the file.
const patience = 50

// Change is several files that change as one.
type Change struct{ Edits []Edit }

// Edit is a change of one file.
type Edit struct {
	Name string          `json:"name"`
	To   string          `json:"to,omitempty"` // its new name, "" if it keeps its own
	Do   json.RawMessage `json:"do,omitempty"` // what changes in it, as [Folder.Rewrite] understands it
}

// Apply makes a change: all of it, or with an error none. If not even that is
// possible, because the disk fails in the middle, the next session completes it.
// It is not begun if ctx is done before the new texts are staged. The error is
// [fs.ErrExist] if something has the new name of a file.
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
		if stuck := s.takeBack(p); stuck != nil {
			return fmt.Errorf("%w; the change is half made and will be completed: %w", err, stuck)
		}
		return errors.Join(err, s.forget(p))
	}
	for _, st := range p.Steps {
		if err := s.settle(p, st); err != nil {
			return err
		}
	}
	return s.forget(p)
}

// prepare stages every new text, and then saves the plan. Until then nothing has
// changed, and afterwards hardly any space is needed.
func (s *Session) prepare(ctx context.Context, p *plan) error {
	if s.beside { // whoever finds the staged texts must know them
		if err := s.save(p); err != nil {
			return err
		}
	}
	var group errgroup.Group
	group.SetLimit(128) // they wait for the disk
	for _, st := range p.Steps {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return s.restage(st, true)
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

// follow does what the plan says. The moves come first: they are what can fail.
func (s *Session) follow(p *plan) error {
	for _, st := range p.Steps {
		if err := s.move(st); err != nil {
			return err
		}
	}
	for _, st := range p.Steps {
		err := s.place(p, st)
		if err != nil && !(p.Complete && errors.Is(err, fs.ErrNotExist)) { // a file that is gone stays away
			return err
		}
	}
	return s.sync(p.Steps...)
}

// move gives a file its new name, with what it holds at that moment.
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

// takeBack undoes what follow has done, as far as no other program has changed it
// since.
func (s *Session) takeBack(p *plan) error {
	for _, st := range slices.Backward(p.Steps) {
		if st.placed {
			if _, err := s.put(p, st, st.Before, st.After); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			st.placed = false
		}
		if st.moved {
			to := place{s.root, st.To}
			err := s.moveNew(to, place{s.root, st.Name})
			if errors.Is(err, fs.ErrExist) { // an editor has saved it under the old name
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
