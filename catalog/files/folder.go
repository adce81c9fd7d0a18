package files

import (
	"bytes"
	"io/fs"
	"os"
)

// Folder is a folder within a root, opened so that its members can be listed and
// each of its files read without finding the way to it again. Any number of
// goroutines may read.
type Folder struct {
	root   *os.Root
	path   string // within the root, with a slash at the end; "" for the root itself
	opened *os.File
	fd     uintptr // good while opened is
}

// Member is what has a name in a folder.
type Member struct {
	Name string
	Type fs.FileMode // the type bits, of a link those of the link
	info fs.FileInfo // nil where package os has not asked for it
}

// OpenFolder opens the folder of that name, with slashes, within a root, which no
// link leads out of. The error is that of the operating system.
func OpenFolder(root *os.Root, name string) (*Folder, error) {
	opened, err := root.OpenFile(name, atOnce, 0) // a named pipe may have taken its place
	if err != nil {
		return nil, err
	}
	f := &Folder{root: root, opened: opened, fd: opened.Fd()}
	if name != "." {
		f.path = name + "/"
	}
	return f, nil
}

// Close closes the folder. Nothing can be listed or read in it afterwards.
func (f *Folder) Close() error { return f.opened.Close() }

// Members returns the members of the folder, in the order of the file system,
// once. With an error of the operating system they are those that came before it.
func (f *Folder) Members() ([]Member, error) {
	entries, looked, err := f.list()
	members := make([]Member, len(entries))
	for i, e := range entries {
		members[i] = Member{Name: e.Name(), Type: e.Type()}
		if looked {
			members[i].info, _ = e.Info()
		}
	}
	return members, err
}

// Look returns what the system says of a member, of a link that of the link. It
// costs about half as much as to read a small file.
func (f *Folder) Look(m Member) (fs.FileInfo, error) {
	if m.info != nil {
		return m.info, nil
	}
	return f.look(m.Name)
}

// Path returns the path within the root of the member of that name.
func (f *Folder) Path(name string) string { return f.path + name }

// Buffer is what files are read into, one after the other.
type Buffer struct {
	data bytes.Buffer
	info plainInfo
}

// Read is [ReadIn] for the member of that name, which must be a name without
// slashes. Where it is a link it may lead anywhere within the root. Nothing of the
// file is good any more once the buffer is used again.
func (f *Folder) Read(name string, limit int, buf *Buffer) (File, error) {
	if file, ok := f.readPlain(name, limit, buf); ok {
		return file, nil
	}
	return ReadIn(f.root, f.path+name, limit, &buf.data)
}
