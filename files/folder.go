package files

import (
	"bytes"
	"io/fs"
	"os"
)

// Folder is a folder within a root, opened so that each of its files can be read
// without finding the way to it again. Any number of goroutines may read.
type Folder struct {
	root   *os.Root
	path   string // within the root, with a slash at the end; "" for the root itself
	opened *os.File
	fd     uintptr // good while opened is
}

// OpenFolder opens the folder of that name, with slashes, within a root, which no
// link leads out of. The error is that of the operating system.
func OpenFolder(root *os.Root, name string) (*Folder, error) {
	opened, err := root.OpenFile(name, atOnce, 0) // a named pipe may have taken its place
	if err != nil {
		return nil, err
	}
	path := ""
	if name != "." {
		path = name + "/"
	}
	return &Folder{root: root, path: path, opened: opened, fd: opened.Fd()}, nil
}

// Close closes the folder. Nothing can be read in it afterwards.
func (f *Folder) Close() error { return f.opened.Close() }

// Members returns the next members of the folder, at most n, as
// [os.File.ReadDir].
func (f *Folder) Members(n int) ([]fs.DirEntry, error) { return f.opened.ReadDir(n) }

// Path returns the path within the root of the member of that name.
func (f *Folder) Path(name string) string { return f.path + name }

// Read is [ReadIn] for the member of that name, which must be a name without
// slashes. Where it is a link it may lead anywhere within the root.
func (f *Folder) Read(name string, limit int, buf *bytes.Buffer) (File, error) {
	if file, ok := f.readPlain(name, limit, buf); ok {
		return file, nil
	}
	return ReadIn(f.root, f.path+name, limit, buf)
}
