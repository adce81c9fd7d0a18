package source

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"

	"instruction-catalog/catalog/files"
)

const (
	// maxLine is the size in bytes up to which a line of a bundle is read, as
	// that of a file.
	maxLine = maxFile
	// runBytes is how much of a bundle is cut off at once. A longer line is cut
	// off alone.
	runBytes = 256 << 10
)

// run is some whole lines of a bundle, or one that is too long.
type run struct {
	data    []byte // with their newlines; the last may have none
	first   int    // the number of the first line, from 1
	tooLong bool   // it is one line of more than maxLine, of which there is no data
}

// line is one line, without its end.
type line struct {
	number int
	data   []byte
}

// lines yields the lines of a run that is not too long.
func (r run) lines() iter.Seq[line] {
	return func(yield func(line) bool) {
		number := r.first
		for data := range bytes.Lines(r.data) {
			data = bytes.TrimSuffix(data, []byte{'\n'})
			if !yield(line{number, bytes.TrimSuffix(data, []byte{'\r'})}) {
				return
			}
			number++
		}
	}
}

func (l line) blank() bool {
	return len(bytes.TrimLeft(files.TrimByteOrderMark(l.data), " \t\r")) == 0
}

// cutter cuts a stream into runs.
type cutter struct {
	r     io.Reader
	lines int    // how many were handed out
	rest  []byte // the beginning of the line that follows them
	ended bool   // there is nothing behind the rest
}

// next returns the next run. Its data is in buf, or where that is too small in
// memory of its own. After the last run the error is io.EOF.
func (c *cutter) next(buf []byte) (run, error) {
	buf = append(buf[:0], c.rest...)
	c.rest = c.rest[:0]
	for size := runBytes; ; size = min(4*size, maxLine+len("\r\n")) {
		var err error
		if buf, err = c.fill(buf, size); err != nil {
			return run{}, err
		}
		if end := bytes.LastIndexByte(buf, '\n') + 1; end > 0 {
			c.rest = append(c.rest, buf[end:]...)
			return c.hand(run{data: buf[:end]}), nil
		}
		switch {
		case c.ended && len(buf) == 0:
			return run{}, io.EOF
		case len(buf) > maxLine+1:
			return c.hand(run{tooLong: true}), c.skip(buf)
		case c.ended:
			return c.hand(run{data: buf}), nil
		}
	}
}

// hand numbers a run.
func (c *cutter) hand(r run) run {
	r.first = c.lines + 1
	c.lines += max(1, bytes.Count(r.data, []byte{'\n'}))
	return r
}

// fill reads until buf has size bytes or the stream ends.
func (c *cutter) fill(buf []byte, size int) ([]byte, error) {
	buf = slices.Grow(buf, max(0, size-len(buf)))
	for len(buf) < size && !c.ended {
		n, err := c.r.Read(buf[len(buf):size])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			c.ended = true
		} else if err != nil {
			return nil, fmt.Errorf("after line %d: %w", c.lines+bytes.Count(buf, []byte{'\n'}), err)
		}
	}
	return buf, nil
}

// skip passes over the rest of a line.
func (c *cutter) skip(buf []byte) error {
	for !c.ended {
		var err error
		if buf, err = c.fill(buf[:0], runBytes); err != nil {
			return err
		}
		if end := bytes.IndexByte(buf, '\n') + 1; end > 0 {
			c.rest = append(c.rest, buf[end:]...)
			return nil
		}
	}
	return nil
}
