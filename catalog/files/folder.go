package files

import (
	"io/fs"
	"os"
)

// List returns what is in the folder of that name, with slashes, within a root,
// which no link leads out of, in no particular order. With an error of the
// operating system it is what came before it.
func List(root *os.Root, name string) ([]fs.DirEntry, error) {
	opened, err := root.OpenFile(name, atOnce, 0) // a named pipe may have taken its place
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return opened.ReadDir(-1)
}
