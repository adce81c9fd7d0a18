package stdio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// errLineTooLong reports a line over the limit. Its rest has been discarded,
// and the next line can be read.
var errLineTooLong = errors.New("line too long")

// The sizes of the buffer that lines are read into, in bytes. It grows for a long
// line. One that grew larger than keptBuffer is given up after so many lines in a
// row that did not need it: whoever sends a long line often sends another, and to
// make room for it is most of what reading it costs.
const (
	firstBuffer = 64 << 10
	keptBuffer  = 1 << 20
	keptLines   = 8
)

// lineReader cuts a stream into lines. It tolerates \r\n, skips blank lines
// and a byte order mark at the very beginning, and takes a last line without
// a newline.
type lineReader struct {
	in      io.Reader
	limit   int // bytes, what ends the line not counted
	started bool

	buf        []byte
	start, end int   // what is read and not yet cut
	short      int   // how many lines in a row were no longer than keptBuffer
	err        error // of in, once what came before it is cut
}

func newLineReader(in io.Reader, limit int) *lineReader {
	return &lineReader{in: in, limit: limit, buf: make([]byte, firstBuffer)}
}

// next returns the next line that is not blank, [errLineTooLong], or the error
// of the stream: io.EOF at its end. The line is valid until the next call.
func (r *lineReader) next() ([]byte, error) {
	for {
		line, err := r.cut()
		if !r.started {
			r.started = true
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		line = bytes.Trim(line, " \t\r\n")
		if len(line) > 0 || err != nil {
			return line, err
		}
	}
}

// cut returns the bytes up to the next newline. The end of the stream is
// reported only when there are no more lines.
func (r *lineReader) cut() ([]byte, error) {
	searched := 0
	for {
		unread := r.buf[r.start:r.end]
		length := bytes.IndexByte(unread[searched:], '\n')
		switch {
		case length >= 0 && r.fits(unread[:searched+length]):
			r.start += searched + length + 1
			return r.counted(unread[:searched+length]), nil
		case length >= 0, !r.fits(unread):
			return nil, r.discard()
		case r.err != nil && len(unread) > 0 && errors.Is(r.err, io.EOF):
			r.start = r.end
			return unread, nil
		case r.err != nil:
			return nil, r.err
		}
		searched = len(unread)
		r.fill()
	}
}

// fits reports whether a line, or the beginning of one, is within the limit.
func (r *lineReader) fits(line []byte) bool {
	return len(line) <= r.limit || len(line) == r.limit+len("\r") && line[r.limit] == '\r'
}

func (r *lineReader) counted(line []byte) []byte {
	r.short++
	if len(line) > keptBuffer {
		r.short = 0
	}
	return line
}

// discard skips a line that is too long.
func (r *lineReader) discard() error {
	for {
		if i := bytes.IndexByte(r.buf[r.start:r.end], '\n'); i >= 0 {
			r.start += i + 1
			return errLineTooLong
		}
		r.start = r.end
		if r.err != nil {
			return errLineTooLong
		}
		r.fill()
	}
}

// fill reads more, and makes room for it: the beginning of a line moves to the
// beginning of the buffer, which grows where the line takes up all of it.
func (r *lineReader) fill() {
	switch unread := r.buf[r.start:r.end]; {
	case len(unread) == 0 && len(r.buf) > keptBuffer && r.short >= keptLines:
		r.buf, r.start, r.end = make([]byte, firstBuffer), 0, 0
	case len(unread) == len(r.buf):
		r.buf = append(make([]byte, 0, min(2*len(r.buf), r.limit+len("\r\n"))), r.buf...)
		r.buf = r.buf[:cap(r.buf)]
	case r.end == len(r.buf) || len(unread) == 0:
		r.start, r.end = 0, copy(r.buf, unread)
	}
	for range 100 {
		n, err := r.in.Read(r.buf[r.end:])
		r.end, r.err = r.end+n, err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

// errInterrupted ends the input early. Unlike at its end, what is left of a
// line is then not a line.
var errInterrupted = errors.New("interrupted")

// interruptible is a reader that ends when its context does. A read from a pipe
// cannot be called back, so one that waits at that moment is given up: whatever
// it may bring later is not taken.
type interruptible struct {
	ctx   context.Context
	in    io.Reader
	state atomic.Int32
}

// The states of an interruptible.
const (
	busy    int32 = iota // what was read is being dealt with
	waiting              // for the stream underneath
	givenUp
)

func (r *interruptible) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil || !r.state.CompareAndSwap(busy, waiting) {
		return 0, errInterrupted
	}
	n, err := r.in.Read(p)
	if !r.state.CompareAndSwap(waiting, busy) {
		return 0, errInterrupted
	}
	return n, err
}

// over returns when nothing more will be read: when ended is closed, or once
// the context is over and the reader has nothing left to do but to wait.
func (r *interruptible) over(ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-r.ctx.Done():
	}
	// A read that has just returned gets the time to say so.
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ticker.C:
			if r.state.CompareAndSwap(waiting, givenUp) {
				return
			}
		}
	}
}
