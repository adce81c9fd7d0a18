//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package files

// TryLock cannot tell on this system whether a lock is held: the error is [ErrLocked].
func TryLock(string) (unlock func(), err error) { return nil, ErrLocked }
