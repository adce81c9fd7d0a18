package files

import (
	"errors"
	"os"
	"runtime"
)

// SyncFolder makes durable which files a folder has, after one was made, renamed or
// removed in it. The folder is opened with [os.Open], or with that of an [os.Root].
func SyncFolder(open func(name string) (*os.File, error), name string) error {
	if runtime.GOOS == "windows" {
		return nil // which keeps that without being asked, and opens no folder
	}
	folder, err := open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
