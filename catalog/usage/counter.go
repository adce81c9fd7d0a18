package usage

import (
	"log/slog"
	"sync"
	"time"

	"instruction-catalog/catalog"
)

// Counter counts uses. It is safe for concurrent use.
type Counter struct {
	mu      sync.RWMutex
	journal *journal              // nil: everything is held
	held    map[catalog.ID]Totals // tracked, and not in the journal
	unread  error                 // why the journal could not be read the last time
	failed  error                 // why it could not be written the last time
	retry   time.Time             // when the next attempt may be made after that
	pause   time.Duration         // until then
	idle    time.Duration         // when it is tried again though nothing is tracked
	again   *time.Timer           // what does that; nil for nothing
	log     *slog.Logger
	told    bool // that uses which were to be kept are not, where there is no journal

	sync      Sync
	written   uint64      // how often something was written
	commits   sync.Mutex  // held while what was written is brought to the disk
	committed uint64      // as many of the writes as are on disk
	timer     *time.Timer // what commits at the end of the interval; nil for nothing
}

// NewCounter returns a counter that counts in memory and has counted nothing
// yet.
func NewCounter() *Counter { return &Counter{held: map[catalog.ID]Totals{}} }

// Open returns a counter that keeps its counts in the journal of that name,
// which other processes may do, too. Nothing is opened before it is needed, and
// nothing written before something is counted. While the journal cannot be used,
// counts go on in memory: the log is told when that begins, and [Counter.Status]
// always. What is held in memory is written within seconds of when it can be.
func Open(path string, when Sync, log *slog.Logger) *Counter {
	c := NewCounter()
	c.journal, c.sync, c.log = newJournal(path, log), when, log
	c.pause, c.idle = time.Second, 5*time.Second
	return c
}

// Unkept returns a counter in memory for uses that were to be kept, and why they
// cannot be, which the log is told with the first one, and [Counter.Status] tells
// always.
func Unkept(reason error, log *slog.Logger) *Counter {
	c := NewCounter()
	c.failed, c.log = reason, log
	return c
}

// Track counts one use of the entry and returns the total, which is what
// [Counter.Of] returns at that moment. With [SyncAlways] the use is on disk by
// then.
func (c *Counter) Track(e *catalog.Entry, kind Kind, now time.Time) Use {
	c.mu.Lock()
	c.held[e.ID] = c.held[e.ID].after(kind.one(now))
	c.flush(now)
	use, written := c.uses().Of(e), c.written
	c.mu.Unlock()
	c.commitOrDefer(written)
	return use
}

// Of returns the use of the entry: what its file records and what was tracked,
// added up. The later of the last uses counts.
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
	changed := c.journal.changed() || c.unread != nil
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
			total = total.after(tracked)
		}
	}
	return total
}
