package usage

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// journal is a file that several processes append records to. A process that writes
// holds the lock beside it; reading needs no lock. It is not safe for concurrent use,
// but for lock and sync.
type journal struct {
	path   string
	writer string // the name of this process in its records
	number uint64 // of its last record

	read contents    // what the file held when it was last looked at
	seen fs.FileInfo // of the file then; nil if it was missing

	write        func(io.Writer, []byte) (int, error) // a test makes it fail
	compactAfter int                                  // so many records more than twice the sums
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

// refresh reads what has been written since the last time. A missing journal, or one
// that was just created, holds nothing.
func (j *journal) refresh() error {
	f, info, err := files.Open(j.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Size() == 0:
		j.read, j.seen = newContents(header{}, 0), info
		if f != nil {
			f.Close()
		}
		return nil
	case err != nil:
		return err
	}
	defer f.Close()
	return j.follow(f, info)
}

// follow reads on in an open file, or from its start if it is another one.
func (j *journal) follow(f *os.File, info fs.FileInfo) error {
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

// lock waits until no other process writes, and calls held first if another one does.
// It makes the folder of the journal if that is missing.
func (j *journal) lock(held func()) (unlock func(), err error) {
	name := j.path + ".lock"
	unlock, err = files.TryLock(name)
	switch {
	case errors.Is(err, files.ErrLocked):
		held()
	case !errors.Is(err, fs.ErrNotExist):
		return unlock, err
	}
	return files.Lock(context.Background(), name)
}

// append writes totals, and removes from the map those that were written. The caller
// holds the lock.
func (j *journal) append(totals map[catalog.ID]Totals, now time.Time) error {
	if err := j.refresh(); err != nil {
		return err
	}
	if j.seen == nil || j.seen.Size() == 0 {
		h := header{Journal: format, Version: version, Since: catalog.NewTimestamp(now)}
		if err := j.replace(h, nil); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(j.path, os.O_RDWR|os.O_APPEND|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	err = errors.Join(j.appendTo(f, totals), f.Close())
	if err == nil && j.read.records >= j.compactAfter+2*len(j.read.sums) {
		j.compact()
	}
	return err
}

// appendTo appends totals. Since the caller holds the lock, a line without a newline
// at the end is one that a process could not finish.
func (j *journal) appendTo(f *os.File, totals map[catalog.ID]Totals) error {
	if err := j.trim(f); err != nil {
		return err
	}
	records := recordsOf(totals, j.writer, j.number)
	j.number += uint64(len(records))
	lines, err := appendRecords(nil, records)
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
	for _, r := range records {
		if j.read.sums[source{r.Writer, r.ID}].number == r.Number {
			delete(totals, r.ID)
		}
	}
	if failed != nil {
		return errors.Join(failed, j.trim(f))
	}
	return nil
}

// trim cuts off a last line that was not finished.
func (j *journal) trim(f *os.File) error {
	if j.seen.Size() <= j.read.end {
		return nil
	}
	return f.Truncate(j.read.end)
}

// sync returns when the journal is on disk.
func (j *journal) sync() error {
	f, err := os.OpenFile(j.path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another process has removed it
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// compact replaces a journal that has become long. If that fails, the journal goes on,
// and it is tried again when the journal is twice as long.
func (j *journal) compact() {
	if err := j.replace(j.read.header, j.read.compacted()); err != nil {
		j.compactAfter = 2 * j.read.records
		j.log.Warn("the journal of uses cannot be compacted, and goes on growing", "file", j.path, "error", err)
	}
}

// replace replaces the journal by a new one, durably, and reads that.
func (j *journal) replace(h header, records []record) error {
	h.Generation = rand.Text()
	text, err := appendLine(nil, h)
	if err == nil {
		text, err = appendRecords(text, records)
	}
	if err != nil {
		return err
	}
	d, err := files.NewDraft(j.path, 0o666)
	if err != nil {
		return err
	}
	_, err = j.write(d, text)
	if err == nil && j.seen != nil {
		d.Like(nil) // users who share a journal may all compact it
		err = d.Chmod(j.seen.Mode().Perm())
	}
	if err != nil {
		d.Discard()
		return err
	}
	return errors.Join(d.Replace(), j.refresh())
}
