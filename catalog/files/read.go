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
	// ErrNotRegular says that something else than a file has the name: a
	// folder, a named pipe, a socket or a device. Nothing was read from it.
	ErrNotRegular = errors.New("it is no regular file")
	// ErrTooLarge says that there is more than may be read. None of it was
	// returned.
	ErrTooLarge = errors.New("it is too large")
)

// File is a file as it was found.
type File struct {
	Data     []byte
	Modified time.Time
	Identity Identity // of the file before it was read
}

// Read reads the regular file of that name, of at most limit bytes. Symbolic
// links are followed, wherever they lead. The error is [ErrNotRegular],
// [ErrTooLarge] or that of the operating system.
func Read(name string, limit int) (File, error) {
	opened, err := os.OpenFile(name, atOnce, 0)
	if err != nil {
		return File{}, opening(err)
	}
	defer opened.Close()
	return read(opened, limit, nil)
}

// Open opens the regular file of that name, to be read as a stream. Symbolic
// links are followed, wherever they lead. The error is [ErrNotRegular] or that
// of the operating system.
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

// ReadIn is [Read] for a name within a root, which no link leads out of.
func ReadIn(root *os.Root, name string, limit int) (File, error) {
	opened, err := root.OpenFile(name, atOnce, 0)
	if err != nil {
		return File{}, opening(err)
	}
	defer opened.Close()
	return read(opened, limit, nil)
}

// ReadAll reads a stream to its end if that comes within limit bytes, else the
// error is [ErrTooLarge]. It waits for the writer of a pipe.
func ReadAll(r io.Reader, limit int) ([]byte, error) { return fill(nil, r, -1, limit) }

// atOnce opens for reading, and a named pipe without waiting for its writer.
const atOnce = os.O_RDONLY | syscall.O_NONBLOCK

// opening is the error of an attempt to open a file. A socket cannot even be
// opened (ENXIO); everything else is found out when it is open.
func opening(err error) error {
	if errors.Is(err, syscall.ENXIO) {
		return ErrNotRegular
	}
	return err
}

// read reads what was opened into the memory of buf, if that is enough.
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
	data, err := fill(buf, opened, int(info.Size()), limit) // it may have grown
	if err != nil {
		return File{}, err
	}
	return File{Data: data, Modified: info.ModTime(), Identity: IdentityOf(info, now)}, nil
}

// fill returns what r has, in the memory of buf if that is enough. It ends where r
// does, or where it pauses after size bytes, which is the end of a file of that size.
func fill(buf []byte, r io.Reader, size, limit int) ([]byte, error) {
	buf = slices.Grow(buf[:0], size+1) // so that it shows whether there is more
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

// Exhausted reports whether opening failed for a reason unrelated to the file: this
// process, or the machine, has as many files open as it may have.
func Exhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// Cause returns what went wrong, without the operation and the path that package os
// puts before it: the path may be private to this machine, and a caller that needs
// one knows a better one.
func Cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}
