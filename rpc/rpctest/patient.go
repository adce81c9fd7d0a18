package rpctest

import (
	"fmt"
	"io"
	"time"
)

// patience is how long a test waits for a server: far longer than any answer takes.
const patience = time.Minute

// Patient reads what a server answers and gives up after a minute, with an error
// that names the call: a test of a call that is never answered fails, rather than
// hang.
type Patient struct {
	From *io.PipeReader
	Call string // the last that was sent
}

// Read implements io.Reader.
func (p *Patient) Read(b []byte) (int, error) {
	timer := time.AfterFunc(patience, func() { _ = p.From.Close() }) // never fails
	n, err := p.From.Read(b)
	if !timer.Stop() {
		err = fmt.Errorf("nothing was answered for %v after %s", patience, p.Call)
	}
	return n, err
}

// End returns what serving ended with, or that it goes on.
func (p *Patient) End(ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		return fmt.Errorf("the server went on for %v after %s", patience, p.Call)
	}
}
