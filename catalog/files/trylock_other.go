//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package files

// TryLock always returns [ErrLocked], because this system does not tell whether a lock
// is held.
func TryLock(string) (unlock func(), err error) { return nil, ErrLocked }
