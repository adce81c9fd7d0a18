package files

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// Reader reads the files of a root one after the other, and follows no symbolic link.
// It keeps the folder of the last one open and uses its memory again, so that many
// small files cost less than with [ReadIn]. It is for one goroutine.
type Reader struct {
	root   *os.Root
	folder string   // with a slash at its end, "" for the root itself
	within *os.Root // the folder
	buf    []byte
}

// NewReader returns a reader of the files within a root, which stays the caller's.
func NewReader(root *os.Root) *Reader { return &Reader{root: root, within: root} }

// Read reads the regular file of that name, of at most limit bytes. The data is valid
// until the next Read. The error is [ErrNotRegular], [ErrTooLarge], [ErrLink] if
// the name or a folder in it is a symbolic link, or that of the operating system.
func (r *Reader) Read(name string, limit int) (File, error) {
	folder, base := path.Split(name)
	if folder != r.folder {
		r.Close()
		within, err := openFolder(r.root, folder)
		if err != nil {
			return File{}, err
		}
		r.folder, r.within = folder, within
	}
	for range maxAttempts {
		f, err := r.read(base, limit)
		if err != errAnother {
			return f, err
		}
	}
	return File{}, ErrLink
}

// maxAttempts is how often a file is opened that another one replaces meanwhile, as
// editors do when they save.
const maxAttempts = 3

// errAnother says that the opened file is not the one that has the name.
var errAnother = errors.New("another file was opened")

func (r *Reader) read(base string, limit int) (File, error) {
	named, err := r.within.Lstat(base)
	switch {
	case err != nil:
		return File{}, err
	case named.Mode()&fs.ModeSymlink != 0:
		return File{}, ErrLink
	}
	opened, err := r.within.OpenFile(base, atOnce, 0)
	if err != nil {
		return File{}, opening(err)
	}
	defer opened.Close()
	info, err := opened.Stat()
	switch {
	case err != nil:
		return File{}, err
	case !os.SameFile(named, info):
		return File{}, errAnother
	}
	f, err := read(opened, limit, r.buf)
	if err == nil {
		r.buf = f.Data
	}
	return f, err
}

// Close closes the folder that is open.
func (r *Reader) Close() {
	if r.within != r.root {
		r.within.Close()
	}
	r.folder, r.within = "", r.root
}
