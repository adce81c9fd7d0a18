package source

import (
	"encoding/binary"
	"io/fs"
	"time"
)

// identity is what a file system says of a file, all of which is the same as
// long as the content is: whoever writes to a file changes its times, and
// whoever puts another file in its place changes more. The zero identity is of
// a file of which too little is known.
type identity struct {
	device, inode, size uint64
	modified, changed   int64 // in nanoseconds since 1970; a program can set the first, but not the second
}

// identityBytes is the length of an identity as it is kept.
const identityBytes = 5 * 8

func (id identity) append(dst []byte) []byte {
	for _, n := range []uint64{id.device, id.inode, id.size, uint64(id.modified), uint64(id.changed)} {
		dst = binary.LittleEndian.AppendUint64(dst, n)
	}
	return dst
}

// identityIn reads what append appended.
func identityIn(data []byte) identity {
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8*i:]) }
	return identity{at(0), at(1), at(2), int64(at(3)), int64(at(4))}
}

// restless is how long ago a file must have been changed for its identity to be
// good: file systems count time in steps, of up to two seconds, and a file that
// is changed twice within one step looks the same after either.
const restless = 3 * time.Second

// settled reports whether whatever changes the file from that moment on will
// change its identity.
func (id identity) settled(moment time.Time) bool {
	return id != identity{} && max(id.modified, id.changed) < moment.Add(-restless).UnixNano()
}

// identify returns the identity of a regular file.
func identify(info fs.FileInfo) identity {
	if info == nil || !info.Mode().IsRegular() {
		return identity{}
	}
	return systemIdentity(info)
}
