package stdio

import (
	"bytes"
	"errors"
	"testing"

	"instruction-catalog/rpc"
)

// recorder keeps what is written, in how many calls.
type recorder struct {
	bytes.Buffer
	calls int
	room  int // bytes until writing fails
}

var errFull = errors.New("full")

func (r *recorder) Write(p []byte) (int, error) {
	if r.room -= len(p); r.room < 0 {
		return 0, errFull
	}
	r.calls++
	return r.Buffer.Write(p)
}

// piecesOf returns pieces of these lengths, each of another letter.
func piecesOf(lengths ...int) (pieces rpc.JSON) {
	for i, n := range lengths {
		pieces = append(pieces, bytes.Repeat([]byte{byte('a' + i)}, n))
	}
	return pieces
}

// TestPiecesOfAnyLength: pieces come out in order, and short ones together.
func TestPiecesOfAnyLength(t *testing.T) {
	t.Parallel()
	const full = 64 << 10
	body := piecesOf(3, 0, 5, full+1, 1, full, 2, 3*full, 3*full, 7)
	to := &recorder{room: 1 << 30}
	newOutput(to).write([]byte("head"), body, "tail\n")
	if want := "head" + string(body.Bytes()) + "tail\n"; to.String() != want {
		t.Errorf("%d bytes are written, want %d, or others", to.Len(), len(want))
	}
	if most := body.Len()/full + 2; to.calls > most {
		t.Errorf("%d calls, want %d at most", to.calls, most)
	}
}

// TestNothingAfterAFailure: what could not be written in the middle is the end of
// the output, wherever it failed.
func TestNothingAfterAFailure(t *testing.T) {
	t.Parallel()
	body := piecesOf(10, 100<<10, 20, 200<<10, 30)
	for _, room := range []int{0, 5, 50 << 10, 101 << 10, 250 << 10, body.Len()} {
		to := &recorder{room: room}
		out := newOutput(to)
		out.write(nil, body, "\n")
		written := to.Len()
		to.room = 1 << 30
		out.write(nil, body, "\n")
		if !errors.Is(out.failure(), errFull) || to.Len() != written {
			t.Errorf("with room for %d: %v, and %d bytes after %d", room, out.failure(), to.Len(), written)
		}
	}
}
