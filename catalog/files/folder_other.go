//go:build !linux

package files

import "io/fs"

// list returns what is in the folder. Below a root, package os has looked at each.
func (f *Folder) list() (entries []fs.DirEntry, looked bool, err error) {
	entries, err = f.opened.ReadDir(-1)
	return entries, true, err
}

func (f *Folder) look(name string) (fs.FileInfo, error) { return f.root.Lstat(f.path + name) }

// readPlain leaves it to [ReadIn].
func (f *Folder) readPlain(string, int, *Buffer) (File, bool) { return File{}, false }

type plainInfo struct{}
