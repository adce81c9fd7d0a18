package usage

import (
	"errors"
	"os"
	"runtime"
	"time"

	"instruction-catalog/catalog"
)

// Sync says when a use has to be on disk.
type Sync string

// When a use has to be on disk. A process that is killed loses none either way;
// a machine that stops may.
const (
	SyncAlways   Sync = "always"   // before [Counter.Track] returns
	SyncInterval Sync = "interval" // within [Interval]
)

// Interval is how long a use may wait for the disk under [SyncInterval].
const Interval = 100 * time.Millisecond

// flush writes what is held, unless that has failed just now. The caller holds
// the lock.
func (c *Counter) flush(now time.Time) {
	if c.journal == nil && c.failed != nil && !c.told {
		c.told = true
		c.log.Warn("counts of use are held in memory", "error", c.failed)
	}
	if c.journal == nil || len(c.held) == 0 || c.failed != nil && time.Now().Before(c.retry) {
		return
	}
	err := c.journal.append(c.held, now)
	c.written++
	if err != nil && c.failed == nil {
		c.log.Warn("the journal of uses cannot be written: counts go on in memory", "file", c.journal.path, "error", err)
	}
	c.failed, c.retry = err, time.Now().Add(c.pause)
	if err != nil && c.again == nil {
		c.again = time.AfterFunc(c.idle, c.tryAgain)
	}
}

// tryAgain writes what is held where nobody tracks anything that would have it
// written.
func (c *Counter) tryAgain() {
	c.mu.Lock()
	if c.again == nil { // it was closed meanwhile
		c.mu.Unlock()
		return
	}
	c.again, c.retry = nil, time.Time{}
	c.flush(time.Now())
	written := c.written
	c.mu.Unlock()
	c.commit(written)
}

// commitOrDefer returns when so many of the writes are on disk, or, with an interval,
// has that done at its end.
func (c *Counter) commitOrDefer(written uint64) {
	switch {
	case c.journal == nil:
	case c.sync != SyncInterval:
		c.commit(written)
	default:
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.timer == nil {
			c.timer = time.AfterFunc(Interval, c.commitAll)
		}
	}
}

// commitAll ends an interval.
func (c *Counter) commitAll() {
	c.mu.Lock()
	c.timer = nil
	written := c.written
	c.mu.Unlock()
	c.commit(written)
}

// commit returns when so many of the writes are on disk. Those who wait for
// another's commit find that it was theirs, too.
func (c *Counter) commit(written uint64) {
	c.commits.Lock()
	defer c.commits.Unlock()
	if c.committed >= written {
		return
	}
	c.mu.Lock()
	file, all := c.journal.file, c.written
	c.mu.Unlock()
	var err error
	if file != nil {
		err = file.Sync()
	}
	c.committed = all
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil && !errors.Is(err, os.ErrClosed) { // closed: it was replaced by one that is on disk
		c.failed = err
	}
	if runtime.GOOS == "windows" && c.written == all && c.journal.file == file {
		c.journal.close() // else no process could replace it there
	}
}

// Status is how the counting goes.
type Status struct {
	Path    string            // of the journal; "" for counts in memory alone
	Since   catalog.Timestamp // when the counting began; "" where nothing is in the journal
	Damaged int               // lines of the journal that are not as they were written, and do not count
	Failure error             // why counts are held in memory although there is a journal; nil where they are not
}

// Status tells how the counting goes at this moment.
func (c *Counter) Status() Status {
	c.refresh()
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.journal == nil {
		return Status{Failure: c.failed}
	}
	s := Status{Path: c.journal.path, Since: c.journal.read.Since, Damaged: c.journal.read.damaged, Failure: c.unread}
	if c.failed != nil {
		s.Failure = c.failed
	}
	return s
}

// Close writes what is held, and returns when everything is on disk. Its error
// says why uses were lost.
func (c *Counter) Close() error {
	if c.journal == nil {
		return nil
	}
	c.mu.Lock()
	if c.timer != nil {
		c.timer.Stop()
	}
	c.retry = time.Time{}
	c.flush(time.Now())
	if c.again != nil {
		c.again.Stop()
		c.again = nil
	}
	lost, err := len(c.held), c.failed
	c.mu.Unlock()
	c.commitAll()
	c.mu.Lock()
	c.journal.close()
	c.mu.Unlock()
	if lost == 0 {
		return nil
	}
	c.log.Warn("uses were counted and could not be kept", "file", c.journal.path, "entries", lost, "error", err)
	return nil
}
