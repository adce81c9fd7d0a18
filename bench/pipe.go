package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// First requests to the servers whose start is measured.
var (
	listRequest   = []byte(`{"jsonrpc":"2.0","id":1,"method":"instructions/list","params":{"limit":1}}` + "\n")
	healthRequest = []byte(`{"jsonrpc":"2.0","id":1,"method":"health/check"}` + "\n")
)

// measureStarts measures the time from the start of a process to its first answers, and
// the time of a search right after the first answer.
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
	t.result.add(anyAnswer, Pipe, lengths[0], FloorAnswer, timings[0], timings[1])
	t.result.add(firstAnswer, Pipe, lengths[1], FloorReadAndHash, timings[2], timings[3])
	t.result.add(firstSearch, Pipe, 0, "", timings[4])
	return nil
}

// startOf returns a subject that measures the time from the start of the command's
// process to its answer.
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

// afterFirst returns a subject that measures a question to a server that has just given
// its first answer. That server has loaded the catalog and is still building its index.
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
			// The server loads its catalog at the first request and then builds its
			// index in the background. A client cannot observe when the index is built,
			// so wait twice as long as it took in process.
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

// overPipe checks the answer to one question, then measures the question and its floor.
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
	if q.varies {
		length = -1
	}
	return t.measure(ctx, q, Pipe, len(line), kind, roundTrip(server, request, length), least)
}

// pause is how long the client waits before each request, to the server and to the
// floor, as an editor would. Without it, the scheduler may wake one process on the
// client's processor and the other elsewhere, for hundreds of rounds. Of two equal
// floors, one then took 5 µs and the other 68 µs.
const pause = 300 * time.Microsecond

// roundTrip returns a subject that sends a request and reads the answer. The answer
// must have the given length, unless length is negative.
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

// Command is a program to start. As in [exec.Cmd], the first of Args is the program's
// name and not an argument.
type Command struct {
	Path string
	Args []string
}

func (c Command) String() string { return strings.Join(c.Args, " ") }

// child is a running command with a client on its standard streams.
type child struct {
	client
	command Command
	cmd     *exec.Cmd
	stdin   io.Closer
	stderr  tail
	started time.Time // just before the process was started
	gone    bool      // whether writing a request or reading an answer failed
}

// withChild starts a command, calls use, and closes the child's input. The child must
// then exit with 0. If use fails, withChild kills the child. The error includes the end
// of the child's stderr and, if the child exited by itself, its exit status.
func withChild(ctx context.Context, command Command, use func(*child) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c, err := start(ctx, command)
	if err != nil {
		return fmt.Errorf("start %q: %w", command, err)
	}
	if err := use(c); err != nil {
		cancel()
		ended := c.cmd.Wait()
		if !c.gone {
			ended = nil
		}
		return c.explain(err, ended)
	}
	_ = c.stdin.Close() // if the child has exited, Wait returns the error
	if err := c.cmd.Wait(); err != nil {
		return c.explain(fmt.Errorf("%q did not exit with 0", command), err)
	}
	return nil
}

func start(ctx context.Context, command Command) (*child, error) {
	c := &child{command: command, cmd: exec.CommandContext(ctx, command.Path)}
	c.cmd.Args = command.Args
	c.cmd.Env = os.Environ()
	c.cmd.WaitDelay = time.Second
	c.cmd.Stderr = &c.stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.stdin, c.out = in, in, out
	c.started = time.Now()
	return c, c.cmd.Start()
}

// explain adds the end of the child's stderr to err and, unless ended is nil, how the
// child exited.
func (c *child) explain(err, ended error) error {
	if ended != nil {
		err = fmt.Errorf("%w (%v)", err, ended)
	}
	if said := strings.TrimSpace(string(c.stderr)); said != "" {
		err = fmt.Errorf("%w; its standard error:\n%s", err, said)
	}
	return err
}

// ask calls [client.ask]. Its error names the child.
func (c *child) ask(line []byte) ([]byte, error) {
	answer, err := c.client.ask(line)
	if err != nil {
		c.gone = true
		return nil, fmt.Errorf("%q gave no answer: %w", c.command, err)
	}
	return answer, nil
}

// client sends one request at a time over a pair of streams. It writes one line and
// reads one line.
type client struct {
	in  io.Writer
	out io.Reader
	buf []byte // the answer; reused by the next call
}

// ask sends a line, which must end in a newline, and returns the answer without its
// newline. The answer is valid until the next call.
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
				return nil, errors.New("more than one line answers one request")
			}
			return c.buf[:length+end], nil
		}
		length += n
		if err != nil {
			return nil, err
		}
	}
}

// tail is a writer that keeps the last 4 KiB written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-most):]
	return len(p), nil
}
