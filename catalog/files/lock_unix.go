//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"
	"syscall"
)

// flock locks an open file or folder until it is closed. If wait is true, it waits for
// other processes to release their lock. The error is [errors.ErrUnsupported] if the
// file system does not support such locks.
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
			return errors.ErrUnsupported // NFS returns such an error for a folder
		default:
			return err
		}
	}
}
