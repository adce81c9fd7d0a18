//go:build unix

package cachefile

import (
	"io/fs"
	"os"
	"syscall"
)

// onlyItself opens no symbolic link, and a named pipe without waiting for its
// writer.
const onlyItself = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// isOwn reports whether a file belongs to the user that this process acts for.
func isOwn(info fs.FileInfo) (own, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid(), ok
}
