package usage

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// Sync says when a use must be on disk.
type Sync string

// The values of Sync. If a process is killed, no use is lost with either value. If the
// machine stops, uses that are not on disk may be lost.
const (
	SyncAlways   Sync = "always"   // before [Counter.Track] returns
	SyncInterval Sync = "interval" // within [Interval]
)

// Interval is the maximum time until a use is on disk under [SyncInterval].
const Interval = 100 * time.Millisecond

// patience is how long [Counter.Track] waits for the lock of the journal before it
// reports a delay. timeout is how long it waits before it leaves the count in memory.
// It is shorter than the time that a server may take to shut down.
const (
	patience = 50 * time.Millisecond
	timeout  = 3 * time.Second
)

var errLocked = errors.New("another process has held its lock for seconds")

// Counter counts uses. It is safe for concurrent use.
type Counter struct {
	log     *slog.Logger
	when    Sync
	timeout time.Duration // maximum time to wait for the lock
	pause   time.Duration // minimum time between a failed write and the next one
	idle    time.Duration // time until a failed write is retried without a new use

	mu      sync.RWMutex
	journal *journal              // nil if all counts are only in memory
	held    map[catalog.ID]Totals // counts that are not yet in the journal
	tracked map[catalog.ID]int64  // uses of this process
	unread  error                 // error of the last read of the journal
	failed  error                 // error of the last write of the journal
	retry   time.Time             // no write before this time
	pending *write                // the write that waits for the lock; nil if none
	running bool                  // whether a goroutine writes
	timer   *time.Timer           // for the next write or sync without a new use; nil if none
	closed  bool                  // no more timers are started
	logged  bool                  // whether the lack of a journal has been logged
}

// NewCounter returns a counter that counts in memory. It starts empty.
func NewCounter() *Counter {
	return &Counter{held: map[catalog.ID]Totals{}, tracked: map[catalog.ID]int64{}}
}

// Open returns a counter that keeps its counts in the journal at path, which other
// processes may share. The journal is opened when it is first needed, and written when
// something is first counted. While the journal cannot be used, counts stay in memory.
// They are written within seconds of the journal becoming usable again. The counter
// logs when this begins, and [Counter.Status] reports it.
func Open(path string, when Sync, log *slog.Logger) *Counter {
	c := NewCounter()
	c.journal, c.when, c.log = newJournal(path, log), when, log
	c.timeout, c.pause, c.idle = timeout, time.Second, 5*time.Second
	return c
}

// Unkept returns a counter that counts in memory because the journal cannot be used.
// reason says why. It is logged at the first use and reported by [Counter.Status].
func Unkept(reason error, log *slog.Logger) *Counter {
	c := NewCounter()
	c.failed, c.log = reason, log
	return c
}

// Tracked is the result of [Counter.Track].
type Tracked struct {
	Use
	InMemory bool // the count should be in the journal but is not
}

// Track counts one use of the entry. It returns the use of the entry, including this
// use and those before it. With [SyncAlways] the use is on disk when Track returns,
// unless InMemory is set. If another process holds the journal's lock for longer than
// 50 ms, Track calls delayed once, unless delayed is nil.
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

// Of returns the use of the entry: the sum of the use recorded in its file and the uses
// that were tracked, with the later of their last uses.
func (c *Counter) Of(e *catalog.Entry) (u Use) {
	c.Read(func(uses Uses) { u = uses.Of(e) })
	return u
}

// Read calls read with all uses at one moment. They do not change until read returns:
// calls that count wait until then.
func (c *Counter) Read(read func(Uses)) {
	c.refresh()
	c.mu.RLock()
	defer c.mu.RUnlock()
	read(c.uses())
}

// refresh reads what other processes have written to the journal.
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

// Uses holds the counts at one moment; see [Counter.Read].
type Uses struct{ filed, held map[catalog.ID]Totals }

// Of returns the use of the entry; see [Counter.Of].
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

// Status describes the state of a counter.
type Status struct {
	Path    string            // of the journal; "" if counts are only in memory
	Since   catalog.Timestamp // when counting began; "" if the journal is empty
	Damaged int               // number of damaged lines of the journal, which do not count
	Failure error             // why the journal cannot be used; nil if it can
}

// Status returns the current state of the counter.
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

// Close writes the counts in memory to the journal. It returns when everything is on
// disk, or when it fails to get the lock in time. It logs counts that are lost. The
// error is always nil.
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
