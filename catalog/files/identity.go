package files

import (
	"io/fs"
	"time"
)

// Identity tells one state of a file from another by what its folder says of it:
// as long as it is the same, so is the content. The zero Identity is the same as
// no other, itself included.
type Identity struct {
	size     int64
	modified int64 // in nanoseconds since 1970, as is changed
	changed  int64 // the time of the inode, which no program can set back; 0 if it is not known
	inode    uint64
}

// IdentityOf returns the identity of a file that is looked at now. It is zero
// where the file was changed so recently that a later change could leave the same
// times behind.
func IdentityOf(info fs.FileInfo, now time.Time) Identity {
	changed, inode := changeOf(info)
	id := Identity{size: info.Size(), modified: info.ModTime().UnixNano(), changed: changed, inode: inode}
	last := id.changed
	if last == 0 {
		last = id.modified
	}
	if now.UnixNano()-last < int64(resolution(last)) {
		return Identity{}
	}
	return id
}

// Same reports whether nothing has changed between two looks at a file.
func (id Identity) Same(other Identity) bool { return id == other && id != Identity{} }

// resolution is how far apart two changes are that certainly have different times.
// A file system that knows whole seconds, or pairs of them, shows it; others take
// the time from a clock that ticks at least a hundred times a second.
func resolution(nanoseconds int64) time.Duration {
	if nanoseconds%int64(time.Second) == 0 {
		return 2 * time.Second
	}
	return 50 * time.Millisecond
}
