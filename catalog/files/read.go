package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"
)

var (
	// ErrNotRegular means that the name is not that of a regular file, but of a folder,
	// a named pipe, a socket or a device. Nothing was read.
	ErrNotRegular = errors.New("it is not a regular file")
	// ErrTooLarge means that the content exceeds the limit. None of it is returned.
	ErrTooLarge = errors.New("it is too large")
)

// File is the content of a file, with its state when it was read.
type File struct {
	Data     []byte
	Modified time.Time
	Identity Identity // taken before the content was read
}

// Read reads the regular file called name, if it has at most limit bytes. It follows
// symbolic links to any target. The error is [ErrNotRegular], [ErrTooLarge] or that of
// the operating system.
func Read(name string, limit int) (File, error) {
	opened, err := os.OpenFile(name, atOnce, 0)
	if err != nil {
		return File{}, opening(err)
	}
	defer opened.Close()
	return read(opened, limit, nil)
}

// Open opens the regular file called name, to read it as a stream. It follows symbolic
// links to any target. The error is [ErrNotRegular] or that of the operating system.
func Open(name string) (*os.File, fs.FileInfo, error) {
	opened, err := os.OpenFile(name, atOnce, 0)
	if err != nil {
		return nil, nil, opening(err)
	}
	info, err := opened.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		opened.Close()
		return nil, nil, err
	}
	return opened, info, nil
}

// ReadIn is [Read] for a name within root. No link can lead out of root.
func ReadIn(root *os.Root, name string, limit int) (File, error) {
	opened, err := root.OpenFile(name, atOnce, 0)
	if err != nil {
		return File{}, opening(err)
	}
	defer opened.Close()
	return read(opened, limit, nil)
}

// ReadAll reads a stream to its end. The error is [ErrTooLarge] if the stream has more
// than limit bytes. ReadAll blocks until the writer of a pipe closes it.
func ReadAll(r io.Reader, limit int) ([]byte, error) { return fill(nil, r, -1, limit) }

// atOnce holds the flags that open a file for reading without waiting for the writer of
// a named pipe.
const atOnce = os.O_RDONLY | syscall.O_NONBLOCK

// opening translates an error from opening a file. A socket cannot be opened (ENXIO).
// Other files that are not regular can be opened, and are detected after that.
func opening(err error) error {
	if errors.Is(err, syscall.ENXIO) {
		return ErrNotRegular
	}
	return err
}

// read reads an open file. It reuses buf if that is large enough.
func read(opened *os.File, limit int, buf []byte) (File, error) {
	info, err := opened.Stat()
	now := time.Now()
	switch {
	case err != nil:
		return File{}, err
	case !info.Mode().IsRegular():
		return File{}, ErrNotRegular
	case info.Size() > int64(limit):
		return File{}, ErrTooLarge
	}
	data, err := fill(buf, opened, int(info.Size()), limit) // the file may have grown since Stat
	if err != nil {
		return File{}, err
	}
	return File{Data: data, Modified: info.ModTime(), Identity: IdentityOf(info, now)}, nil
}

// fill reads r until EOF and reuses buf if that is large enough. It also stops if a
// Read leaves exactly size bytes in the result, which saves the final Read on a file of
// that size. If size is -1, it stops only at EOF.
func fill(buf []byte, r io.Reader, size, limit int) ([]byte, error) {
	buf = slices.Grow(buf[:0], size+1) // one byte more, to detect that the file has grown
	for {
		n, err := r.Read(buf[len(buf):min(cap(buf), limit+1)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > limit:
			return nil, ErrTooLarge
		case errors.Is(err, io.EOF), err == nil && len(buf) == size:
			return buf, nil
		case err != nil:
			return nil, err
		case len(buf) == cap(buf):
			buf = slices.Grow(buf, 512)
		}
	}
}

// Exhausted reports whether opening a file failed because the process or the machine
// has too many open files. Such an error is not about the file.
func Exhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// Cause returns err without the operation and the path that package os adds. The path
// may be private to this machine, and a caller that needs a path knows a better one.
func Cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}
