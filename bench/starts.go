package bench

import (
	"context"
	"slices"
	"time"
)

// The requests that a server is started for.
var (
	firstRequest      = []byte(`{"jsonrpc":"2.0","id":1,"method":"instructions/list","params":{"limit":1}}` + "\n")
	aliveRequest      = []byte(`{"jsonrpc":"2.0","id":1,"method":"health/check"}` + "\n")
	initializeRequest = []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n")
)

// measureStarts measures how long it takes from the start of a process to its
// first answers.
func (t *trial) measureStarts(ctx context.Context) error {
	t.next("start")
	server := t.Server(t.corpus.path)
	first := question{name: firstAnswer, want: func(a *answer) bool { return a.finds(t.corpus.truth.entries, 1) }}
	length, err := t.checkFirst(ctx, server, firstRequest, &first)
	if err != nil {
		return err
	}
	greeted := question{name: initialize, want: func(a *answer) bool { return a.members["serverInfo"] != nil }}
	if _, err := t.checkFirst(ctx, server, initializeRequest, &greeted); err != nil {
		return err
	}
	timings, err := interleave(ctx, fewer(t.Iterations),
		startOf(ctx, server, firstRequest),
		t.readAndHash,
		startOf(ctx, server, aliveRequest),
		startOf(ctx, t.Floor, floorLine(firstRequest, length)),
		startOf(ctx, server, initializeRequest),
		secondOf(ctx, server, t.ask(searchRare)),
		secondOf(ctx, server, t.ask(searchRanked)),
	)
	if err != nil {
		return err
	}
	t.result.addStarts(timings)
	return nil
}

// addStarts records the medians of the subjects of starts, in their order.
func (r *Result) addStarts(timings []timing) {
	r.FirstAnswerMs, r.ReadAndHashMs = milliseconds(timings[0].p50), milliseconds(timings[1].p50)
	r.StartMs, r.FloorStartMs = milliseconds(timings[2].p50), milliseconds(timings[3].p50)
	r.InitializeMs = milliseconds(timings[4].p50)
	r.FirstSearchMs, r.FirstRankedMs = milliseconds(timings[5].p50), milliseconds(timings[6].p50)
	r.FirstAnswerRatio = ratio(r.FirstAnswerMs, r.ReadAndHashMs)
}

// ask returns the question of that name.
func (t *trial) ask(name string) *question {
	return &t.asked[slices.IndexFunc(t.asked, func(q question) bool { return q.name == name })]
}

// checkFirst checks a server's answer to its first request and returns the
// length.
func (t *trial) checkFirst(ctx context.Context, server Command, request []byte, q *question) (length int, err error) {
	err = withChild(ctx, server, func(c *child) error {
		line, err := c.ask(request)
		if err != nil {
			return err
		}
		length = len(line)
		return q.checkLine(line)
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

// secondOf is a question to a server that has just given its first answer, and
// so has loaded the catalog and is still building what it builds.
func secondOf(ctx context.Context, server Command, q *question) subject {
	request := q.line()
	return func() (took time.Duration, err error) {
		err = withChild(ctx, server, func(c *child) error {
			if _, err := c.ask(firstRequest); err != nil {
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

// readAndHash is the floor of what looks at every file.
func (t *trial) readAndHash() (time.Duration, error) {
	start := time.Now()
	err := ReadAndHash(t.corpus.files)
	return time.Since(start), err
}
