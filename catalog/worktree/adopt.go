package worktree

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/write"
)

// Adopt copies edits to rendered files back into the files' entries.
type Adopt struct {
	// Render lists the rendered files. Adopt compares them, and records those whose edits
	// it has adopted. If its DryRun is set, Adopt only reports what it would adopt.
	Render
	Sources []render.Source
	// Due renders sources the way that the files of Render were rendered.
	Due func([]render.Source) []render.File
	// Base returns a version of the file at path from git's history for which matches
	// returns true, or nil if no version matches.
	Base func(ctx context.Context, path string, matches func(text []byte) bool) []byte
	// Catalog is the folder of the catalog.
	Catalog string
	// Paths lists the files whose edits are adopted. If it is empty, Adopt takes all
	// edited files, including those in conflict with a change to the catalog.
	Paths []string
}

// AdoptedFile reports the outcome for the edit of one file, or of one entry in it.
type AdoptedFile struct {
	Path   string      `json:"path"`
	ID     catalog.ID  `json:"id,omitempty"`
	Action AdoptAction `json:"action"`
	Why    string      `json:"why,omitempty"`
	// Diff is the diff of the entry's file. For a conflict that was left, it is the diff
	// from the text to render to the edited text.
	Diff string `json:"diff,omitempty"`
}

// AdoptAction is what Adopt did with a file.
type AdoptAction string

// The actions of Adopt.
const (
	Adopted  AdoptAction = "adopted"
	Merged   AdoptAction = "merged" // with a change of the catalog
	NotTaken AdoptAction = "left"
)

// adopting is the state of a running Adopt.
type adopting struct {
	Adopt
	*rendering
	session *write.Session        // nil for a dry run
	changed map[catalog.ID]string // by entry, the file whose edit changed it
}

// Run adopts the edits. A file that is left alone is not an error. On an error it also
// returns the outcomes up to then.
func (a Adopt) Run(ctx context.Context) ([]AdoptedFile, error) {
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
	if !a.DryRun && len(chosen) > 0 {
		c := write.Catalog{Folder: a.Catalog, State: a.Changes, Log: a.Log}
		if run.session, err = c.Begin(ctx); err != nil {
			return nil, err
		}
		defer run.session.Close()
	}
	all := []AdoptedFile{}
	var adopted []*item
	for _, it := range chosen {
		came, err := run.adopt(ctx, it)
		if all = append(all, came...); err != nil {
			return all, errors.Join(err, run.recordAdopted(adopted))
		}
		if came[0].Action != NotTaken {
			adopted = append(adopted, it)
		}
	}
	return all, run.recordAdopted(adopted)
}

