//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"
	"syscall"
)

// flock locks an open file or folder until it is closed. With wait it waits for
// other processes. The error is [errors.ErrUnsupported] if the file system has no
// such locks.
func flock(f *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EBADF), errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOSYS):
			return errors.ErrUnsupported // as NFS says of a folder
		default:
			return err
		}
	}
}
