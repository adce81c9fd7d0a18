package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
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
	return read(opened, limit)
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
	return read(opened, limit)
}

// ReadAll reads a stream to its end if that comes within limit bytes, else the
// error is [ErrTooLarge]. It waits for whoever writes.
func ReadAll(r io.Reader, limit int) ([]byte, error) {
	var buf bytes.Buffer
	err := fill(&buf, r, limit)
	return buf.Bytes(), err
}

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

func read(opened *os.File, limit int) (File, error) {
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
	var buf bytes.Buffer
	buf.Grow(int(info.Size()) + bytes.MinRead)
	if err := fill(&buf, opened, limit); err != nil { // it may have grown
		return File{}, err
	}
	return File{Data: buf.Bytes(), Modified: info.ModTime(), Identity: IdentityOf(info, now)}, nil
}

// fill appends what r has to buf, at most limit bytes.
func fill(buf *bytes.Buffer, r io.Reader, limit int) error {
	n, err := buf.ReadFrom(io.LimitReader(r, int64(limit)+1))
	switch {
	case err != nil:
		return err
	case n > int64(limit):
		return ErrTooLarge
	}
	return nil
}

// Exhausted reports whether an error of opening is none of the file: this process, or
// the machine, has as many files open as it may have.
func Exhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// Cause is what went wrong, without the operation and the path that package os
// puts before it: the path may belong to the machine and not into an answer,
// and where it is wanted, the caller knows a better one.
func Cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}
