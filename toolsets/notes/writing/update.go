package writing

import (
	"context"
	"fmt"
	"path"

	"instruction-catalog/toolsets/notes"
)

// Update describes a change to a note. A nil field leaves that part unchanged. IfHash is
// the SHA-256 of the file that the caller has seen, or "" to skip that check.
type Update struct {
	ID             string
	Title, Content *string
	Part           *Part // edit of a part of the content; not together with Content
	Tags           *[]string
	IfHash         string
	// Check may reject the update after seeing the current note. It may be nil.
	Check func(*notes.Note) error
}

// Update changes a note. It returns [ErrNotFound], [ErrExists], a [ParamError], a
// [notes.AmbiguousError] or a file system error.
func (w *Writer) Update(ctx context.Context, u Update) (Changed, error) {
	if u.Title == nil && u.Content == nil && u.Tags == nil && u.Part == nil {
		return Changed{}, &ParamError{"", "give at least one of title, content and tags, or append, section or replace"}
	}
	if u.Title != nil {
		if _, err := checkTitle(*u.Title); err != nil {
			return Changed{}, err
		}
	}
	id, err := w.lookUp(ctx, u.ID)
	if err != nil {
		return Changed{}, err
	}
	return w.change(ctx, func(s session) (Changed, error) { return w.update(ctx, s, id, u) })
}

func (w *Writer) update(ctx context.Context, s session, id notes.ID, u Update) (Changed, error) {
	note, err := read(s, id, u.IfHash)
	if err != nil {
		return Changed{}, err
	}
	changed := Changed{ID: id, Before: note}
	if err := u.suits(note); err != nil {
		return changed, err
	}
	if u.Part != nil {
		return w.updatePart(ctx, s, note, u)
	}
	c := change{Name: note.ID.Name(), Title: u.Title, Tags: u.Tags, Content: u.Content}
	if same, err := c.keepsTitle(note); err != nil || same {
		if err == nil {
			err = c.keepDropped(s, note)
		}
		if err != nil {
			return changed, err
		}
		return changed, s.Edit(string(note.ID), func(file []byte) ([]byte, error) {
			if err := u.checkHash(note.ID, file); err != nil {
				return nil, err
			}
			return c.apply(file)
		})
	}
	snapshot, note, err := w.look(ctx, s, id, u.IfHash)
	if err != nil {
		return changed, err
	}
	if u.Title != nil && FileName(*u.Title) != FileName(note.ID.Name()) {
		c.Name = FileName(*u.Title)
		changed.ID = notes.ID(path.Join(note.ID.Folder(), c.Name+".md"))
	}
	changed.Warnings, err = w.rename(ctx, s, snapshot, note, changed.ID, c)
	return changed, err
}

// updatePart changes a part of the content. It changes a given title and tags first,
// because only those changes can be rejected.
func (w *Writer) updatePart(ctx context.Context, s session, note *notes.Note, u Update) (changed Changed, err error) {
	edited, err := u.Part.edit(note.File)
	if err != nil {
		return Changed{ID: note.ID, Before: note}, err
	}
	content := notes.NewNote(note.ID, edited).Content()
	c := change{Content: &content}
	if same, err := c.keepsTitle(note); err == nil && !same && u.Title == nil { // links by title must follow the new title
		u.Content, u.Part = &content, nil
		return w.update(ctx, s, note.ID, u)
	}
	changed = Changed{ID: note.ID, Before: note}
	if u.Title != nil || u.Tags != nil {
		rest := u
		rest.Part, rest.Check = nil, nil
		if changed, err = w.update(ctx, s, note.ID, rest); err != nil {
			return changed, err
		}
		u.IfHash = "" // the change above gave the file a new hash
	}
	err = c.keepDropped(s, note)
	if err == nil {
		err = s.Edit(string(changed.ID), func(file []byte) ([]byte, error) {
			if err := u.checkHash(note.ID, file); err != nil {
				return nil, err
			}
			return u.Part.edit(file)
		})
	}
	if err != nil && (u.Title != nil || u.Tags != nil) {
		err = fmt.Errorf("%w: %w", errLater, err)
	}
	return changed, err
}

// checkHash returns errStale if the file is not the version that the caller has seen.
func (u Update) checkHash(id notes.ID, file []byte) error {
	if u.IfHash != "" && u.IfHash != notes.NewNote(id, file).Hash() {
		return errStale
	}
	return nil
}

// suits rejects an update that would damage the note.
func (u Update) suits(note *notes.Note) error {
	switch {
	case note.IsUTF16():
		return &ParamError{"id", fmt.Sprintf("%s is UTF-16: save it as UTF-8 in an editor first", note.ID)}
	case u.cut(note):
		return &ParamError{"content", "it ends as one that was cut, and the rest of the note would be lost: give the whole content, or change the file in an editor"}
	case u.Check != nil:
		return u.Check(note)
	}
	return nil
}

// cut reports whether the new text ends with the mark of a cut answer while the note
// does not.
func (u Update) cut(note *notes.Note) bool {
	text := u.Content
	if u.Part != nil {
		_, _, part, _ := u.Part.Replaces(note)
		text = &part
	}
	return text != nil && notes.IsCut(*text, note.Content())
}
