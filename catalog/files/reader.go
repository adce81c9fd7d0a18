package files

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// Reader reads files of a root one after the other, and follows no symbolic links. It
// keeps the folder of the last file open and reuses its buffer, so that many small
// files cost less than with [ReadIn]. It is not safe for concurrent use.
type Reader struct {
	root   *os.Root
	folder string   // ends in a slash; "" for the root itself
	within *os.Root // the folder
	buf    []byte
}

// NewReader returns a reader of the files within root. The caller closes root.
func NewReader(root *os.Root) *Reader { return &Reader{root: root, within: root} }

// Read reads the regular file called name, if it has at most limit bytes. The data is
// valid until the next Read. The error is [ErrNotRegular], [ErrTooLarge], [ErrLink] or
// that of the operating system. It is [ErrLink] if the name or a folder in it is a
// symbolic link, or if the file is replaced during each attempt.
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

// maxAttempts is the maximum number of attempts to open a file that is replaced
// meanwhile. Editors replace a file when they save it.
const maxAttempts = 3

// errAnother means that the opened file no longer has the name.
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

// Close closes the folder that is kept open.
func (r *Reader) Close() {
	if r.within != r.root {
		r.within.Close()
	}
	r.folder, r.within = "", r.root
}
