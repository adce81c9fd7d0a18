//go:build !linux && !darwin

package files

import (
	"errors"
	"os"
)

func renameExchange(_, _ place) error { return errors.ErrUnsupported }

func renameNew(_, _ place) error { return errors.ErrUnsupported }

func sameFileSystem(_, _ *os.Root) bool { return false }

func isOpenForWriting(*os.File) bool { return false } // the system does not provide this
