package files

import (
	"io/fs"
	"syscall"
)

// changeOf returns the time when the inode last changed, in nanoseconds since 1970, and
// the inode number.
func changeOf(info fs.FileInfo) (changed int64, inode uint64) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctim.Nano(), stat.Ino
	}
	return 0, 0
}
