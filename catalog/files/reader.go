package files

import (
	"os"
	"path"
)

// Reader reads the files of a root one after the other. It keeps the folder of the
// last one open and uses its memory again, so that many small files cost less than
// with [ReadIn]. It is for one goroutine.
type Reader struct {
	root   *os.Root
	folder string   // with a slash at its end, "" for the root itself
	within *os.Root // the folder; nil for the root itself
	buf    []byte
}

// NewReader returns a reader of the files within a root, which stays the caller's.
func NewReader(root *os.Root) *Reader { return &Reader{root: root} }

// Read is [ReadIn]. The data is valid until the next Read.
func (r *Reader) Read(name string, limit int) (File, error) {
	f, err := r.read(name, limit)
	if err != nil { // a link may lead out of the folder and stay within the root
		return ReadIn(r.root, name, limit)
	}
	r.buf = f.Data
	return f, nil
}

func (r *Reader) read(name string, limit int) (File, error) {
	folder, base := path.Split(name)
	if folder != r.folder {
		r.Close()
		if folder != "" {
			within, err := r.root.OpenRoot(folder)
			if err != nil {
				return File{}, err
			}
			r.within = within
		}
		r.folder = folder
	}
	in := r.root
	if r.within != nil {
		in = r.within
	}
	opened, err := in.OpenFile(base, atOnce, 0)
	if err != nil {
		return File{}, err
	}
	defer opened.Close()
	return read(opened, limit, r.buf)
}

// Close closes the folder that is open.
func (r *Reader) Close() {
	if r.within != nil {
		r.within.Close()
	}
	r.folder, r.within = "", nil
}
