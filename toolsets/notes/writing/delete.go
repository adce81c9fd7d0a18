package writing

import (
	"context"
	"errors"
	"io/fs"

	"instruction-catalog/toolsets/notes"
)

// Delete moves a note to the trash of the vault. It returns a [NotFoundError], a
// [ParamError], a [notes.AmbiguousError] or a file system error.
func (w *Writer) Delete(ctx context.Context, given, ifHash string) (Changed, error) {
	id, err := w.lookUp(ctx, given)
	if err != nil {
		return Changed{}, err
	}
	return w.change(ctx, func(s session) (Changed, error) {
		note, err := read(s, id, ifHash)
		if err != nil {
			return Changed{}, err
		}
		err = s.Delete(string(id), func(text []byte) error {
			if ifHash != "" && ifHash != notes.NewNote(id, text).Hash() {
				return errStale
			}
			return nil
		})
		if errors.Is(err, fs.ErrNotExist) {
			err = &NotFoundError{ID: given}
		}
		return Changed{ID: id, Before: note}, err
	})
}
