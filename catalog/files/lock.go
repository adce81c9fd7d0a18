package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Lock waits until no other process holds the lock file called name, and returns an
// error if ctx is done first. It creates the file and its folder if they are missing.
// The operating system releases the lock when the process ends.
func Lock(ctx context.Context, name string) (unlock func(), err error) {
	return await(ctx, func() (func(), error) {
		mutex := lockedfile.MutexAt(name)
		unlock, err := mutex.Lock()
		if !errors.Is(err, fs.ErrNotExist) {
			return unlock, err
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return nil, err
		}
		return mutex.Lock()
	})
}

// lockFolder is [Lock] for a folder within root. It needs no lock file. The error is
// [errors.ErrUnsupported] if the system cannot lock this folder.
func lockFolder(ctx context.Context, root *os.Root, name string) (unlock func(), err error) {
	return await(ctx, func() (func(), error) {
		folder, err := root.Open(name)
		if err != nil {
			return nil, err
		}
		if err := flock(folder, true); err != nil {
			folder.Close()
			return nil, err
		}
		return func() { folder.Close() }, nil
	})
}

// await calls lock, which blocks, and returns its result. It returns an error if ctx is
// done first. If lock succeeds after that, await releases the lock.
func await(ctx context.Context, lock func() (func(), error)) (unlock func(), err error) {
	type result struct {
		unlock func()
		err    error
	}
	locked := make(chan result, 1)
	go func() {
		unlock, err := lock()
		locked <- result{unlock, err}
	}()
	select {
	case r := <-locked:
		return r.unlock, r.err
	case <-ctx.Done():
		go func() {
			if r := <-locked; r.err == nil {
				r.unlock()
			}
		}()
		return nil, fmt.Errorf("another process has held the lock for too long: %w", ctx.Err())
	}
}
