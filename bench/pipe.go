package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// The requests that a server is started for.
var (
	listRequest   = []byte(`{"jsonrpc":"2.0","id":1,"method":"instructions/list","params":{"limit":1}}` + "\n")
	healthRequest = []byte(`{"jsonrpc":"2.0","id":1,"method":"health/check"}` + "\n")
)

// measureStarts measures how long it takes from the start of a process to its
// first answers, and then to the answer to a search.
func (t *trial) measureStarts(ctx context.Context) error {
	t.next("start")
	server := t.Server(t.corpus.path)
	first := question{name: firstAnswer, want: func(a *answer) bool { return a.finds(t.corpus.entries, 1) }}
	var lengths []int
	for _, request := range [][]byte{healthRequest, listRequest} {
		err := withChild(ctx, server, func(c *child) error {
			line, err := c.ask(request)
			if lengths = append(lengths, len(line)); err != nil || len(lengths) == 1 {
				return err
			}
			return first.checkLine(line)
		})
		if err != nil {
			return err
		}
	}
	rare := &t.questions[slices.IndexFunc(t.questions, func(q question) bool { return q.name == searchRare })]
	timings, err := interleave(ctx, fewer(t.Iterations),
		startOf(ctx, server, healthRequest),
		startOf(ctx, t.Floor, floorLine(healthRequest, lengths[0])),
		startOf(ctx, server, listRequest),
		t.readAndHash,
		afterFirst(ctx, server, rare),
	)
	if err != nil {
		return err
	}
	t.result.add(anyAnswer, Pipe, lengths[0], timings[0], FloorAnswer, timings[1])
	t.result.add(firstAnswer, Pipe, lengths[1], timings[2], FloorReadAndHash, timings[3])
	t.result.add(firstSearch, Pipe, 0, timings[4], "", timing{})
	return nil
}

// startOf measures from the start of the command's process to its answer.
func startOf(ctx context.Context, command Command, request []byte) subject {
	return func() (took time.Duration, err error) {
		err = withChild(ctx, command, func(c *child) error {
			_, err := c.ask(request)
			took = time.Since(c.started)
			return err
		})
		return took, err
	}
}

// afterFirst measures a question to a server that has just given its first answer: it
// has loaded the catalog and is still building its index.
func afterFirst(ctx context.Context, server Command, q *question) subject {
	request := q.line()
	return func() (took time.Duration, err error) {
		err = withChild(ctx, server, func(c *child) error {
			if _, err := c.ask(listRequest); err != nil {
				return err
			}
			start := time.Now()
			line, err := c.ask(request)
			took = time.Since(start)
			if err != nil {
				return err
			}
			return q.checkLine(line)
		})
		return took, err
	}
}

// measurePipe measures the questions over the pipe of a server.
func (t *trial) measurePipe(ctx context.Context) error {
	return withChild(ctx, t.Server(t.corpus.path), func(server *child) error {
		return withChild(ctx, t.Floor, func(floor *child) error {
			// The server loads its catalog at the first request and then builds its index
			// in the background, which nobody can see.
			t.next("warm up")
			if _, err := server.ask(listRequest); err != nil {
				return err
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(2 * t.readiness):
			}
			for i := range t.questions {
				if err := t.overPipe(ctx, &t.questions[i], server, floor); err != nil {
					return err
				}
			}
			if bytes, ok := peakResident(server.cmd.Process.Pid); ok {
				t.result.addMemory(Pipe, bytes)
			}
			return nil
		})
	})
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
	runtime.GC() // of what the check left behind
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
	t.result.add(q.name, Pipe, length, timings[0], kind, timings[1])
	return nil
}

// pause is how long the client waits before each request, of server and floor
// alike, as with an editor. Without it the scheduler may wake one process
// on the client's processor and the other elsewhere, for hundreds of rounds:
// of two equal floors one then took 5 µs and the other 68.
const pause = 300 * time.Microsecond

// roundTrip is one request and its answer, which must have this length, unless
// that is negative.
func roundTrip(c *child, request []byte, length int) subject {
	return func() (time.Duration, error) {
		time.Sleep(pause)
		start := time.Now()
		line, err := c.ask(request)
		took := time.Since(start)
		if err == nil && length >= 0 && len(line) != length {
			err = fmt.Errorf("%q answered %d bytes and before that %d", c.command, len(line), length)
		}
		return took, err
	}
}
