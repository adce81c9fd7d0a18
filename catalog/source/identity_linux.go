package source

import (
	"io/fs"
	"syscall"
)

func systemIdentity(info fs.FileInfo) identity {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}
	}
	return identity{uint64(s.Dev), uint64(s.Ino), uint64(s.Size), s.Mtim.Nano(), s.Ctim.Nano()}
}
