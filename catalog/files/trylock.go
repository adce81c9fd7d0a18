package files

import "errors"

// ErrLocked means that another process, or another caller in this process, holds a
// lock.
var ErrLocked = errors.New("another process holds its lock")
