package files

import (
	"io/fs"
	"syscall"
)

// changeOf returns when the inode last changed, and its number.
func changeOf(info fs.FileInfo) (changed int64, inode uint64) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctimespec.Nano(), stat.Ino
	}
	return 0, 0
}