// choose returns the files whose edits are to be adopted. It returns an error if Paths
// names a file that is not rendered.
func (run *adopting) choose() (chosen []*item, err error) {
	if len(run.Paths) == 0 {
		return slices.DeleteFunc(slices.Clone(run.items), func(it *item) bool {
			return it.State != render.Edited && (it.State != render.Conflict || it.due == nil)
		}), nil
	}
	for _, p := range run.Paths {
		name := path.Clean(filepath.ToSlash(p))
		i := slices.IndexFunc(run.items, func(it *item) bool { return it.Path == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: not a rendered file: name one by its path in the repository", p)
		}
		chosen = append(chosen, run.items[i])
	}
	return chosen, nil
}

// adopt adopts the edit of one file. It adopts none of it if a part cannot be adopted or
// if another program has changed an entry's file.
func (run *adopting) adopt(ctx context.Context, it *item) ([]AdoptedFile, error) {
	edited, action, err := run.editOf(ctx, it)
	var changes []entryChange
	if err == nil {
		changes, err = run.changesOf(edited)
	}
	if err == nil && run.session != nil {
		err = run.session.ReplaceAll(ctx, replacementsOf(changes))
		if err != nil && !errors.Is(err, write.ErrChanged) {
			return []AdoptedFile{{Path: it.Path, Action: NotTaken, Why: err.Error()}}, fmt.Errorf("%s: %w", it.Path, err)
		}
	}
	if err != nil {
		return []AdoptedFile{{Path: it.Path, Action: NotTaken, Why: err.Error(), Diff: bothSides(it)}}, nil
	}
	if len(changes) == 0 {
		return []AdoptedFile{{Path: it.Path, Action: action, Why: "the catalog has the edit already"}}, nil
	}
	var came []AdoptedFile
	for _, c := range changes {
		run.changed[c.id] = it.Path
		came = append(came, AdoptedFile{
			Path: it.Path, ID: c.id, Action: action, Why: c.note,
			Diff: string(diff.Diff(c.name, c.base, c.name, c.data)),
		})
	}
	return came, nil
}

func replacementsOf(changes []entryChange) (all []write.Replacement) {
	for _, c := range changes {
		all = append(all, write.Replacement{Name: c.name, Base: c.base, Text: c.data})
	}
	return all
}

// bothSides returns the diff from the text to render to the edited text, or "" unless the
// file is in conflict and has both.
func bothSides(it *item) string {
	if it.State != render.Conflict || it.due == nil || it.broken {
		return ""
	}
	return string(diff.Diff(it.Path+" in the catalog", it.due.Content, it.Path, it.text))
}

// editOf returns the file with the edit to adopt. If the catalog has changed, too, the
// text of the result merges both changes.
func (run *adopting) editOf(ctx context.Context, it *item) (*item, AdoptAction, error) {
	switch {
	case it.fixed:
		return nil, "", errors.New(it.Why + ": edit the entry in the catalog")
	case hasConflict(it.text) && !hasConflict(it.content()):
		return nil, "", errors.New("it has conflict markers of git: resolve the conflict first")
	case it.State == render.Edited:
		return it, Adopted, nil
	case it.State != render.Conflict:
		return nil, "", fmt.Errorf("its state is %s, and only an edit of a rendered file is adopted", it.State)
	case it.due == nil || it.Why != "":
		return nil, "", errors.New(cmp.Or(it.Why, "its entries are gone from the catalog: keep the file under another name, or remove it"))
	}
	resolve := "make the entries as you want both, and overwrite the file with \"catalog render --force " + it.Path + "\""
	const both = "it was edited since it was rendered, and the catalog has changed, too"
	base := run.baseOf(ctx, it)
	if base == nil {
		return nil, "", errors.New(both + ", and git has no commit of what was rendered: " + resolve)
	}
	text, ok := merge(base, it.due.Content, it.text)
	if !ok {
		return nil, "", errors.New(both + ", in the same lines: " + resolve)
	}
	merged := *it
	if merged.text = text; !it.Region {
		merged.file = text
	}
	return &merged, Merged, nil
}

// hasConflict reports whether a text has git's conflict markers.
func hasConflict(text []byte) bool {
	begins, ends := false, false
	for line := range bytes.Lines(text) {
		begins = begins || bytes.HasPrefix(line, []byte("<<<<<<< "))
		ends = ends || bytes.HasPrefix(line, []byte(">>>>>>> "))
	}
	return begins && ends
}

// baseOf returns the text that was rendered last, from git's history, or nil if git does
// not have it.
func (run *adopting) baseOf(ctx context.Context, it *item) (base []byte) {
	for _, l := range it.basesOf(it.Region) {
		text := run.Base(ctx, it.Path, func(text []byte) bool { return isText(it.part(text), l.SHA256) })
		if text != nil {
			return it.part(text)
		}
	}
	return nil
}

// part returns the part of a version of the file that is compared: all of it, or the text
// between the markers.
func (it *item) part(text []byte) []byte {
	if !it.Region {
		return text
	}
	content, _ := render.Content(text) // nil for broken markers
	return content
}

// recordAdopted records the files as rendered, because the catalog has their edits now.
func (run *adopting) recordAdopted(adopted []*item) error {
	if run.session == nil || len(adopted) == 0 {
		return nil
	}
	next := run.record.clone()
	for _, it := range run.items {
		for _, l := range run.record.lines[it.Path] { // several if git left both sides of a merge
			if isText(it.text, l.SHA256) {
				next.lines[it.Path] = []Line{l}
			}
		}
	}
	for _, it := range adopted {
		l := it.line()
		l.SHA256 = hashOf(it.text)
		next.lines[it.Path] = []Line{l}
		run.known.learn(it.Path, l.SHA256)
	}
	if err := run.known.save(); err != nil {
		return err
	}
	return run.writeRecord(next)
}
