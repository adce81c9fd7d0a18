package writing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"

	"instruction-catalog/catalog/files"
	"instruction-catalog/toolsets/notes"
)

// Errors that are not about params.
var (
	ErrExists   = errors.New("there is a note with that file name: choose another title or folder, or update that note")
	ErrNotFound = errors.New("there is no note with that id")
)

// NotFoundError is an [ErrNotFound] with the given id and the most similar ids.
type NotFoundError struct {
	ID      string
	Nearest []string
}

func (e *NotFoundError) Error() string {
	text := fmt.Sprintf("there is no note with the id %q", e.ID)
	if len(e.Nearest) > 0 {
		text += ": the nearest are " + strings.Join(e.Nearest, ", ")
	}
	return text
}

// Is reports whether the target is [ErrNotFound].
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

var errStale = &ParamError{"ifHash", "the note has changed since it was read: read it again, and decide anew"}

// Vault provides snapshots of the notes. Snapshot may be slightly out of date. Look is
// current but scans the folder.
type Vault interface {
	Snapshot(context.Context) (*notes.Snapshot, error)
	Look(context.Context) (*notes.Snapshot, error)
}

// Writer changes the notes of one vault. It is safe for concurrent use, even by several
// processes.
type Writer struct {
	Folder string
	// State is a folder outside the vault that stores the plans of changes.
	State string
	Vault Vault // the vault in Folder
	// RejectLinks rejects a new title if links would have to be rewritten for it.
	RejectLinks bool
	Log         *slog.Logger

	once  sync.Once
	files *files.Folder
	dry   bool // whether to write nothing
}

// DryRun returns a writer that writes nothing and reports what it would write.
func (w *Writer) DryRun() *Writer {
	return &Writer{Folder: w.Folder, State: w.State, Vault: w.Vault, RejectLinks: w.RejectLinks, Log: w.Log, dry: true}
}

// trash is the folder in the vault for deleted notes.
const trash = ".trash"

// folder returns the folder of the vault, prepared for writing.
func (w *Writer) folder() *files.Folder {
	w.once.Do(func() {
		w.files = &files.Folder{Path: w.Folder, State: w.State, Trash: trash, Owns: ownsNote, Rewrite: rewrite, Log: w.Log}
	})
	return w.files
}

// ownsNote reports whether name is the path of a note that is not hidden.
func ownsNote(name string) bool {
	hidden := func(segment string) bool { return strings.HasPrefix(segment, ".") }
	return notes.IsNote(path.Base(name)) && !slices.ContainsFunc(strings.Split(name, "/"), hidden)
}

func (w *Writer) begin(ctx context.Context) (session, error) {
	if w.dry {
		return newRehearsal(w.Folder)
	}
	return w.folder().Begin(ctx)
}

// Complete finishes an interrupted rename, if there is one.
func (w *Writer) Complete(ctx context.Context) error {
	if !w.folder().Interrupted() {
		return nil
	}
	s, err := w.folder().Begin(ctx)
	if err != nil {
		return err
	}
	return s.Close()
}

// Changed is the result of a change.
type Changed struct {
	ID       notes.ID    // the current id of the note
	Before   *notes.Note // the note before the change; nil if it is new
	Warnings []string    // messages for the caller
	Would    []Effect    // effects of a dry run, sorted by id
}

// Create writes a new note to a folder; "" is the vault itself. It returns [ErrExists],
// a [ParamError] or a file system error.
func (w *Writer) Create(ctx context.Context, folder, title, content string, tags []string) (Changed, error) {
	name, err := checkTitle(title)
	if err != nil {
		return Changed{}, err
	}
	if folder, err = checkDirectory(folder); err != nil {
		return Changed{}, err
	}
	file, err := newFile(title, content, tags)
	if err != nil {
		return Changed{}, err
	}
	return w.change(ctx, func(s session) (Changed, error) {
		id := notes.ID(path.Join(folder, name+".md"))
		warnings, err := w.create(ctx, s, notes.NewNote(id, file))
		return Changed{ID: id, Warnings: warnings}, err
	})
}

// change calls do under the lock. It adds a warning for each version of a file that
// another program saved meanwhile and that was kept.
func (w *Writer) change(ctx context.Context, do func(session) (Changed, error)) (c Changed, err error) {
	s, err := w.begin(ctx)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	c, err = do(s)
	if r, ok := s.(*rehearsal); ok {
		c.Would = r.effects()
	}
	for _, name := range s.Kept() {
		c.Warnings = append(c.Warnings, "Saved by another program meanwhile, and kept: "+name)
	}
	return c, err
}

func (w *Writer) create(ctx context.Context, s session, n *notes.Note) (warnings []string, err error) {
	if err := checkFolder(s.Root(), n.ID.Folder()); err != nil {
		return nil, err
	}
	if err := w.checkFree(ctx, s, n.ID); err != nil {
		return nil, err
	}
	if warnings, err = w.makeWay(ctx, s, n); err != nil {
		return nil, err
	}
	err = s.Create(string(n.ID), n.File)
	switch {
	case errors.Is(err, fs.ErrExist):
		err = exists(string(n.ID))
	case err != nil: // makeWay may have changed links
		err = fmt.Errorf("%w: %w", errLater, err)
	}
	return warnings, err
}

// checkFree returns [ErrExists] if there is already a file with the id, or a
// [notes.UnreadError] if that file cannot be read.
func (w *Writer) checkFree(ctx context.Context, s session, id notes.ID) error {
	there, err := taken(s.Root(), id)
	if err != nil || there == "" {
		return err
	}
	snapshot, err := w.Vault.Look(ctx)
	if err != nil {
		return err
	}
	return cmp.Or(snapshot.CheckRead(there), exists(there))
}

