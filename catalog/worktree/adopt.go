package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/write"
)

// Adopt copies edits of rendered files back into the entries that they come from.
type Adopt struct {
	// Render lists the rendered files. Adopt only compares them, and always sets
	// DryRun.
	Render
	Sources []render.Source
	// Due renders sources in the way in which the files of Render were rendered.
	Due func([]render.Source) []render.File
	// Catalog is the folder of the catalog.
	Catalog string
	// Paths lists the files whose edits are adopted. If it is empty, all edited files
	// are adopted.
	Paths []string
}

// AdoptedFile reports the outcome for the edit of one file, or of one entry in it.
type AdoptedFile struct {
	Path   string      `json:"path"`
	ID     catalog.ID  `json:"id,omitempty"`
	Action AdoptAction `json:"action"`
	Why    string      `json:"why,omitempty"`
	Diff   string      `json:"diff,omitempty"` // of the entry's file
}

// AdoptAction is what Adopt did with a file.
type AdoptAction string

// The actions of Adopt.
const (
	Adopted  AdoptAction = "adopted"
	NotTaken AdoptAction = "left"
)

// adopting is the state of a running Adopt.
type adopting struct {
	Adopt
	*rendering
	session *write.Session        // nil for a dry run
	changed map[catalog.ID]string // the file whose edit changed an entry
}

// Run adopts the edits. A file that is left alone is not an error. On an error it
// returns what it has adopted before. A dry run only reports what would be adopted.
func (a Adopt) Run(ctx context.Context, dryRun bool) ([]AdoptedFile, error) {
	a.Render.DryRun = true
	run := &adopting{Adopt: a, rendering: &rendering{Render: a.Render}, changed: map[catalog.ID]string{}}
	defer run.rendering.close()
	if err := run.rendering.begin(ctx); err != nil {
		return nil, err
	}
	if err := run.look(); err != nil {
		return nil, err
	}
	chosen, err := run.choose()
	if err != nil {
		return nil, err
	}
	if !dryRun && len(chosen) > 0 {
		c := write.Catalog{Folder: a.Catalog, State: a.Changes, Log: a.Log}
		if run.session, err = c.Begin(ctx); err != nil {
			return nil, err
		}
		defer run.session.Close()
	}
	all := []AdoptedFile{}
	for _, it := range chosen {
		came, err := run.adopt(it)
		if err != nil {
			return all, err
		}
		all = append(all, came...)
	}
	return all, nil
}

// choose returns the files whose edits are to be adopted. It returns an error if Paths
// names a file that is not rendered.
func (run *adopting) choose() (chosen []*item, err error) {
	if len(run.Paths) == 0 {
		return slices.DeleteFunc(slices.Clone(run.items), func(it *item) bool { return it.State != render.Edited }), nil
	}
	for _, p := range run.Paths {
		name := path.Clean(filepath.ToSlash(p))
		i := slices.IndexFunc(run.items, func(it *item) bool { return it.Path == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: no such file is rendered: name one by its path in the repository", p)
		}
		chosen = append(chosen, run.items[i])
	}
	return chosen, nil
}

// adopt adopts the edit of one file. If a part of the edit cannot be adopted, it adopts
// nothing of it. If another program has changed the file of an entry, adopt leaves that
// entry alone.
func (run *adopting) adopt(it *item) ([]AdoptedFile, error) {
	changes, err := run.changesOf(it)
	if err != nil {
		return []AdoptedFile{{Path: it.Path, Action: NotTaken, Why: err.Error()}}, nil
	}
	var came []AdoptedFile
	for _, c := range changes {
		name := c.source.Entry.Origin.Path
		if run.session != nil {
			err := run.session.Replace(name, c.source.Data, c.data)
			if errors.Is(err, write.ErrChanged) {
				came = append(came, AdoptedFile{Path: it.Path, ID: c.source.Entry.ID, Action: NotTaken, Why: name + ": " + err.Error()})
				continue
			}
			if err != nil {
				return came, fmt.Errorf("%s: %w", name, err)
			}
		}
		run.changed[c.source.Entry.ID] = it.Path
		came = append(came, AdoptedFile{
			Path: it.Path, ID: c.source.Entry.ID, Action: Adopted, Why: c.note,
			Diff: string(diff.Diff(name, c.source.Data, name, c.data)),
		})
	}
	return came, nil
}

// entryChange is the new content of an entry's file.
type entryChange struct {
	source render.Source
	data   []byte
	note   string // a note for the user
}

// changesOf returns the changes to the catalog for an edit. The error says why the edit
// is not adopted, for example because rendering the changes would not reproduce the
// edited file.
func (run *adopting) changesOf(it *item) ([]entryChange, error) {
	switch {
	case it.State == render.Conflict && it.Why == "":
		return nil, errors.New("it was edited since it was rendered, and the catalog has changed, too: make one of them as you want both, and render again")
	case it.State != render.Edited:
		return nil, fmt.Errorf("its state is %s, and only an edit of a rendered file is adopted", it.State)
	}
	changes, err := run.bodyChanges(it)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if other := run.changed[c.source.Entry.ID]; other != "" {
			return nil, fmt.Errorf("an edit of its entry %s was adopted from %s: render, and adopt again what is left", c.source.Entry.ID, other)
		}
	}
	return changes, run.verify(it, changes)
}

