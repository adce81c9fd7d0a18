package files

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

var (
	// ErrLeadsOut means that a path or a symbolic link leads out of the root.
	ErrLeadsOut = errors.New("it leads out of the folder")
	// ErrLink means that a symbolic link was found instead of a file or a folder. It
	// may have replaced one a moment ago. Nothing was read from it.
	ErrLink = errors.New("it is a symbolic link now")
)

// maxSegments is the maximum number of segments of a path, including those of the
// symbolic links in it.
const maxSegments = 255

// Resolve returns the path, without symbolic links, of the file or folder that name
// leads to within root. The error is [ErrLeadsOut] or that of the operating system. It
// is ELOOP if links form a cycle, or if the path with its links has more than 255
// segments.
func Resolve(root *os.Root, name string) (string, error) {
	d := descent{at: []*os.Root{root}}
	defer d.close()
	rest := strings.Split(name, "/")
	for steps := 0; len(rest) > 0; steps++ {
		segment := rest[0]
		rest = rest[1:]
		target, err := d.step(segment, len(rest) > 0)
		switch {
		case err != nil:
			return "", err
		case steps == maxSegments:
			return "", syscall.ELOOP
		case filepath.IsAbs(target):
			return "", ErrLeadsOut
		case target != "":
			rest = append(strings.Split(filepath.ToSlash(target), "/"), rest...)
		}
	}
	return path.Join(append([]string{"."}, d.names...)...), nil
}

// openFolder opens a folder within root. The error is [ErrLink] if a segment of its
// path is a symbolic link. It may return root itself.
func openFolder(root *os.Root, name string) (*os.Root, error) {
	d := descent{at: []*os.Root{root}}
	for segment := range strings.SplitSeq(path.Clean(name), "/") {
		target, err := d.step(segment, true)
		if target != "" {
			err = ErrLink
		}
		if err != nil {
			d.close()
			return nil, err
		}
	}
	last := len(d.at) - 1
	folder := d.at[last]
	d.at = d.at[:max(last, 1)]
	d.close()
	return folder, nil
}

// descent walks down from a root. It detects folders that are replaced by a symbolic
// link during the walk.
type descent struct {
	at    []*os.Root // the open folders; the caller closes the first one
	names []string   // the names of the segments passed; the last one may be a file
}

func (d *descent) close() {
	for _, opened := range d.at[1:] {
		opened.Close()
	}
}

// step processes the next segment of a path. isFolder says that more segments follow.
// For a symbolic link, step returns its target and does not follow it.
func (d *descent) step(segment string, isFolder bool) (target string, err error) {
	in := d.at[len(d.at)-1]
	switch segment {
	case "", ".":
		return "", nil
	case "..":
		if len(d.names) == 0 {
			return "", ErrLeadsOut
		}
		in.Close()
		d.at, d.names = d.at[:len(d.at)-1], d.names[:len(d.names)-1]
		return "", nil
	}
	info, err := in.Lstat(segment)
	switch {
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink != 0:
		return in.Readlink(segment)
	case !isFolder:
		d.names = append(d.names, segment)
		return "", nil
	case !info.IsDir():
		return "", syscall.ENOTDIR
	}
	folder, err := in.OpenRoot(segment)
	if err != nil {
		return "", err
	}
	d.at, d.names = append(d.at, folder), append(d.names, segment)
	opened, err := folder.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = ErrLink
	}
	return "", err
}
