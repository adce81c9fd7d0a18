package usage

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
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

// How long [Counter.Track] waits for the lock of the journal before it says so, and
// before it leaves the count in memory. The second is shorter than a server may take
// to end.
const (
	patience = 50 * time.Millisecond
	timeout  = 3 * time.Second
)

var errLocked = errors.New("another process has held its lock for seconds")

// Counter counts uses. It is safe for concurrent use.
type Counter struct {
	log     *slog.Logger
	when    Sync
	timeout time.Duration // of waiting for the lock
	pause   time.Duration // between a failed write and the next one, at least
	idle    time.Duration // after which a failed write is repeated without a new use

	mu      sync.RWMutex
	journal *journal              // nil: all counts are in memory
	held    map[catalog.ID]Totals // counted, and not in the journal
	tracked map[catalog.ID]int64  // uses of this process
	unread  error                 // why the journal could not be read the last time
	failed  error                 // why it could not be written the last time
	retry   time.Time             // no write before that
	pending *write                // waits for the lock; nil for none
	running bool                  // whether a goroutine writes
	timer   *time.Timer           // of the next write or sync without a new use; nil for none
	closed  bool                  // no more timers
	logged  bool                  // that there is no journal although there should be one
}

// NewCounter returns a counter that counts in memory and has counted nothing yet.
func NewCounter() *Counter {
	return &Counter{held: map[catalog.ID]Totals{}, tracked: map[catalog.ID]int64{}}
}

// Open returns a counter that keeps its counts in the journal at path, which other
// processes may share. It opens nothing before the journal is needed, and writes
// nothing before something is counted. While the journal cannot be used, counts go on
// in memory, and are written within seconds of when that is possible: the log says
// when this begins, and [Counter.Status] reports it.
func Open(path string, when Sync, log *slog.Logger) *Counter {
	c := NewCounter()
	c.journal, c.when, c.log = newJournal(path, log), when, log
	c.timeout, c.pause, c.idle = timeout, time.Second, 5*time.Second
	return c
}

// Unkept returns a counter in memory for counts that should be in a journal and cannot
// be. The reason is logged with the first use, and part of [Counter.Status].
func Unkept(reason error, log *slog.Logger) *Counter {
	c := NewCounter()
	c.failed, c.log = reason, log
	return c
}

// Tracked is the answer to a use that was counted.
type Tracked struct {
	Use
	InMemory bool // the count should be in the journal, and is not
}

// Track counts one use of the entry. It returns the use of the entry with this one and
// those before it. With [SyncAlways] the use is on disk by then, unless InMemory is set.
// If it has to wait for another process to release the journal, it calls delayed once,
// which may be nil.
func (c *Counter) Track(e *catalog.Entry, kind Kind, now time.Time, delayed func()) Tracked {
	c.mu.Lock()
	c.held[e.ID] = c.held[e.ID].plus(kind.one(now))
	c.tracked[e.ID]++
	own := c.tracked[e.ID]
	w := c.write(now)
	c.mu.Unlock()
	inMemory := !c.wait(w, delayed)
	c.mu.RLock()
	defer c.mu.RUnlock()
	use := c.uses().Of(e)
	use.Count -= c.tracked[e.ID] - own // the uses after this one
	return Tracked{use, inMemory && c.failed != nil}
}

// Of returns the use of the entry: what its file records and what was tracked, added
// up. The later of the last uses counts.
func (c *Counter) Of(e *catalog.Entry) (u Use) {
	c.Read(func(uses Uses) { u = uses.Of(e) })
	return u
}

// Read calls read with all uses at one moment, which lasts until it returns.
func (c *Counter) Read(read func(Uses)) {
	c.refresh()
	c.mu.RLock()
	defer c.mu.RUnlock()
	read(c.uses())
}

// refresh reads what other processes have written.
func (c *Counter) refresh() {
	if c.journal == nil {
		return
	}
	c.mu.RLock()
	changed := files.Changed(c.journal.path, c.journal.seen) || c.unread != nil
	c.mu.RUnlock()
	if !changed {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.journal.refresh()
	if err != nil && c.unread == nil {
		c.log.Warn("the journal of uses cannot be read", "file", c.journal.path, "error", err)
	}
	c.unread = err
}

func (c *Counter) uses() Uses {
	if c.journal == nil {
		return Uses{held: c.held}
	}
	return Uses{filed: c.journal.read.totals, held: c.held}
}

// Uses are the counts at one moment; see [Counter.Read].
type Uses struct{ filed, held map[catalog.ID]Totals }

// Of returns what [Counter.Of] does.
func (u Uses) Of(e *catalog.Entry) Use { return u.totals(e).Use }

func (u Uses) totals(e *catalog.Entry) Totals {
	total := Totals{Use: Use{Count: e.UsageCount, LastUsedAt: e.LastUsedAt}}
	for _, part := range []map[catalog.ID]Totals{u.filed, u.held} {
		if tracked, ok := part[e.ID]; ok {
			total = total.plus(tracked)
		}
	}
	return total
}

// Status is how the counting goes.
type Status struct {
	Path    string            // of the journal; "" for counts in memory alone
	Since   catalog.Timestamp // when the counting began; "" if nothing is in the journal
	Damaged int               // lines of the journal that are damaged, and do not count
	Failure error             // why counts are in memory although there is a journal; nil if they are not
}

// Status returns how the counting goes at this moment.
func (c *Counter) Status() Status {
	c.refresh()
	c.mu.RLock()
	defer c.mu.RUnlock()
	s := Status{Failure: c.failed}
	if c.journal == nil {
		return s
	}
	if s.Failure == nil {
		s.Failure = c.unread
	}
	s.Path, s.Since, s.Damaged = c.journal.path, c.journal.read.Since, c.journal.read.damaged
	return s
}

// Close writes what is in memory, and returns when everything is on disk, or cannot be
// written in time. Counts that are lost are logged.
func (c *Counter) Close() error {
	if c.journal == nil {
		return nil
	}
	c.mu.Lock()
	c.closed, c.retry = true, time.Time{}
	if c.timer != nil {
		c.timer.Stop()
	}
	var last *write
	if len(c.held) > 0 {
		last = c.write(time.Now())
	}
	c.mu.Unlock()
	c.wait(last, nil)
	if c.when == SyncInterval {
		c.syncNow()
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if len(c.held) > 0 {
		c.log.Warn("uses were counted and could not be kept", "file", c.journal.path, "entries", len(c.held), "error", c.failed)
	}
	return nil
}