// bodyChanges returns the new contents of the files of the entries in a rendered file.
func (run *adopting) bodyChanges(it *item) (changes []entryChange, err error) {
	bodies := map[catalog.ID]string{}
	sources := map[catalog.ID]render.Source{}
	for _, ref := range it.due.Entries {
		i := slices.IndexFunc(run.Sources, func(s render.Source) bool { return s.Entry.ID == ref.ID })
		s := run.Sources[i]
		sources[ref.ID], bodies[ref.ID] = s, s.Entry.Body.Text()
		if len(it.due.Entries) == 1 && s.Data != nil && !it.Region && render.Decide("", s.Data, it.due.Content) == render.Same {
			return []entryChange{{source: s, data: render.WithLineEnds(it.text, s.Data)}}, nil // the rendered file is the entry's own file
		}
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
	if len(due.Sections) == 0 {
		return nil, errors.New("it holds no body of an entry: edit the file in the catalog")
	}
	edited, notes, err := editedBodies(due, text, bodies)
	for _, ref := range it.due.Entries {
		body, ok := edited[ref.ID]
		if !ok {
			continue
		}
		s := sources[ref.ID]
		front, isText := bytes.CutSuffix(s.Data, []byte(bodies[ref.ID]))
		if s.Data == nil || !isText {
			return nil, fmt.Errorf("the entry %s is not kept in Markdown: edit it in the catalog", ref.ID)
		}
		changes = append(changes, entryChange{s, append(bytes.Clone(front), body...), notes[ref.ID]})
	}
	return changes, err
}

// split separates an imported file from the region below it. own is the edit of the
// imported file, or nil if it was not edited. due and text are those of the region
// alone. If the file has no such region, split returns the file that is due and the
// text unchanged.
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
			return due, text, &entryChange{source: s, data: render.WithLineEnds(after, s.Data)}, nil
		}
	}
	return due, nil, nil, errors.New("it has text that belongs to no entry: edit the file in the catalog")
}

// verify renders the changed entries. It returns an error if the result is not the
// edited file.
func (run *adopting) verify(it *item, changes []entryChange) error {
	sources := slices.Clone(run.Sources)
	for _, c := range changes {
		i := slices.IndexFunc(sources, func(s render.Source) bool { return s.Entry.ID == c.source.Entry.ID })
		e := decodeAs(c.source.Entry, c.data)
		if e == nil || e.ID != c.source.Entry.ID {
			return fmt.Errorf("the entry %s could not be read with this edit: edit it in the catalog", c.source.Entry.ID)
		}
		sources[i].Entry, sources[i].Data = e, c.data
	}
	for _, f := range run.Due(sources) {
		if f.Path == it.Path && f.Region == it.Region && render.Decide("", f.Content, it.text) == render.Same {
			return nil
		}
	}
	return errors.New("rendering the edited entry would not give this file back: edit the entry in the catalog")
}

// decodeAs decodes new content of an entry's file in the way in which the entry was
// read. It returns nil if the content is not an entry.
func decodeAs(e *catalog.Entry, data []byte) *catalog.Entry {
	f := format.File{Path: e.Origin.Path, Data: data}
	if place, ok := agents.At(e.Origin.Path); ok && e.Origin.OfAgent() {
		f.Place = &place
	}
	return format.Decode(f).Entry
}
