package files

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// plan is the stored form of a change. If the process dies, the next one completes the
// change, or removes its staged texts.
type plan struct {
	ID       string  `json:"id"`       // part of the names of texts that are staged beside their targets
	Begun    bool    `json:"begun"`    // all texts are staged, and files may have changed
	Complete bool    `json:"complete"` // the next process is to complete the change
	Steps    []*step `json:"steps"`
}

// newPlan returns a plan with the steps. It assigns each step a number and a staging
// place.
func (s *Session) newPlan(steps ...*step) *plan {
	p := &plan{ID: rand.Text()[:12], Steps: steps}
	for i, st := range p.Steps {
		st.number = i
		if st.staged = s.stagedInState(st); s.beside {
			st.staged = s.stagedBeside(p, st)
		}
	}
	return p
}

func (s *Session) stagedInState(st *step) place {
	return place{s.own, fmt.Sprintf("%s/%d", pending, st.number)}
}

// stagedBeside returns a hidden name beside the target. It contains the ID of the plan.
func (s *Session) stagedBeside(p *plan, st *step) place {
	return place{s.root, path.Join(path.Dir(cmp.Or(st.To, st.Name)), fmt.Sprintf(".catalog-%s-%d.tmp", p.ID, st.number))}
}

// planFile is the state file of a plan.
var planFile = State{Name: "plan", Kind: "change of files", Version: 1}

const planName = pending + "/plan"

// save writes the plan. It syncs the plan only if the next process is to complete the
// change. Any other change is a single step, which is atomic whether or not the plan is
// on disk.
func (s *Session) save(p *plan) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	fresh := place{s.own, planName + ".new"}
	f, err := s.own.OpenFile(fresh.name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	durable := p.Begun && p.Complete
	_, err = f.Write(planFile.Encode(body))
	if err == nil && durable {
		err = s.fsync(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, fresh.remove())
	}
	if err := s.own.Rename(fresh.name, planName); err != nil || !durable {
		return err
	}
	return SyncFolder(s.own.Open, pending)
}

// load reads the plan of a process that died. The error is [fs.ErrNotExist] if that
// process saved none.
func (s *Session) load() (*plan, error) {
	f, err := ReadIn(s.own, planName, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	body, err := planFile.Decode(f.Data)
	if err != nil {
		return nil, err
	}
	var said plan
	if err := json.Unmarshal(body, &said); err != nil {
		return nil, err
	}
	p := s.newPlan()
	*p = plan{ID: said.ID, Begun: said.Begun, Complete: said.Complete}
	if strings.ContainsFunc(p.ID, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }) {
		return nil, ErrDamaged
	}
	for i, was := range said.Steps {
		st := s.stepOf(was.Edit)
		st.number, st.Before, st.After = i, was.Before, was.After
		st.staged = s.stagedInState(st)
		p.Steps = append(p.Steps, st)
		if err := s.allow(st.Name); err != nil {
			return nil, err
		}
		if st.To != "" {
			if err := s.allow(st.To); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// forget removes the staged texts and the plan of a change that is complete or
// abandoned.
func (s *Session) forget(p *plan) error {
	for _, st := range p.Steps {
		if err := errors.Join(st.staged.remove(), st.staged.displaced().remove()); err != nil {
			return err
		}
	}
	if err := (place{s.own, planName}).remove(); err != nil || !p.Complete {
		return err
	}
	return SyncFolder(s.own.Open, pending)
}

// recover completes the change of a process that died. It sets aside a change that
// cannot be completed, so that it does not block later changes. If the disk cannot be
// written to, it returns an error and leaves the change for the next session.
func (s *Session) recover() error {
	left, err := List(s.own, pending)
	if err != nil || len(left) == 0 {
		return err
	}
	p, err := s.load()
	switch {
	case errors.Is(err, fs.ErrNotExist): // the process died before it saved a plan
		err = nil
	case err == nil:
		err = s.complete(p)
	}
	if diskRefuses(err) {
		return fmt.Errorf("a change that was interrupted cannot be completed yet: %w", err)
	} else if err != nil {
		return s.setAside(p, err)
	}
	for _, file := range left {
		if err := s.own.RemoveAll(pending + "/" + file.Name()); err != nil {
			return err
		}
	}
	return nil
}

// diskRefuses reports whether the disk cannot be written to: it is full or read-only,
// or the quota is exceeded. Such an error may be temporary, and other changes would
// fail with it, too.
func diskRefuses(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS}, func(e error) bool { return errors.Is(err, e) })
}

// complete carries out the rest of a change. It continues after an error and returns
// all errors.
func (s *Session) complete(p *plan) error {
	var failed error
	for _, st := range p.Steps {
		err := s.locate(st)
		if err == nil {
			err = s.salvage(p, st)
		}
		if err == nil && p.Begun && p.Complete {
			err = s.completeStep(p, st)
		}
		if err = errors.Join(ignoreMissing(err), st.staged.remove()); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", st.name(), err))
		}
	}
	return failed
}

func (s *Session) completeStep(p *plan, st *step) error {
	if err := s.move(st); err != nil {
		return err
	}
	if err := s.place(p, st); err != nil {
		return err
	}
	if err := s.sync(st); err != nil {
		return err
	}
	return s.settle(p, st)
}

// locate sets st.moved if the file already has its new name. The error is [fs.ErrExist]
// if the old name exists and another file has the new one.
func (s *Session) locate(st *step) error {
	to := place{s.root, st.To}
	if st.To == "" || !to.exists() {
		return nil
	}
	text, err := to.hash()
	if err != nil {
		return err
	}
	if (place{s.root, st.Name}).exists() && text != st.Before && text != st.After {
		return &fs.PathError{Op: "rename", Path: st.To, Err: fs.ErrExist}
	}
	st.moved = true
	return nil
}

// salvage examines all places where a text of the step may have been staged. If it
// finds the new text there, completeStep can use it. Text that another program saved
// goes to the trash; everything else is removed.
func (s *Session) salvage(p *plan, st *step) error {
	now, err := (place{s.root, st.name()}).hash()
	if err := ignoreMissing(err); err != nil {
		return err
	}
	inState, beside := s.stagedInState(st), s.stagedBeside(p, st)
	for _, staged := range []place{inState, inState.displaced(), beside, beside.displaced()} {
		text, err := staged.hash()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case p.Begun && text == st.After:
			st.staged = staged
			continue
		case p.Begun && now != st.Before && text != hashOf(nil) && (text != st.Before || now == hashOf(nil)):
			err = s.keepAway(staged, st.name())
		default:
			err = staged.remove()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setAside moves the plan and the staged texts, unchanged, to a folder for a person to
// inspect, and logs an error.
func (s *Session) setAside(p *plan, cause error) error {
	aside := fmt.Sprintf("set-aside-%d", time.Now().UnixNano())
	if err := s.own.Rename(pending, aside); err != nil {
		return err
	}
	var names []string
	if p != nil {
		for _, st := range p.Steps {
			names = append(names, st.name())
		}
	}
	s.Log.Error("a change that was interrupted cannot be completed, and is set aside: see that the files are as you want them, then delete the folder",
		"folder", filepath.Join(s.own.Name(), aside), "in", s.Path, "files", names, "error", cause)
	return s.own.Mkdir(pending, 0o700)
}
