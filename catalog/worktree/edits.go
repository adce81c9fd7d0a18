package worktree

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/render"
)

// entryChange is the new content of an entry's file.
type entryChange struct {
	id         catalog.ID
	name       string // path of the file in the catalog
	base, data []byte
	note       string // a note for the user
}

func changeOf(s render.Source, data []byte) entryChange {
	return entryChange{id: s.Entry.ID, name: s.Entry.Origin.Path, base: s.Data, data: data}
}

// changesOf returns the changes to the catalog for an edit. The error says why the edit
// is not adopted, for example because rendering the changes would not reproduce the
// edited file.
func (run *adopting) changesOf(it *item) ([]entryChange, error) {
	if render.Decide("", it.content(), it.text) == render.Same {
		return nil, nil
	}
	changes, err := run.entryChanges(it)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if other := run.changed[c.id]; other != "" {
			return nil, fmt.Errorf("an edit of its entry %s was adopted from %s: render, and adopt again what is left", c.id, other)
		}
	}
	return changes, run.verify(it, changes)
}

// sourceOf returns the source of an entry that is rendered.
func (run *adopting) sourceOf(id catalog.ID) render.Source {
	return run.Sources[slices.IndexFunc(run.Sources, func(s render.Source) bool { return s.Entry.ID == id })]
}

// entryChanges returns the new contents of the files of the entries in a rendered file.
func (run *adopting) entryChanges(it *item) (changes []entryChange, err error) {
	if len(it.due.Entries) == 1 && !it.Region {
		return run.wholeChange(it)
	}
	due, text, own, err := run.split(it)
	if err != nil {
		return nil, err
	}
	if own != nil {
		changes = append(changes, *own)
	}
	if bytes.Equal(due.Content, text) {
		return changes, nil
	}
	bodies := map[catalog.ID]string{}
	for _, ref := range it.due.Entries {
		bodies[ref.ID] = run.sourceOf(ref.ID).Entry.Body.Text()
	}
	edited, notes, err := editedBodies(due, text, bodies)
	for _, ref := range it.due.Entries {
		body, ok := edited[ref.ID]
		if !ok {
			continue
		}
		s := run.sourceOf(ref.ID)
		data, err := format.Set(fileOf(s.Entry, s.Data), format.Values{Body: &body})
		if err != nil {
			return nil, fmt.Errorf("the entry %s: %w: edit it in the catalog", ref.ID, err)
		}
		c := changeOf(s, data)
		c.note = notes[ref.ID]
		changes = append(changes, c)
	}
	return changes, err
}

// wholeChange returns the change for an edit of a file with one entry.
func (run *adopting) wholeChange(it *item) ([]entryChange, error) {
	s := run.sourceOf(it.due.Entries[0].ID)
	if s.Data != nil && render.Decide("", s.Data, it.due.Content) == render.Same { // the rendered file is the entry's own file
		return []entryChange{changeOf(s, render.WithLineEnds(it.text, s.Data))}, nil
	}
	if len(it.due.Sections) == 0 {
		return skillFileChange(it, s)
	}
	values, err := editedFields(it.due, it.text, s.Entry)
	if err != nil {
		return nil, err
	}
	data, err := format.Set(fileOf(s.Entry, s.Data), values)
	if err != nil {
		return nil, fmt.Errorf("%w: edit it in the catalog", err)
	}
	return []entryChange{changeOf(s, data)}, nil
}

// skillFileChange returns the change for an edit to a skill's file other than SKILL.md.
func skillFileChange(it *item, s render.Source) ([]entryChange, error) {
	names := slices.SortedFunc(maps.Keys(s.Files), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, name := range names { // the longest first, since one name may end in another
		data := s.Files[name]
		if strings.HasSuffix(it.Path, "/"+name) && bytes.Equal(data, it.due.Content) {
			c := changeOf(s, render.WithLineEnds(it.text, data))
			c.name, c.base = skillFile(s, name), data
			return []entryChange{c}, nil
		}
	}
	return nil, errors.New("it has no body of an entry: edit the file in the catalog")
}

// skillFile returns the path in the catalog of a file in the folder of a skill.
func skillFile(s render.Source, name string) string {
	return strings.TrimSuffix(s.Entry.Origin.Path, path.Base(s.Entry.Origin.Path)) + name
}

// split separates an imported file from the region below it. own is the edit of the
// imported file, or nil if it was not edited. due and text are those of the region alone.
// If the file has no such region, split returns it.due and it.text unchanged.
func (run *adopting) split(it *item) (due render.File, text []byte, own *entryChange, err error) {
	r, found, err := render.Find(it.due.Content)
	if it.Region || err != nil || !found {
		return *it.due, it.text, nil, nil
	}
	before, err := render.Cut(it.due.Content)
	if err != nil {
		return due, nil, nil, err
	}
	after, err := render.Cut(it.file)
	if err != nil {
		return due, nil, nil, err
	}
	if text, err = render.Content(it.file); text == nil {
		return due, nil, nil, errors.Join(err, errors.New("its region was deleted: leave its entries out with where"))
	}
	due = *it.due
	due.Content, due.Sections = it.due.Content[r.ContentStart:r.EndsAt], nil
	for _, s := range it.due.Sections {
		if s.Start >= r.ContentStart {
			s.Start, s.End = s.Start-r.ContentStart, s.End-r.ContentStart
			due.Sections = append(due.Sections, s)
		}
	}
	if render.Decide("", before, after) == render.Same {
		return due, text, nil, nil
	}
	for _, s := range run.Sources {
		if s.Path == it.Path && s.Data != nil && bytes.HasPrefix(before, s.Data) {
			c := changeOf(s, render.WithLineEnds(after, s.Data))
			return due, text, &c, nil
		}
	}
	return due, nil, nil, errors.New("it has text that belongs to no entry: edit the file in the catalog")
}

// verify renders the changed entries. It returns an error unless the result is the edited
// file, or differs from it only in layout.
func (run *adopting) verify(it *item, changes []entryChange) error {
	sources := slices.Clone(run.Sources)
	for _, c := range changes {
		s := &sources[slices.IndexFunc(sources, func(s render.Source) bool { return s.Entry.ID == c.id })]
		if c.name != s.Entry.Origin.Path {
			s.Files = maps.Clone(s.Files)
			s.Files[strings.TrimPrefix(c.name, skillFile(*s, ""))] = c.data
			continue
		}
		e := format.Decode(fileOf(s.Entry, c.data)).Entry
		if e == nil || e.ID != c.id {
			return fmt.Errorf("the entry %s could not be read with this edit: edit it in the catalog", c.id)
		}
		s.Entry, s.Data = e, c.data
	}
	for _, f := range run.Due(sources) {
		if f.Path != it.Path || f.Region != it.Region {
			continue
		}
		if render.Decide("", f.Content, it.text) == render.Same || isSameLayout(f, it.text) {
			return nil
		}
		return notGivenBack(f.Content, it.text)
	}
	return errors.New("with this edit the entry would not be rendered here: edit the entry in the catalog")
}

// fileOf returns e's file with data as its content. It decodes the same way as e.
func fileOf(e *catalog.Entry, data []byte) format.File {
	f := format.File{Path: e.Origin.Path, Data: data}
	if place, ok := agents.At(e.Origin.Path); ok && e.Origin.OfAgent() {
		f.Place = &place
	}
	return f
}
