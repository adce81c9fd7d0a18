package bench

import (
	"bytes"
	"errors"
	"io"
)

// client asks one question at a time over a pair of streams: it writes a line
// and reads one.
type client struct {
	in  io.Writer
	out io.Reader
	buf []byte // of the answer; kept, so that a later one costs no memory
}

// ask sends a line, which must end in a newline, and returns the answer
// without its newline. The answer is valid until the next call.
func (c *client) ask(line []byte) ([]byte, error) {
	if _, err := c.in.Write(line); err != nil {
		return nil, err
	}
	length := 0
	for {
		if length == len(c.buf) {
			c.buf = append(c.buf, make([]byte, max(64<<10, length))...)
		}
		n, err := c.out.Read(c.buf[length:])
		if end := bytes.IndexByte(c.buf[length:length+n], '\n'); end >= 0 {
			if end != n-1 {
				return nil, errors.New("more than one line came for one question")
			}
			return c.buf[:length+end], nil
		}
		length += n
		if err != nil {
			return nil, err
		}
	}
}
