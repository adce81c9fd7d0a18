package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
)

// Draft is a file that is being written. It has a hidden name in the folder of its
// target. When it is complete, it is renamed to the target. If the process dies before
// that, a later draft for the same target removes it.
type Draft struct {
	*os.File
	folder *os.Root
	draft  place // its name is "" after the rename to the target
	place  place
	like   fs.FileInfo // the source of its mode and owner; nil for the defaults of a new file
}

// NewDraft creates a draft for the file called name, which may be missing. A new file
// gets mode, less the umask. An existing file keeps its mode and owner. The error is
// [ErrNotRegular] if name is a link, a folder or a device.
func NewDraft(name string, mode fs.FileMode) (*Draft, error) {
	folder, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	return newDraft(folder, filepath.Base(name), mode)
}

// NewDraftIn is [NewDraft] for a name within root. No link can lead out of root.
func NewDraftIn(root *os.Root, name string, mode fs.FileMode) (*Draft, error) {
	folder, err := root.OpenRoot(path.Dir(name))
	if err != nil {
		return nil, err
	}
	return newDraft(folder, path.Base(name), mode)
}

func newDraft(folder *os.Root, name string, mode fs.FileMode) (*Draft, error) {
	d := &Draft{folder: folder, place: place{folder, name}}
	if err := d.begin(mode); err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return d, nil
}

func (d *Draft) begin(mode fs.FileMode) error {
	info, err := d.folder.Lstat(d.place.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrNotRegular
	default:
		d.like, mode = info, 0o600 // until finish sets the mode of info
	}
	const most = 1000 // drafts for one target at a time
	for n := range most {
		d.draft = place{d.folder, fmt.Sprintf(".%.200s.%d.draft", d.place.name, n)}
		removeDead(d.draft)
		d.File, err = d.folder.OpenFile(d.draft.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue // another process is writing this draft
		}
		if err != nil || owns(d.File, d.draft) {
			return err
		}
		d.File.Close() // another process removed the draft before owns locked it
	}
	return fmt.Errorf("%s has %d drafts: remove some of .%s.*.draft", d.place.name, most, d.place.name)
}

// owns locks the draft f until it is closed, and reports whether f is still the file at
// p. If locks are not supported, owns returns true, because then removeDead never
// removes an open draft.
func owns(f *os.File, p place) bool {
	err := flock(f, false)
	if errors.Is(err, errors.ErrUnsupported) {
		return true
	}
	is, statErr := f.Stat()
	named, lstatErr := p.root.Lstat(p.name)
	return errors.Join(err, statErr, lstatErr) == nil && os.SameFile(is, named)
}

// removeDead removes a draft if no process has it open. It leaves anything else with
// that name.
func removeDead(p place) {
	info, err := p.root.Lstat(p.name)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if runtime.GOOS == "windows" {
		_ = p.remove() // fails if the file is open
		return
	}
	f, err := p.root.OpenFile(p.name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if flock(f, false) == nil && owns(f, p) {
		_ = p.remove() // if this fails, the next draft tries again
	}
}

// Like gives the draft the mode and owner of info instead of those of its target. If
// info is nil, the draft keeps those that it was created with: its mode is 0600 if the
// target existed.
func (d *Draft) Like(info fs.FileInfo) { d.like = info }

// Replace renames the draft to its target, and returns when the change is durable.
// After a crash or an error the target is either the old file or the new one.
func (d *Draft) Replace() error {
	return d.finish(func() error { return d.folder.Rename(d.draft.name, d.place.name) })
}

// CreateNew renames the draft to its target, and returns when the change is durable. The
// error is [fs.ErrExist] if the name is taken.
func (d *Draft) CreateNew() error {
	return d.finish(func() error { return thisSystem.moveNew(d.draft, d.place) })
}

func (d *Draft) finish(move func() error) error {
	defer d.Discard()
	if d.like != nil {
		if err := keepOwner(d.File, d.like); err != nil {
			return fmt.Errorf("its owner cannot be preserved: %w: run this as the owner of the file", Cause(err))
		}
		if err := d.Chmod(d.like.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := d.Sync(); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // it cannot rename an open file
		if err := d.Close(); err != nil {
			return err
		}
	}
	if err := move(); err != nil {
		return err
	}
	d.draft.name = ""
	return SyncFolder(d.folder.Open, ".")
}

// Discard closes the draft, and removes it unless it was renamed to its target.
func (d *Draft) Discard() {
	if d.draft.name != "" {
		_ = d.draft.remove()
	}
	_ = d.Close()
	_ = d.folder.Close()
}

// Replace writes a file, and replaces an existing one. See [NewDraft] for its mode.
func Replace(name string, text []byte, mode fs.FileMode) error {
	d, err := NewDraft(name, mode)
	return d.write(err, text, (*Draft).Replace)
}

// ReplaceIn is [Replace] for a name within a root.
func ReplaceIn(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	d, err := NewDraftIn(root, name, mode)
	return d.write(err, text, (*Draft).Replace)
}

// CreateNewIn writes a new file within a root. The error is [fs.ErrExist] if its name is
// taken.
func CreateNewIn(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	if _, err := root.Lstat(name); err == nil {
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	d, err := NewDraftIn(root, name, mode)
	return d.write(err, text, (*Draft).CreateNew)
}

func (d *Draft) write(err error, text []byte, finish func(*Draft) error) error {
	if err != nil {
		return err
	}
	if _, err := d.Write(text); err != nil {
		d.Discard()
		return err
	}
	return finish(d)
}
