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

// mountsDiffer reports whether the system refuses to rename between two mounts of
// what may be one file system. It says so before it looks for the file, which is
// missing here.
func mountsDiffer(a, b *os.Root) bool {
	const missing = ".catalog-missing"
	return errors.Is(renameNew(place{a, missing}, place{b, missing}), errElsewhere)
}
