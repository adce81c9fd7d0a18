package cachefile

import (
	"fmt"
	"io/fs"
	"os"
)

// checkFolder makes sure that only the user can put a file into the folder.
func checkFolder(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%w: %s is no folder", ErrTampered, folder)
	}
	return checkOwn(folder, info)
}

// openOwn opens a file that only the user can have written.
func openOwn(path string) (*os.File, error) {
	opened, err := os.OpenFile(path, os.O_RDONLY|onlyItself, 0)
	if err != nil {
		return nil, opening(path, err)
	}
	info, err := opened.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = irregular(path)
	default:
		err = checkOwn(path, info)
	}
	if err != nil {
		opened.Close()
		return nil, err
	}
	return opened, nil
}

// opening is the error of an attempt to open the file: systems do not agree on
// what they call a link that is not to be followed, or a socket.
func opening(path string, err error) error {
	if info, unseen := os.Lstat(path); unseen == nil && !info.Mode().IsRegular() {
		return irregular(path)
	}
	return err
}

func irregular(path string) error { return fmt.Errorf("%w: %s is no regular file", ErrTampered, path) }

// checkOwn makes sure that only the user can change what was found at the path.
func checkOwn(path string, info fs.FileInfo) error {
	const writableByOthers = 0o022
	switch mine, known := isOwn(info); {
	case !known:
		return ErrUnsupported
	case !mine:
		return fmt.Errorf("%w: %s belongs to somebody else", ErrTampered, path)
	case info.Mode()&writableByOthers != 0:
		return fmt.Errorf("%w: %s is writable by others", ErrTampered, path)
	}
	return nil
}
