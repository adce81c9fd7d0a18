package bench

import (
	"context"
	"time"
)

// The requests that a server is started for.
var (
	firstRequest = []byte(`{"jsonrpc":"2.0","id":1,"method":"instructions/list","params":{"limit":1}}` + "\n")
	aliveRequest = []byte(`{"jsonrpc":"2.0","id":1,"method":"health/check"}` + "\n")
)

// measureStarts measures how long it takes from the start of a process to its
// first answer.
func (t *trial) measureStarts(ctx context.Context) error {
	t.next("start")
	first := question{name: "first answer", want: func(a *answer) bool { return a.finds(t.corpus.truth.entries, 1) }}
	server := t.Server(t.corpus.path)
	length, err := t.firstAnswer(ctx, server, &first)
	if err != nil {
		return err
	}
	subjects := []subject{
		startOf(ctx, server, firstRequest),
		t.readAndHash,
		startOf(ctx, server, aliveRequest),
		startOf(ctx, t.Floor, floorLine(firstRequest, length)),
	}
	timings, err := interleave(ctx, fewer(t.Iterations), subjects...)
	if err != nil {
		return err
	}
	t.result.addStarts(timings)
	return nil
}

// addStarts takes down the medians of the subjects of starts, in their order.
func (r *Result) addStarts(timings []timing) {
	r.FirstAnswerMs, r.ReadAndHashMs = milliseconds(timings[0].p50), milliseconds(timings[1].p50)
	r.StartMs, r.FloorStartMs = milliseconds(timings[2].p50), milliseconds(timings[3].p50)
	r.FirstAnswerRatio = ratio(r.FirstAnswerMs, r.ReadAndHashMs)
}

// firstAnswer checks a server's answer to the first request and returns its
// length.
func (t *trial) firstAnswer(ctx context.Context, server Command, first *question) (length int, err error) {
	err = withChild(ctx, server, func(c *child) error {
		line, err := c.ask(firstRequest)
		if err != nil {
			return err
		}
		length = len(line)
		return first.checkLine(line)
	})
	return length, err
}

// startOf is from the start of the command's process to its answer.
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

// readAndHash is the floor of what looks at every file.
func (t *trial) readAndHash() (time.Duration, error) {
	start := time.Now()
	err := ReadAndHash(t.corpus.files)
	return time.Since(start), err
}
