//go:build linux || darwin

package files

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// renameBetween opens the folders of two places and calls rename with their descriptors
// and the base names, so that no link leads out of the roots.
func renameBetween(from, to place, rename func(fromFolder int, from string, toFolder int, to string) error) error {
	a, err := from.folder()
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := to.folder()
	if err != nil {
		return err
	}
	defer b.Close()
	if err := rename(int(a.Fd()), path.Base(from.name), int(b.Fd()), path.Base(to.name)); err != nil {
		return &os.LinkError{Op: "rename", Old: from.name, New: to.name, Err: err}
	}
	return nil
}

// folder opens the folder of a place. It follows no link on the way, because a folder
// may have been replaced by a link since it was checked.
func (p place) folder() (*os.File, error) {
	f, err := p.root.OpenFile(".", atOnce|syscall.O_DIRECTORY, 0)
	for segment := range strings.SplitSeq(path.Dir(p.name), "/") {
		if err != nil || segment == "." {
			break
		}
		var below int
		below, err = unix.Openat(int(f.Fd()), segment, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		f.Close()
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: p.name, Err: err}
		}
		f = os.NewFile(uintptr(below), segment)
	}
	return f, err
}

// sameFileSystem reports whether files can be renamed from one root to the other. It is
// false if the roots cannot be examined.
func sameFileSystem(a, b *os.Root) bool {
	first, err := a.Stat(".")
	if err != nil {
		return false
	}
	second, err := b.Stat(".")
	if err != nil {
		return false
	}
	if first.Sys().(*syscall.Stat_t).Dev != second.Sys().(*syscall.Stat_t).Dev {
		return false
	}
	return !mountsDiffer(a, b)
}
