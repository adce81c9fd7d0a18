package usage

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// journal is a file that several processes append records to. Whoever writes
// holds the lock beside it; reading needs none. It is not safe for concurrent
// use, and opens nothing until it is asked.
type journal struct {
	path   string
	writer string // what the records of this process are signed with
	number uint64 // of its last record

	read contents    // what the file held when it was last looked at
	seen fs.FileInfo // of the file then; nil for none

	file   *os.File    // that is written to, and what was written is perhaps not on disk; nil for none
	opened fs.FileInfo // of that file

	write func(io.Writer, []byte) (int, error) // a test makes it fail

	compactAfter int // so many records more than twice the entries
	log          *slog.Logger
}

func newJournal(path string, log *slog.Logger) *journal {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link is not to be replaced by a file
	}
	return &journal{
		path: path, log: log, writer: rand.Text(), read: newContents(header{}, 0), compactAfter: 10_000,
		write: func(to io.Writer, text []byte) (int, error) { return to.Write(text) },
	}
}

// changed reports whether the file is another than the one that was read.
func (j *journal) changed() bool {
	now, err := os.Stat(j.path)
	if err != nil || j.seen == nil {
		return j.seen != nil || !errors.Is(err, fs.ErrNotExist)
	}
	return !os.SameFile(now, j.seen) || now.Size() != j.seen.Size() || !now.ModTime().Equal(j.seen.ModTime())
}

// refresh reads what has been written since the last time. A journal that is
// not there holds nothing.
func (j *journal) refresh() error {
	f, info, err := files.Open(j.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		j.read, j.seen = newContents(header{}, 0), info
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	defer f.Close()
	if info.Size() == 0 {
		return nil // made by somebody who wants the journal here
	}
	return j.follow(f, info)
}

// follow reads on in an open file, or from its start if it is another one.
func (j *journal) follow(f *os.File, info fs.FileInfo) error {
	if os.SameFile(info, j.opened) && info.Size() == j.read.end && f == j.file {
		j.seen = info
		return nil // nobody else has written
	}
	h, start, err := readHeader(f)
	if err != nil {
		return err
	}
	if h.Generation != j.read.Generation || info.Size() < j.read.end {
		j.read = newContents(h, start)
	}
	j.seen = info
	return j.read.read(f)
}

// append writes totals, and takes those that were written out of the map. What
// it leaves there was not written, and the error says why.
func (j *journal) append(totals map[catalog.ID]Totals, now time.Time) error {
	unlock, err := j.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := j.open(now); err != nil {
		return err
	}
	if err := j.appendTo(j.file, totals); err != nil {
		return err
	}
	j.compact()
	return nil
}

// lock waits until no other process writes. The folder of the journal is made
// where it is not there.
func (j *journal) lock() (unlock func(), err error) {
	mutex := lockedfile.MutexAt(j.path + ".lock")
	unlock, err = mutex.Lock()
	if !errors.Is(err, fs.ErrNotExist) {
		return unlock, err
	}
	if err := os.MkdirAll(filepath.Dir(j.path), 0o700); err != nil {
		return nil, err
	}
	return mutex.Lock()
}

// open opens the file that has the journal's name at this moment, and reads it.
// A journal that is not there is made.
func (j *journal) open(now time.Time) error {
	named, err := os.Stat(j.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && named.Mode().IsRegular() && named.Size() == 0 {
		err = j.replace(newContents(header{Journal: format, Version: version, Since: catalog.NewTimestamp(now)}, 0))
	}
	if err != nil {
		return err
	}
	if j.file != nil && os.SameFile(named, j.opened) {
		return j.follow(j.file, named)
	}
	j.close() // it was replaced by one that has all its records, on disk
	f, err := os.OpenFile(j.path, os.O_RDWR|os.O_APPEND|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = files.ErrNotRegular
	}
	if err == nil {
		err = j.follow(f, info)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	j.file, j.opened = f, info
	return nil
}

// appendTo writes under the lock, which means that a line without a newline at
// the end is one that somebody could not finish.
func (j *journal) appendTo(f *os.File, totals map[catalog.ID]Totals) error {
	if err := j.trim(); err != nil {
		return err
	}
	j.number = max(j.number, j.read.last[j.writer])
	lines, err := appendRecords(nil, totals, j.writer, j.number+1)
	if err != nil {
		return err
	}
	_, failed := j.write(f, lines)
	info, err := f.Stat()
	if err == nil {
		err = j.follow(f, info)
	}
	if err != nil {
		return errors.Join(failed, err)
	}
	for _, id := range slices.Sorted(maps.Keys(totals)) {
		if j.number >= j.read.last[j.writer] {
			break // this one and those after it were not written
		}
		j.number++
		delete(totals, id)
	}
	if failed != nil {
		return errors.Join(failed, j.trim())
	}
	return nil
}

// trim cuts off a last line that was not finished.
func (j *journal) trim() error {
	if j.seen.Size() <= j.read.end {
		return nil
	}
	return os.Truncate(j.path, j.read.end)
}

// close closes the file, where it is open. What was written and is not on disk
// yet gets there at some time.
func (j *journal) close() {
	if j.file != nil {
		j.file.Close()
		j.file = nil
	}
}
