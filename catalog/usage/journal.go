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

// journal is a file to which several processes append records. A process that writes
// holds the lock beside it. Reading needs no lock. Only lock and sync are safe for
// concurrent use.
type journal struct {
	path   string
	writer string // the name of this process in its records
	number uint64 // the number of its last record

	read contents    // what has been read of the file
	seen fs.FileInfo // of the file at the last read; nil if it was missing

	write        func(io.Writer, []byte) (int, error) // replaced by tests that make it fail
	compactAfter int                                  // compact when the records exceed twice the sums by this many
	log          *slog.Logger
}

func newJournal(path string, log *slog.Logger) *journal {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // so that compact does not replace a symbolic link
	}
	return &journal{
		path: path, log: log, writer: rand.Text(), read: newContents(header{}, 0), compactAfter: 10_000,
		write: func(to io.Writer, text []byte) (int, error) { return to.Write(text) },
	}
}

// refresh reads what has been written since the last read. A missing or empty journal
// has no counts.
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

// follow reads f from the end of the last read, or from its start if f is a new journal
// or has become shorter.
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

// lock waits until no other process writes, and locks the journal. If another process
// holds the lock, lock first calls held. It creates the folder of the journal if it is
// missing.
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

// append writes totals to the journal, and deletes from the map those that were
// written. It creates the journal if it is missing or empty, and compacts a long one.
// The caller holds the lock.
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

// appendTo appends totals to f. It first removes an incomplete last line. Since the
// caller holds the lock, no process is still writing that line.
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

// trim removes an incomplete last line.
func (j *journal) trim(f *os.File) error {
	if j.seen.Size() <= j.read.end {
		return nil
	}
	return f.Truncate(j.read.end)
}

// sync flushes the journal to disk. A missing journal is not an error.
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

// compact replaces a long journal with a shorter one. If that fails, it logs a warning
// and keeps the journal. It is tried again when the journal has at least twice as many
// records.
func (j *journal) compact() {
	if err := j.replace(j.read.header, j.read.compacted()); err != nil {
		j.compactAfter = 2 * j.read.records
		j.log.Warn("the journal of uses cannot be compacted, and keeps growing", "file", j.path, "error", err)
	}
}

// replace durably replaces the journal with a new generation that has these records,
// and reads it.
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
		d.Like(nil) // so that every user of a shared journal can compact it
		err = d.Chmod(j.seen.Mode().Perm())
	}
	if err != nil {
		d.Discard()
		return err
	}
	return errors.Join(d.Replace(), j.refresh())
}
