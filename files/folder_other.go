//go:build !linux

package files

import (
	"io/fs"
	"os"
)

// onlyNames leaves it to package os how much it asks for.
func onlyNames(folder *os.File) (*os.File, error) { return folder, nil }

func (f *Folder) look(name string) (fs.FileInfo, error) { return f.root.Lstat(f.path + name) }

// readPlain leaves it to [ReadIn].
func (f *Folder) readPlain(string, int, *Buffer) (File, bool) { return File{}, false }

type plainInfo struct{}
