package stdio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// errLineTooLong reports a line that exceeds the limit. The line has been discarded, and
// the next one can be read.
var errLineTooLong = errors.New("line too long")

// The sizes of the line buffer, in bytes. The buffer grows for a long line. A buffer larger
// than keptBuffer is replaced after keptLines consecutive lines that did not need it. It is
// not replaced earlier because a client that sends a long line often sends another one, and
// growing the buffer is most of the cost of reading a long line.
const (
	firstBuffer = 64 << 10
	keptBuffer  = 1 << 20
	keptLines   = 8
)

// lineReader splits a stream into lines. It accepts \r\n and a last line without a newline.
// It skips blank lines, and a byte order mark at the beginning of the stream.
type lineReader struct {
	in      io.Reader
	limit   int // maximum length of a line in bytes, without the line ending
	started bool

	buf        []byte
	start, end int   // the part of buf that has been read but not returned
	short      int   // number of consecutive lines no longer than keptBuffer
	err        error // from in; returned after all lines before it
}

func newLineReader(in io.Reader, limit int) *lineReader {
	return &lineReader{in: in, limit: limit, buf: make([]byte, firstBuffer)}
}

// next returns the next line that is not blank. The error is [errLineTooLong] or that of
// the stream, which is io.EOF at its end. The line is valid until the next call.
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

// cut returns the bytes up to the next newline. It returns io.EOF only after the last
// line.
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

// fits reports whether a line, or the beginning of a line, is within the limit.
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

// fill reads more input. To make space, it moves the unread bytes to the beginning of the
// buffer, or grows the buffer if they fill it.
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

// errInterrupted means that the input was ended early. Unlike at io.EOF, an incomplete last
// line is not returned.
var errInterrupted = errors.New("interrupted")

// interruptible is a reader that ends when its context is done. A blocked read from a pipe
// cannot be cancelled, so a read that is blocked at that moment is abandoned: data that it
// reads later is discarded.
type interruptible struct {
	ctx   context.Context
	in    io.Reader
	state atomic.Int32
}

// The states of an interruptible.
const (
	busy    int32 = iota // the caller is handling data; no read is running
	waiting              // a read from the underlying stream is running
	givenUp              // the running read was abandoned
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

// over returns when nothing more will be read: when ended is closed, or when the context is
// done and the reader is blocked in a read.
func (r *interruptible) over(ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-r.ctx.Done():
	}
	// Wait a moment for a read that has just returned to change the state.
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
