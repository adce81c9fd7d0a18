package writing

import (
	"context"
	"errors"
	"io/fs"

	"instruction-catalog/toolsets/notes"
)

// Delete moves a note into the trash of the vault. It reports whether there was
// one. The error is a [ParamError], an [notes.AmbiguousError], or that of the file
// system.
func (w *Writer) Delete(ctx context.Context, id, ifHash string) (deleted bool, err error) {
	err = w.delete(ctx, id, ifHash)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (w *Writer) delete(ctx context.Context, given, ifHash string) (err error) {
	id, err := w.lookUp(ctx, given)
	if err != nil {
		return err
	}
	s, err := w.begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := read(s, id, ifHash); err != nil {
		return err
	}
	err = s.Delete(string(id), func(text []byte) error {
		if ifHash != "" && ifHash != notes.NewNote(id, text).Hash() {
			return errStale
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNotFound
	}
	return err
}
