package files

import (
	"io/fs"
	"time"
)

// Identity identifies one state of a file by its metadata. While the identity is the
// same, so is the content. The zero Identity is never the same as another, not even as
// itself.
type Identity struct {
	size     int64
	modified int64 // in nanoseconds since 1970, like changed
	changed  int64 // the change time of the inode, which no program can set back; 0 if unknown
	inode    uint64
}

// IdentityOf returns the identity of a file whose info was read at the time now. It is
// zero if the file was changed so recently that a later change could leave the same
// times.
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

// Same reports whether the file is unchanged between the two identities.
func (id Identity) Same(other Identity) bool { return id == other && id != Identity{} }

// resolution returns the interval after which a later change certainly has a different
// time. A time in whole seconds may come from a file system that stores whole seconds,
// or pairs of them. Other file systems take the time from a clock that ticks at least a
// hundred times a second.
func resolution(nanoseconds int64) time.Duration {
	if nanoseconds%int64(time.Second) == 0 {
		return 2 * time.Second
	}
	return 50 * time.Millisecond
}
