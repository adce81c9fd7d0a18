//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// owner is the user and group that own a file.
type owner struct{ uid, gid int }

// ownerOf returns the owner of a file. info must come from package os.
func ownerOf(info fs.FileInfo) owner {
	stat := info.Sys().(*syscall.Stat_t)
	return owner{int(stat.Uid), int(stat.Gid)}
}

// isOurs reports whether the owner is the user of this process or the administrator.
func (o owner) isOurs() bool { return o.uid == os.Geteuid() || o.uid == 0 }

func (o owner) sameUser(as owner) bool { return o.uid == as.uid }
