//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// owner is whom a file belongs to, user and group.
type owner struct{ uid, gid int }

// ownerOf returns the owner of a file that package os has looked at.
func ownerOf(info fs.FileInfo) owner {
	stat := info.Sys().(*syscall.Stat_t)
	return owner{int(stat.Uid), int(stat.Gid)}
}

// isOurs reports whether it is the user of this process, or the administrator.
func (o owner) isOurs() bool { return o.uid == os.Geteuid() || o.uid == 0 }

func (o owner) sameUser(as owner) bool { return o.uid == as.uid }
