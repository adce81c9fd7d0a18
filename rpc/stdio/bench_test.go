package stdio

import (
	"io"
	"testing"
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
