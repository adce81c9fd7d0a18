package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// maxBacklog is the maximum size, in bytes, of the buffered log.
const maxBacklog = 1 << 20

// backlog buffers a server's writes to standard error. The process that started the
// server may never read them, and a full pipe must not block a session. A line that
// does not fit into the buffer is dropped and counted.
type backlog struct {
	to   io.Writer
	more chan struct{} // holds a token while there may be something to write
	done chan struct{} // closed when the log has ended and everything is written

	mu      sync.Mutex
	waiting []byte
	dropped int // number of lines dropped since waiting was last emptied
	ended   bool
}

func newBacklog(to io.Writer) *backlog {
	b := &backlog{to: to, more: make(chan struct{}, 1), done: make(chan struct{})}
	go b.hand()
	return b
}

// Write buffers a line. It never fails or blocks.
func (b *backlog) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dropped > 0 || len(b.waiting)+len(line) > maxBacklog { // once a line is dropped, drop all lines until the buffer is emptied
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

// hand writes the buffered lines until the log has ended.
func (b *backlog) hand() {
	defer close(b.done)
	for range b.more {
		b.mu.Lock()
		text, dropped, ended := b.waiting, b.dropped, b.ended
		b.waiting, b.dropped = nil, 0
		b.mu.Unlock()
		if dropped > 0 {
			text = fmt.Appendf(text, "catalog: %s of the log dropped here, because nothing reads standard error\n", count(dropped, "line", "lines"))
		}
		_, _ = b.to.Write(text) // there is no other place to report an error
		if ended {
			return
		}
	}
}

// end closes the log and waits until the rest is written, but no longer than within.
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
