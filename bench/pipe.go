package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"
)

// measurePipe asks a server over its pipe and measures the floors in turn with
// it. It returns the questions.
func (t *trial) measurePipe(ctx context.Context) (asked []question, err error) {
	err = withChild(ctx, t.Server(t.dir), func(server *child) error {
		return withChild(ctx, t.Floor, func(floor *child) error {
			entries, err := askKnown(server)
			if err != nil {
				return err
			}
			asked = questions(entries)
			for i := range asked {
				if err := t.overPipe(ctx, &asked[i], server, floor); err != nil {
					return err
				}
			}
			if bytes, ok := peakMemory(server.cmd.Process.Pid); ok {
				t.result.PeakMemoryBytes = bytes
			}
			return nil
		})
	})
	return asked, err
}

// overPipe measures one question and its floor.
func (t *trial) overPipe(ctx context.Context, q *question, server, floor *child) error {
	t.steps.next(t.result.Size, q.name)
	request := q.line()
	line, err := server.ask(request)
	if err != nil {
		return err
	}
	length := len(line)
	if err := q.checkLine(line); err != nil {
		return err
	}
	kind, least := FloorAnswer, exchange(floor, floorLine(request, length), length)
	if q.readsFiles {
		kind, least = FloorReadAndHash, t.readAndHash
	}
	runtime.GC() // of what checking left behind
	whole := exchange(server, request, length)
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

// exchange is one request and its answer, which must be of this length.
func exchange(c *child, request []byte, length int) subject {
	return func() (time.Duration, error) {
		start := time.Now()
		line, err := c.ask(request)
		took := time.Since(start)
		if err == nil && len(line) != length {
			err = fmt.Errorf("%q answered %d bytes where it had answered %d", c.command, len(line), length)
		}
		return took, err
	}
}

// hashesOnly are the params that ask instructions/list for what a client has
// to remember of each entry.
var hashesOnly = json.RawMessage(`{"fields":["sourceHash"]}`)

// askKnown asks for what a client has to remember of each entry.
func askKnown(server *child) ([]known, error) {
	list := question{name: "list of hashes", method: "instructions/list", params: hashesOnly,
		want: func(a *answer) bool { return a.Count > 0 }}
	line, err := server.ask(list.line())
	if err != nil {
		return nil, err
	}
	if err := list.checkLine(line); err != nil {
		return nil, err
	}
	var response struct{ Result listing }
	err = json.Unmarshal(line, &response)
	return response.Result.Items, err
}
