package writing

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"instruction-catalog/catalog/files"
)

// TestExplain checks that an error names the file and the reason, and the state in which
// the notes are left, but no path of the machine.
func TestExplain(t *testing.T) {
	t.Parallel()
	at := func(err error) error { return &files.FileError{Name: "sub/a.md", Err: err} }
	for _, tt := range []struct {
		err  error
		want string
	}{
		{at(&fs.PathError{Op: "open", Path: "/secret/pending/3", Err: syscall.ENOSPC}), `"sub/a.md" could not be changed (no space left on device), and all notes are as they were: `},
		{at(files.ErrBusy), `"sub/a.md" could not be changed (another program keeps writing to it: try again later), and`},
		{at(&fs.PathError{Op: "mkdir", Path: ".trash", Err: files.ErrInTheWay}), `(.trash: a link or a file has the name: move it away)`},
		{at(fmt.Errorf("/secret: no")), `"sub/a.md" could not be changed, and all notes`},
		{fmt.Errorf("/secret: no"), "The notes could not be changed, and all notes are as they were: "},
		{fmt.Errorf("%w: %w", files.ErrHalfMade, at(syscall.EIO)), `"sub/a.md" could not be changed (input/output error). The change is half made: the next change of the notes, or`},
		{fmt.Errorf("%w: %w", files.ErrUncertain, at(syscall.EIO)), `"sub/a.md" could not be changed (input/output error). It has its old text or its new one: `},
		{fmt.Errorf("%w: %w", errLater, at(syscall.EIO)), `"sub/a.md" could not be changed (input/output error). Other notes, or other parts of this one, may have been changed before that: `},
	} {
		if got := Explain(tt.err); !strings.Contains(got, tt.want) || strings.Contains(got, "/secret") {
			t.Errorf("%v: got %q, want %q", tt.err, got, tt.want)
		}
	}
}
