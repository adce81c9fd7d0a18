package stdio

import (
	"bytes"
	"io"
	"os"
	"slices"
	"testing"

	"instruction-catalog/rpc"
)

// again is a reader that has the same text n times.
type again struct {
	text []byte
	n    int
	rest []byte
}

func (a *again) Read(p []byte) (int, error) {
	if len(a.rest) == 0 {
		if a.n == 0 {
			return 0, io.EOF
		}
		a.n--
		a.rest = a.text
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// BenchmarkServe is a call from the first byte read to the last one written, of a
// method that does nothing.
func BenchmarkServe(b *testing.B) {
	line := []byte(requestLine(17, "test/echo", `{"text":"some words"}`))
	server := newToy(b).server()
	b.ReportAllocs()
	if err := server.Serve(b.Context(), &again{text: line, n: b.N}, io.Discard); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLongAnswer writes an answer of 5,000 pieces, which lie far apart, into
// a pipe, beside writing as many bytes in parts of 16 KiB from one place.
func BenchmarkLongAnswer(b *testing.B) {
	body := make(rpc.JSON, 5000)
	for i := range body {
		body[i] = bytes.Repeat([]byte("x"), 1800)
	}
	b.Run("pieces", func(b *testing.B) {
		intoPipe(b, body.Len(), func(w io.Writer) { newOutput(w).writeLine(body) })
	})
	b.Run("floor", func(b *testing.B) {
		whole := body.Bytes()
		intoPipe(b, len(whole), func(w io.Writer) {
			for part := range slices.Chunk(whole, 16<<10) {
				_, _ = w.Write(part) // the pipe is read to its end
			}
		})
	})
}

// intoPipe measures write, with somebody who reads what it writes.
func intoPipe(b *testing.B, length int, write func(io.Writer)) {
	b.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	read := make(chan error)
	go func() {
		buf := make([]byte, length)
		for err := error(nil); err == nil; {
			_, err = r.Read(buf)
		}
		read <- r.Close()
	}()
	b.SetBytes(int64(length))
	for b.Loop() {
		write(w)
	}
	_ = w.Close()
	if err := <-read; err != nil {
		b.Fatal(err)
	}
}
