//go:build linux || darwin

package files

import (
	"os"
	"path"
	"syscall"
)

// renameBetween calls rename with the open folders of two places, so that no link
// leads out of their roots, and the names in those folders.
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

func (p place) folder() (*os.File, error) {
	return p.root.OpenFile(path.Dir(p.name), atOnce|syscall.O_DIRECTORY, 0)
}

// sameFileSystem reports whether files might be renamed from one root to another.
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
