package stdio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errLineTooLong reports a line over the limit. Its rest has been discarded,
// and the next line can be read.
var errLineTooLong = errors.New("line too long")

// lineReader cuts a stream into lines. It tolerates \r\n, skips blank lines
// and a byte order mark at the very beginning, and takes a last line without
// a newline.
type lineReader struct {
	in      *bufio.Reader
	limit   int // bytes, the newline not counted
	started bool
}

func newLineReader(in io.Reader, limit int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), limit: limit}
}

// next returns the next line that is not blank, [errLineTooLong], or the error
// of the stream: io.EOF at its end. The line is the caller's to keep.
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
// reported only when there are none.
func (r *lineReader) cut() ([]byte, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		full := errors.Is(err, bufio.ErrBufferFull)
		if len(line)+len(bytes.TrimSuffix(part, []byte("\n"))) > r.limit {
			return nil, r.discard(full)
		}
		line = append(line, part...)
		switch {
		case full:
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		default:
			return line, err
		}
	}
}

// discard skips what is left of a line that is too long.
func (r *lineReader) discard(more bool) error {
	for more {
		_, err := r.in.ReadSlice('\n')
		more = errors.Is(err, bufio.ErrBufferFull)
	}
	return errLineTooLong
}
