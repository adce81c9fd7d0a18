package files

import (
	"errors"
	"os"
	"runtime"
)

// SyncFolder syncs a folder to disk. Call it after creating, renaming or removing a
// file in the folder, to make that durable. The open function is [os.Open] or the
// method of an [os.Root].
func SyncFolder(open func(name string) (*os.File, error), name string) error {
	if runtime.GOOS == "windows" {
		return nil // it does this by itself, and cannot open folders
	}
	folder, err := open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
