package writing

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"instruction-catalog/catalog/files"
	"instruction-catalog/toolsets/notes"
)

// errLater means that a change of several steps failed after its first one.
var errLater = errors.New("an earlier part of the change may have been made")

// unreadable returns the error for a file or folder that cannot be read.
func unreadable(name string, err error) error {
	return &notes.UnreadError{Unread: notes.Unread{Path: name, Reason: files.Cause(err).Error()}}
}

// Explain describes a failed change to the caller: the file that could not be changed,
// the reason, and the state that the notes are left in. It names no path outside the
// vault.
func Explain(err error) string {
	what := "The notes could not be changed"
	if at, ok := errors.AsType[*files.FileError](err); ok {
		what = fmt.Sprintf("%q could not be changed%s", at.Name, reason(at.Err))
	}
	switch {
	case errors.Is(err, files.ErrHalfMade):
		return what + ". The change is half made: the next change of the notes, or the next start of this server, completes it."
	case errors.Is(err, files.ErrUncertain):
		return what + ". It has its old text or its new one: read it before you call again."
	case errors.Is(err, errLater):
		return what + ". Other notes, or other parts of this one, may have been changed before that: read them before you call again."
	}
	return what + ", and all notes are as they were: see that it is there, may be written to and has room, and call again."
}

// reason returns the reason for an error in parentheses, or "" if it may name a path
// outside the vault.
func reason(err error) string {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return " (" + number.Error() + ")"
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, files.ErrInTheWay) {
		return " (" + at.Path + ": " + at.Err.Error() + ")"
	}
	for _, known := range []error{files.ErrBusy, files.ErrNotRegular} {
		if errors.Is(err, known) {
			return " (" + known.Error() + ")"
		}
	}
	return ""
}
