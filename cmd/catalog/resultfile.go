package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"instruction-catalog/catalog/files"
)

// resultFile is a result on its way to the path that was asked for. It is made before
// the long work, so that a place that cannot be written shows at once and an earlier
// result is lost only to a new one. It is nil where none was asked for.
type resultFile struct{ *files.Draft }

// createResult makes the file for a result that will stand at path. What stands there
// keeps its mode, and a new file has the one that the umask says. It writes through no
// link: who put one there, into a repository say, is not who asks for the result.
func createResult(path string) (*resultFile, error) {
	if path == "" {
		return nil, nil
	}
	switch info, err := os.Lstat(path); {
	case err == nil && info.Mode().Type() == fs.ModeSymlink:
		return nil, fmt.Errorf("--out: %s is a link: name the file that it leads to, or remove it", path)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("--out: %s is no regular file: name a file", path)
	}
	folder := filepath.Dir(path)
	if err := staysHere(folder); err != nil {
		return nil, unwritable("the folder "+folder, err)
	}
	draft, err := files.NewDraft(path, 0o666)
	if err != nil {
		return nil, unwritable("the folder "+folder, err)
	}
	return &resultFile{draft}, nil
}

// staysHere refuses a folder that is named as one within the working directory and
// that a link leads out of it. One that is named otherwise may be anywhere.
func staysHere(folder string) error {
	if !filepath.IsLocal(folder) {
		return nil
	}
	here, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	defer here.Close()
	_, err = here.Stat(folder)
	return err
}

func unwritable(where string, err error) error {
	return fmt.Errorf("--out: nothing can be written to %s (%w): mend that, or name a file elsewhere", where, files.Cause(err))
}

// write writes the whole result and puts it into its place.
func (f *resultFile) write(data []byte) error {
	if f == nil {
		return nil
	}
	if _, err := f.Write(data); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return f.keep()
}

// keep puts what was written into its place.
func (f *resultFile) keep() error {
	if err := f.Replace(); err != nil {
		return fmt.Errorf("--out: %w", files.Cause(err))
	}
	return nil
}

// discard removes what was not put into its place.
func (f *resultFile) discard() {
	if f != nil {
		f.Discard()
	}
}
