package rpctest

import (
	"fmt"
	"io"
	"time"
)

// patience is how long a test waits for a server. Any answer takes far less time.
const patience = time.Minute

// Patient reads the answers of a server. It gives up after a minute with an error that
// names the call, so that a test of a call that is never answered fails instead of
// hanging.
type Patient struct {
	From *io.PipeReader
	Call string // the last call that was sent
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

// End waits for the server to end and returns its error. It returns an error if the
// server has not ended after a minute.
func (p *Patient) End(ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		return fmt.Errorf("the server went on for %v after %s", patience, p.Call)
	}
}
