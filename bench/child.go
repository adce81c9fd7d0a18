package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Command is a program to start. As in [exec.Cmd], the first of Args is the
// program's name for itself, not an argument.
type Command struct {
	Path string
	Args []string
}

func (c Command) String() string { return strings.Join(c.Args, " ") }

// child is a running command and a client on its pipe.
type child struct {
	client
	command Command
	cmd     *exec.Cmd
	stdin   io.Closer
	stderr  tail
	started time.Time // just before the process was made
	gone    bool      // a request could not be written, or an answer not read
}

// withChild starts a command for as long as use runs. At the end the child's
// input is closed, and it must exit with 0. If use fails the child is
// killed, and the error has the end of its stderr and, if it had exited
// by itself, its exit status.
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
	_ = c.stdin.Close() // if the child is gone, Wait says so
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

// explain adds to an error how the child ended and the end of its stderr.
func (c *child) explain(err, ended error) error {
	if ended != nil {
		err = fmt.Errorf("%w (%v)", err, ended)
	}
	if said := strings.TrimSpace(string(c.stderr)); said != "" {
		err = fmt.Errorf("%w; its standard error:\n%s", err, said)
	}
	return err
}

// ask is [client.ask] with an error that names the child.
func (c *child) ask(line []byte) ([]byte, error) {
	answer, err := c.client.ask(line)
	if err != nil {
		c.gone = true
		return nil, fmt.Errorf("%q gave no answer: %w", c.command, err)
	}
	return answer, nil
}

// client sends one request at a time over a pair of streams: it writes a line
// and reads one.
type client struct {
	in  io.Writer
	out io.Reader
	buf []byte // of the answer, reused
}

// ask sends a line, which must end in a newline, and returns the answer
// without its newline. The answer is valid until the next call.
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

// tail is a writer that keeps the end of what is written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-most):]
	return len(p), nil
}
