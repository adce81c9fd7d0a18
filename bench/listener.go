package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

// listener is a child that may also tell, between its answers, that the catalog
// has changed.
type listener struct {
	*child
	lines *bufio.Reader
	told  int // how often it has
}

// tooLong is after what time a child that tells nothing is taken to hang, and
// killed.
const tooLong = 5 * time.Minute

// withListener is [withChild] for a child that tells.
func withListener(ctx context.Context, command Command, use func(*listener) error) error {
	guarded, cancel := context.WithTimeout(ctx, tooLong)
	defer cancel()
	err := withChild(guarded, command, func(c *child) error {
		return use(&listener{child: c, lines: bufio.NewReaderSize(c.out, 64<<10)})
	})
	if err != nil && ctx.Err() == nil && guarded.Err() != nil {
		return fmt.Errorf("it was killed after %v: %w", tooLong, err)
	}
	return err
}

// ask sends a line and returns its answer. What the child tells before is counted.
func (l *listener) ask(line []byte) ([]byte, error) {
	if _, err := l.in.Write(line); err != nil {
		l.gone = true
		return nil, fmt.Errorf("%q takes no question: %w", l.command, err)
	}
	for {
		answer, tells, err := l.read()
		if err != nil || !tells {
			return answer, err
		}
	}
}

// wait returns when the child tells of a change.
func (l *listener) wait() error {
	line, tells, err := l.read()
	if err == nil && !tells {
		err = fmt.Errorf("%q answered where nobody had asked: %.300s", l.command, line)
	}
	return err
}

func (l *listener) read() (line []byte, tells bool, err error) {
	line, err = l.lines.ReadBytes('\n')
	if err != nil {
		l.gone = true
		return nil, false, fmt.Errorf("%q told nothing: %w", l.command, err)
	}
	if tells = bytes.HasPrefix(line, []byte(`{"jsonrpc":"2.0","method":`)); tells {
		if !bytes.Contains(line, []byte(`"instructions/changed"`)) {
			return nil, false, errors.New("this tells of no change: " + string(line))
		}
		l.told++
	}
	return bytes.TrimSuffix(line, []byte("\n")), tells, nil
}

// asking is one request and its answer.
func asking(l *listener, request []byte, check func([]byte) error) subject {
	return func() (time.Duration, error) {
		time.Sleep(pause)
		start := time.Now()
		line, err := l.ask(request)
		took := time.Since(start)
		if err == nil {
			err = check(line)
		}
		return took, err
	}
}
