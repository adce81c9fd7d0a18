package usage

import "time"

// write is one write of all counts in memory to the journal. Concurrent uses share it.
type write struct {
	now    time.Time     // the time of its first use
	held   chan struct{} // closed if another process holds the lock
	since  time.Time     // when held was closed; read it only after held is closed
	locked chan struct{} // closed when the wait for the lock has ended
	done   chan struct{} // closed when the write has ended
	err    error         // why the write failed; read it only after done is closed
}

// write returns the write that will include the counts now in memory, and starts it if
// necessary. It returns nil if there is no journal, or if a write has just failed. The
// caller holds c.mu.
func (c *Counter) write(now time.Time) *write {
	if c.journal == nil {
		if c.failed != nil && !c.logged {
			c.logged = true
			c.log.Warn("counts of use are held in memory", "error", c.failed)
		}
		return nil
	}
	if time.Now().Before(c.retry) {
		return nil
	}
	if c.pending == nil {
		c.pending = &write{now: now, held: make(chan struct{}), locked: make(chan struct{}), done: make(chan struct{})}
	}
	if !c.running {
		c.running = true
		go c.run()
	}
	return c.pending
}

// wait waits for w and reports whether it succeeded. It calls delayed, unless that is
// nil, if w has waited for the lock for longer than patience. After c.timeout it
// returns false, and w continues in the background.
func (c *Counter) wait(w *write, delayed func()) bool {
	switch {
	case w == nil:
		return false
	case w.lockedWithin(patience):
	default:
		if delayed != nil {
			delayed()
		}
		if !w.lockedWithin(c.timeout) && c.leave(w) {
			return false
		}
	}
	<-w.done
	return w.err == nil
}

// lockedWithin reports whether w has stopped waiting for the lock within d after it
// found that another process holds it. The time before that does not count, so that a
// slow machine causes no timeout.
func (w *write) lockedWithin(d time.Duration) bool {
	select {
	case <-w.locked:
		return true
	case <-w.held:
	}
	timer := time.NewTimer(time.Until(w.since.Add(d)))
	defer timer.Stop()
	select {
	case <-w.locked:
		return true
	case <-timer.C:
		return false
	}
}

// leave reports whether w is still waiting for the lock. If it does, leave records a
// failure.
func (c *Counter) leave(w *write) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w != c.pending {
		return false
	}
	c.fail(errLocked)
	return true
}

// run writes until nothing is pending.
func (c *Counter) run() {
	for again := true; again; {
		c.mu.RLock()
		w := c.pending
		c.mu.RUnlock()
		unlock, err := c.journal.lock(func() { w.since = time.Now(); close(w.held) }) // may take long, so c.mu is not held
		c.mu.Lock()
		c.pending = nil
		close(w.locked)
		if err == nil {
			err = c.journal.append(c.held, w.now)
			unlock()
		}
		c.mu.Unlock()
		if err == nil && c.when == SyncAlways {
			err = c.journal.sync()
		}
		c.mu.Lock()
		c.ended(err)
		again = c.pending != nil
		c.running = again
		c.mu.Unlock()
		w.err = err
		close(w.done)
	}
}

// ended records the result of a write and schedules the next write or sync.
func (c *Counter) ended(err error) {
	switch {
	case err != nil:
		c.fail(err)
		c.retry = time.Now().Add(c.pause)
		c.schedule(c.idle)
	default:
		c.failed = nil
		if c.when == SyncInterval {
			c.schedule(Interval)
		}
	}
}

// fail records why counts are in memory. It logs the error unless one was recorded
// already.
func (c *Counter) fail(err error) {
	if c.failed == nil {
		c.log.Warn("the journal of uses cannot be written: counts continue in memory", "file", c.journal.path, "error", err)
	}
	c.failed = err
}

// schedule writes and syncs the journal after d, unless that is already scheduled.
func (c *Counter) schedule(d time.Duration) {
	if c.timer == nil && !c.closed {
		c.timer = time.AfterFunc(d, c.tick)
	}
}

func (c *Counter) tick() {
	c.mu.Lock()
	c.timer, c.retry = nil, time.Time{}
	if len(c.held) > 0 && !c.closed {
		c.write(time.Now())
	}
	c.mu.Unlock()
	if c.when == SyncInterval {
		c.syncNow()
	}
}

func (c *Counter) syncNow() {
	if err := c.journal.sync(); err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.fail(err)
	}
}
