package files

import (
	"io/fs"
	"os"
)

// List returns the entries of the folder called name, a slash-separated path within
// root, in no particular order. No link can lead out of root. If reading fails, it
// also returns the entries read before the error.
func List(root *os.Root, name string) ([]fs.DirEntry, error) {
	opened, err := root.OpenFile(name, atOnce, 0) // a named pipe may have replaced it
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return opened.ReadDir(-1)
}
