package bench

import (
	"context"
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
	gone    bool      // it did not take a question or give an answer
}

// withChild starts a command for as long as use runs. At the end the child's
// input is closed, and it must exit with 0. Where use fails the child is
// killed, and the error tells what it wrote to stderr and, where it had gone
// by itself, how it ended.
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
	_ = c.stdin.Close() // a child that has gone shows in Wait
	if err := c.cmd.Wait(); err != nil {
		return c.explain(fmt.Errorf("%q did not end well", command), err)
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

// tail is a writer that keeps the end of what is written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-most):]
	return len(p), nil
}
