package files

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func renameExchange(a, b place) error { return renameBetween(a, b, rename(unix.RENAME_EXCHANGE)) }

func renameNew(from, to place) error { return renameBetween(from, to, rename(unix.RENAME_NOREPLACE)) }

func rename(flags uint) func(int, string, int, string) error {
	return func(fromFolder int, from string, toFolder int, to string) error {
		return unix.Renameat2(fromFolder, from, toFolder, to, flags)
	}
}

// isOpenForWriting reports whether a program has the file open for writing. The kernel
// grants a read lease only if no program has it open for writing, see fcntl(2). The
// lease lasts until f is closed. Some network file systems never grant one.
func isOpenForWriting(f *os.File) bool {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return errors.Is(err, unix.EAGAIN)
}

// mountsDiffer reports whether the system refuses renames from a to b because they are
// on different mounts, even if both are mounts of one file system. It tries to rename
// a missing file: the system checks the mounts before it looks for the file.
func mountsDiffer(a, b *os.Root) bool {
	const missing = ".catalog-missing"
	return errors.Is(renameNew(place{a, missing}, place{b, missing}), errElsewhere)
}
