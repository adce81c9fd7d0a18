package rpc

import (
	"bytes"
	"io"
)

// JSON is one encoded JSON value as a row of pieces. A large answer is made of
// bytes that were encoded long before, so the pieces are shared and must not
// be changed.
type JSON [][]byte

// Encoder is implemented by results, and parts of results, that assemble their
// JSON from pieces. The row is the caller's, the pieces are not.
type Encoder interface {
	EncodeJSON() JSON
}

// Len returns the length of the value in bytes.
func (j JSON) Len() int {
	n := 0
	for _, piece := range j {
		n += len(piece)
	}
	return n
}

// Bytes returns the value in one piece.
func (j JSON) Bytes() []byte { return bytes.Join(j, nil) }

// WriteTo writes the value to w.
func (j JSON) WriteTo(w io.Writer) (int64, error) {
	var total int64
	for _, piece := range j {
		n, err := w.Write(piece)
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
