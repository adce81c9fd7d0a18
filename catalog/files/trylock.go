package files

import "errors"

// ErrLocked says that another process, or another caller of this one, holds a lock.
var ErrLocked = errors.New("another process holds its lock")
