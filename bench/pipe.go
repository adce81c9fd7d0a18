package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// measurePipe asks a server over its pipe and measures the floors in turn with
// it.
func (t *trial) measurePipe(ctx context.Context) error {
	return withChild(ctx, t.Server(t.corpus.path), func(server *child) error {
		return withChild(ctx, t.Floor, func(floor *child) error {
			if err := t.warmUp(ctx, server); err != nil {
				return err
			}
			for i := range t.asked {
				if err := t.overPipe(ctx, &t.asked[i], server, floor); err != nil {
					return err
				}
			}
			if bytes, ok := peakResident(server.cmd.Process.Pid); ok {
				t.result.PeakMemoryBytes = bytes
			}
			return nil
		})
	})
}

// warmUp searches until the server must have loaded its catalog and built its
// index, which it does in the background and tells nobody: twice as long as
// that took in process.
func (t *trial) warmUp(ctx context.Context, server *child) error {
	t.next("warm up")
	absent := search("warm up", AbsentTerm, true, t.corpus.truth)
	request := absent.line()
	most := time.Duration(2 * (t.result.LoadMs + t.result.IndexMs) * Milliseconds(time.Millisecond))
	for start := time.Now(); time.Since(start) < most; {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := server.ask(request)
		if err != nil {
			return err
		}
		if err := absent.checkLine(line); err != nil {
			return err
		}
	}
	return nil
}

// overPipe measures one question and its floor.
func (t *trial) overPipe(ctx context.Context, q *question, server, floor *child) error {
	t.next(q.name)
	request := q.line()
	line, err := server.ask(request)
	if err != nil {
		return err
	}
	length := len(line)
	if err := q.checkLine(line); err != nil {
		return err
	}
	kind, least := FloorAnswer, roundTrip(floor, floorLine(request, length), length)
	if q.readsFiles {
		kind, least = FloorReadAndHash, t.readAndHash
	}
	runtime.GC() // of what checking left behind
	whole := roundTrip(server, request, length)
	if q.varies {
		whole = roundTrip(server, request, -1)
	}
	if _, err := interleave(ctx, 1, whole, least); err != nil { // not counted: buffers grow
		return err
	}
	timings, err := interleave(ctx, q.rounds(t.Iterations), whole, least)
	if err != nil {
		return err
	}
	t.result.Operations = append(t.result.Operations,
		newOperation(q.name, Pipe, timings[0], length).beside(kind, timings[1]))
	return nil
}

// pause is how long the client waits before each request, of server and floor
// alike, as with an editor. Asked without a break, the one process may come to wake
// up where the client runs and the other where it does not, for hundreds of rounds:
// of two equal floors one then took 5 µs and the other 68.
const pause = 300 * time.Microsecond

// roundTrip is one request and its answer, which must be of this length, unless
// that is negative.
func roundTrip(c *child, request []byte, length int) subject {
	return func() (time.Duration, error) {
		time.Sleep(pause)
		start := time.Now()
		line, err := c.ask(request)
		took := time.Since(start)
		if err == nil && length >= 0 && len(line) != length {
			err = fmt.Errorf("%q answered %d bytes where it had answered %d", c.command, len(line), length)
		}
		return took, err
	}
}
