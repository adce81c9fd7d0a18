package files

import (
	"bytes"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// list returns what is in the folder, of which nothing but the names has been asked
// for: below a root, package os looks at each. So it opens the folder once more,
// for as long as that takes.
func (f *Folder) list() (entries []fs.DirEntry, looked bool, err error) {
	defer runtime.KeepAlive(f.opened)
	const flags = atOnce | unix.O_DIRECTORY | unix.O_CLOEXEC
	fd, err := openAt(int(f.fd), ".", flags)
	if err != nil {
		return nil, false, err
	}
	names := os.NewFile(uintptr(fd), f.opened.Name())
	defer names.Close()
	entries, err = names.ReadDir(-1)
	return entries, false, err
}

// readPlain reads the member of that name if that is a regular file and no link,
// and nothing is the matter with it; if not, [ReadIn] says why. It needs the
// four calls of the system that there is no way around: package os makes four
// more of each file, among them one that offers it to the poller in vain.
func (f *Folder) readPlain(name string, limit int, buf *Buffer) (File, bool) {
	defer runtime.KeepAlive(f.opened)
	// As an os.Root opens the last element of a path.
	fd, err := openAt(int(f.fd), name, atOnce|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return File{}, false
	}
	defer unix.Close(fd)
	info := &buf.info
	if err := untilDone(func() error { return unix.Fstat(fd, &info.stat) }); err != nil {
		return File{}, false
	}
	if !info.Mode().IsRegular() || info.Size() > int64(limit) || !readWhole(fd, int(info.Size()), limit, &buf.data) {
		return File{}, false
	}
	return File{Data: buf.data.Bytes(), Modified: info.ModTime(), Info: info}, true
}

func openAt(folder int, name string, flags int) (fd int, err error) {
	err = untilDone(func() error {
		fd, err = unix.Openat(folder, name, flags, 0)
		return err
	})
	return fd, err
}

// readWhole reads a file that was found to have so many bytes. Once these have
// come, and fewer than there was room for, there are no more.
func readWhole(fd, size, limit int, buf *bytes.Buffer) bool {
	buf.Reset()
	for buf.Len() <= limit {
		buf.Grow(max(size-buf.Len(), 0) + bytes.MinRead)
		room := buf.AvailableBuffer()[:buf.Available()]
		n := 0
		err := untilDone(func() (err error) {
			n, err = unix.Read(fd, room)
			return err
		})
		if err != nil {
			return false
		}
		buf.Write(room[:n]) // to where it is
		if n == 0 || size > 0 && buf.Len() == size {
			return true
		}
	}
	return false
}

// untilDone calls the system again where a signal cut it off.
func untilDone(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// look asks for what the system says of a member itself.
func (f *Folder) look(name string) (fs.FileInfo, error) {
	defer runtime.KeepAlive(f.opened)
	info := new(plainInfo)
	err := untilDone(func() error { return unix.Fstatat(int(f.fd), name, &info.stat, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return nil, os.NewSyscallError("fstatat", err)
	}
	return info, nil
}

// plainInfo is what the system says of a file.
type plainInfo struct{ stat unix.Stat_t }

func (i *plainInfo) Name() string       { return "" } // it was not asked by its name
func (i *plainInfo) Size() int64        { return i.stat.Size }
func (i *plainInfo) ModTime() time.Time { return time.Unix(i.stat.Mtim.Unix()) }
func (i *plainInfo) IsDir() bool        { return i.Mode().IsDir() }

// Sys returns it as package os does: both types are that of the kernel.
func (i *plainInfo) Sys() any { return (*syscall.Stat_t)(unsafe.Pointer(&i.stat)) }

var _ [unsafe.Sizeof(unix.Stat_t{})]byte = [unsafe.Sizeof(syscall.Stat_t{})]byte{}

// Mode returns the permissions, and whether it is a regular file; all else is
// irregular.
func (i *plainInfo) Mode() fs.FileMode {
	mode := fs.FileMode(i.stat.Mode) & fs.ModePerm
	if i.stat.Mode&unix.S_IFMT != unix.S_IFREG {
		mode |= fs.ModeIrregular
	}
	return mode
}
