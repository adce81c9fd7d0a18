package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"math"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
)

// place is the location of a file, which may be missing: a slash-separated name within
// a root.
type place struct {
	root *os.Root
	name string
}

// read returns the content of the file. The error is [ErrNotRegular] for a symbolic
// link.
func (p place) read() ([]byte, error) {
	info, err := p.root.Lstat(p.name)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, err
	}
	f, err := ReadIn(p.root, p.name, math.MaxInt32)
	return f.Data, err
}

// hash returns the SHA-256 of the content. If the place holds something other than a
// regular file, the result is a string that is not the hash of any text. The error is
// [fs.ErrNotExist] if the place is empty.
func (p place) hash() (string, error) {
	text, err := p.read()
	if errors.Is(err, ErrNotRegular) {
		return "no file", nil
	}
	return hashOf(text), err
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// awaitWriters waits until no program has the file open for writing, but for at most
// about 50 ms. It is for staged files, which no other program opens by name.
func (p place) awaitWriters() {
	f, err := p.root.OpenFile(p.name, atOnce, 0)
	if err != nil {
		return // the next read reports the error
	}
	defer f.Close() // this also ends the lease
	for n := 0; n < 50 && isOpenForWriting(f); n++ {
		time.Sleep(time.Millisecond)
	}
}

// remove removes the file. A missing file is not an error.
func (p place) remove() error {
	if err := p.root.Remove(p.name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (p place) exists() bool {
	_, err := p.root.Lstat(p.name)
	return err == nil
}

// errElsewhere is the error of a rename between two file systems.
const errElsewhere = syscall.EXDEV

// unsupported reports whether err means that the system or the file system does not
// support an operation.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL)
}

// system holds the file operations that differ between operating systems. Tests replace
// them.
type system struct {
	renameExchange func(a, b place) error     // swaps two files
	renameNew      func(from, to place) error // never replaces a file
	fsync          func(*os.File) error
}

var thisSystem = system{renameExchange, renameNew, (*os.File).Sync}

// exchange swaps two files, atomically if the file system supports it. Otherwise it
// renames them one after the other: a file that another program renames to target in
// between is lost, but no reader finds target missing.
func (sys system) exchange(staged, target place) error {
	err := sys.renameExchange(staged, target)
	switch {
	case !unsupported(err):
		return err
	case staged.root != target.root:
		return errElsewhere
	}
	out := staged.displaced()
	if err := errors.Join(out.remove(), keepAs(target, out)); err != nil {
		return err
	}
	if err := target.root.Rename(staged.name, target.name); err != nil {
		return errors.Join(err, out.remove())
	}
	return target.root.Rename(out.name, staged.name)
}

// displaced returns the place where exchange keeps the old file while it renames the
// new one to p.
func (p place) displaced() place { return place{p.root, p.name + "~"} }

// keepAs gives a file a second name. If a hard link cannot be made, it copies the file.
func keepAs(from, to place) error {
	err := from.root.Link(from.name, to.name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := from.read()
	if err != nil {
		return err
	}
	return to.root.WriteFile(to.name, text, 0o600)
}

// moveNew renames a file. The error is [fs.ErrExist] if the new name is taken.
func (sys system) moveNew(from, to place) error {
	err := sys.renameNew(from, to)
	switch {
	case !unsupported(err):
		return err
	case from.root != to.root:
		return errElsewhere
	}
	err = from.root.Link(from.name, to.name)
	switch {
	case err == nil:
		return from.root.Remove(from.name)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return err
	case to.exists(): // the file system does not support hard links
		return &fs.PathError{Op: "rename", Path: to.name, Err: fs.ErrExist}
	}
	return from.root.Rename(from.name, to.name)
}

// ErrInTheWay means that a folder cannot be created because something else has its name.
var ErrInTheWay = errors.New("a link or a file has the name: move it away")

// MakeFolders creates a folder within a root, with its missing parents, durably. It
// follows no symbolic links: the error is [ErrInTheWay] if it finds a link or a file.
func MakeFolders(root *os.Root, name string) error {
	at := "."
	for segment := range strings.SplitSeq(name, "/") {
		above := at
		at = path.Join(at, segment)
		err := root.Mkdir(at, 0o777)
		switch {
		case at == above: // the root itself
		case err == nil:
			err = SyncFolder(root.Open, above)
		case errors.Is(err, fs.ErrExist):
			var info fs.FileInfo
			if info, err = root.Lstat(at); err == nil && !info.IsDir() {
				err = &fs.PathError{Op: "mkdir", Path: at, Err: ErrInTheWay}
			}
		}
		if at != above && err != nil {
			return err
		}
	}
	return nil
}