// makeWay rewrites the links that would otherwise resolve to the new note n instead of
// their present target. The new spellings already resolve correctly before n exists.
func (w *Writer) makeWay(ctx context.Context, s session, n *notes.Note) (warnings []string, err error) {
	snapshot, err := w.Vault.Look(ctx)
	if err != nil {
		return nil, err
	}
	if there, _ := snapshot.Find(string(n.ID)); there != nil {
		return nil, exists(string(there.ID)) // another process created it meanwhile
	}
	if !snapshot.Shares(n) {
		return nil, nil
	}
	r := newArrival(snapshot, n)
	plan, err := w.plan(s, r)
	if err != nil || len(plan.Edits) == 0 {
		return nil, err
	}
	return r.warnings, s.Apply(ctx, plan)
}

func exists(name string) error {
	if name == "" {
		return nil
	}
	return fmt.Errorf("%s: %w", name, ErrExists)
}

// isLink reports whether the file of a note is not a regular file, such as a symbolic
// link. The target of a link is another note or outside the vault.
func isLink(s session, id notes.ID) bool {
	info, err := s.Root().Lstat(string(id))
	return err == nil && !info.Mode().IsRegular()
}

// rename changes the title of a note and rewrites the links to it. It returns warnings.
func (w *Writer) rename(ctx context.Context, s session, snapshot *notes.Snapshot, note *notes.Note, id notes.ID, c change) ([]string, error) {
	if err := snapshot.CheckLinks("links to the note may be there, so nothing was renamed"); err != nil {
		return nil, err
	}
	if id != note.ID {
		if err := w.checkFree(ctx, s, id); err != nil {
			return nil, err
		}
	}
	r, err := newRename(snapshot, note, id, c)
	if err != nil {
		return nil, err
	}
	plan, err := w.plan(s, r)
	if err != nil {
		return nil, err
	}
	if err := c.keepDropped(s, note); err != nil {
		return nil, err
	}
	if len(plan.Edits) == 1 && plan.Edits[0].To == "" {
		return r.warnings, s.Edit(string(note.ID), func(file []byte) ([]byte, error) { return rewrite(file, plan.Edits[0].Do) })
	}
	err = s.Apply(ctx, plan)
	if errors.Is(err, fs.ErrExist) {
		err = exists(string(id))
	}
	return r.warnings, err
}

// plan returns the edits for a rename. It fails if links would be rewritten and
// RejectLinks is set.
func (w *Writer) plan(s session, r *rename) (files.Change, error) {
	plan, relinked, err := r.plan(func(id notes.ID) bool { return isLink(s, id) })
	if err == nil && w.RejectLinks && len(relinked) > 0 {
		err = &ParamError{"title", fmt.Sprintf("links in %s would have to be changed, and this server does not: keep the title or choose another, or change the links first",
			list(relinked))}
	}
	return plan, err
}

// list formats at most three ids and the number of the others.
func list(ids []notes.ID) string {
	const few = 3
	names := make([]string, 0, few)
	for _, id := range ids[:min(few, len(ids))] {
		names = append(names, string(id))
	}
	text := strings.Join(names, ", ")
	if more := len(ids) - few; more > 0 {
		text += fmt.Sprintf(" and %d more notes", more)
	}
	return text
}

// lookUp returns the id of the note that given refers to. It is called before locking,
// so that nothing is written if the note does not exist. If the note is missing from the
// snapshot, lookUp scans the folder.
func (w *Writer) lookUp(ctx context.Context, given string) (notes.ID, error) {
	missing, unread := &NotFoundError{ID: given}, error(nil)
	for _, current := range []func(context.Context) (*notes.Snapshot, error){w.Vault.Snapshot, w.Vault.Look} {
		snapshot, err := current(ctx)
		if err != nil {
			return "", err
		}
		note, err := snapshot.Find(given)
		if err != nil {
			return "", err
		}
		if note != nil {
			return note.ID, nil
		}
		missing.Nearest = snapshot.Nearest(given)
		unread = snapshot.CheckRead(given)
	}
	if unread != nil {
		return "", unread
	}
	return "", missing
}

// read reads the current version of a note. It returns errStale if ifHash does not
// match.
func read(s session, id notes.ID, ifHash string) (*notes.Note, error) {
	file, err := s.Read(string(id))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNotFound
	case err != nil:
		return nil, unreadable(string(id), err)
	}
	if isLink(s, id) {
		return nil, &ParamError{"id", fmt.Sprintf("%s is a symbolic link: name the note that it leads to", id)}
	}
	note := notes.NewNote(id, file)
	if ifHash != "" && ifHash != note.Hash() {
		return nil, errStale
	}
	return note, nil
}

// look returns a snapshot of the current files and a note in it, read after the scan.
func (w *Writer) look(ctx context.Context, s session, id notes.ID, ifHash string) (*notes.Snapshot, *notes.Note, error) {
	snapshot, err := w.Vault.Look(ctx)
	if err != nil {
		return nil, nil, err
	}
	note, err := read(s, id, ifHash)
	if err != nil {
		return nil, nil, err
	}
	all := slices.Clone(snapshot.Notes())
	at := slices.IndexFunc(all, func(n *notes.Note) bool { return n.ID == id })
	switch {
	case at < 0:
		return nil, nil, ErrNotFound
	case bytes.Equal(all[at].File, note.File):
		return snapshot, all[at], nil
	}
	all[at] = note // changed since the scan
	return notes.NewSnapshot(all, snapshot), note, nil
}
