package files

import "errors"

// Remove deletes a file permanently. If check returns an error for its text, the file
// stays. A text that another program saves at that moment is kept in the trash.
func (s *Session) Remove(name string, check func(text []byte) error) error {
	if err := s.allow(name); err != nil {
		return err
	}
	p := s.newPlan(&step{Edit: Edit{Name: name}})
	st, at := p.Steps[0], place{s.root, name}
	text, err := at.read()
	if err == nil {
		err = check(text)
	}
	if err != nil {
		return err
	}
	st.Before, st.After, p.Begun = hashOf(text), hashOf(nil), true
	if err := s.save(p); err != nil {
		return err
	}
	if err := s.reachBack(p, st, at); err != nil {
		return err
	}
	if err := s.rescue(st); err != nil {
		return err
	}
	return errors.Join(s.sync(st), s.forget(p))
}

// reachBack moves a file to the staged place of st. If that place is on another file
// system, reachBack sets it to a place beside the file and tries again.
func (s *Session) reachBack(p *plan, st *step, from place) error {
	err := s.moveNew(from, st.staged)
	if errors.Is(err, errElsewhere) {
		st.staged = s.stagedBeside(p, st)
		err = s.moveNew(from, st.staged)
	}
	return err
}
