package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// maxBacklog is how much of the log waits for its reader, in bytes.
const maxBacklog = 1 << 20

// backlog is what a server has to say on standard error. Whoever started it may
// never read that, and a full pipe must not hold up a session: a line waits here
// for its turn, and one that finds no room is dropped and counted.
type backlog struct {
	to   io.Writer
	more chan struct{} // holds a token while there may be something to write
	done chan struct{} // closed when everything is written after the end

	mu      sync.Mutex
	waiting []byte
	dropped int // lines, since what is waiting
	ended   bool
}

func newBacklog(to io.Writer) *backlog {
	b := &backlog{to: to, more: make(chan struct{}, 1), done: make(chan struct{})}
	go b.hand()
	return b
}

// Write takes a line, and never fails or waits.
func (b *backlog) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dropped > 0 || len(b.waiting)+len(line) > maxBacklog { // none before an earlier one
		b.dropped++
		return len(line), nil
	}
	b.waiting = append(b.waiting, line...)
	b.wake()
	return len(line), nil
}

func (b *backlog) wake() {
	select {
	case b.more <- struct{}{}:
	default:
	}
}

// hand writes what waits until the log has ended.
func (b *backlog) hand() {
	defer close(b.done)
	for range b.more {
		b.mu.Lock()
		text, dropped, ended := b.waiting, b.dropped, b.ended
		b.waiting, b.dropped = nil, 0
		b.mu.Unlock()
		if dropped > 0 {
			text = fmt.Appendf(text, "catalog: %s of the log dropped here: nobody read standard error\n", count(dropped, "line", "lines"))
		}
		_, _ = b.to.Write(text) // there is nobody else to tell
		if ended {
			return
		}
	}
}

// end writes what is left, for as long as that may take.
func (b *backlog) end(within time.Duration) {
	b.mu.Lock()
	b.ended = true
	b.wake()
	b.mu.Unlock()
	select {
	case <-b.done:
	case <-time.After(within):
	}
}
