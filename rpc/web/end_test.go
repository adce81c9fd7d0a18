package web

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"instruction-catalog/rpc"
)

// slowly returns a handler that needs a time for its answer.
func slowly(takes time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(takes):
			_, _ = io.WriteString(w, "at last")
		case <-r.Context().Done():
		}
	})
}

// TestEndInRequest: what is under way is answered, who has said nothing is not
// waited for, and nobody new is let in.
func TestEndInRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.config.MCP = slowly(3 * time.Second)
		var drained atomic.Bool
		s.config.Drain = func(context.Context) { drained.Store(true) }
		r := run(t, s)
		silent, half := r.connect(""), r.connect("GET /mc")
		conn := r.connect(get)
		synctest.Wait()
		go func() {
			time.Sleep(time.Second)
			if _, ok := r.dial(); ok {
				t.Error("a connection after the end began")
			}
		}()
		read := make(chan string)
		go func() {
			_, text := answer(t, bufio.NewReader(conn))
			read <- text
		}()
		go func() {
			took, err := r.end()
			if err != nil || took < 3*time.Second || took > 4*time.Second || !drained.Load() {
				t.Errorf("Serve: %v after %v, drained %v", err, took, drained.Load())
			}
			read <- ""
		}()
		if text := <-read; text != "at last" {
			t.Errorf("answered %q", text)
		}
		<-read
		for _, conn := range []net.Conn{silent, half} {
			if _, err := conn.Read(make([]byte, 1)); err == nil {
				t.Error("a connection without a request was answered")
			}
		}
	})
}

// TestEndWithoutEnd: when the time has run out, what is under way is given up.
func TestEndWithoutEnd(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]struct{ request, drain time.Duration }{
		"request": {time.Hour, 0},
		"stream":  {time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				s.config.MCP = slowly(takes.request)
				s.config.Drain = func(ctx context.Context) {
					select {
					case <-time.After(takes.drain):
					case <-ctx.Done():
					}
				}
				r := run(t, s)
				conn := r.connect(get)
				synctest.Wait()
				took, err := r.end()
				if !errors.Is(err, rpc.ErrDeadline) || took != s.config.Grace {
					t.Errorf("Serve: %v after %v", err, took)
				}
				if _, err := conn.Read(make([]byte, 1)); err == nil {
					t.Error("the connection is still there")
				}
			})
		})
	}
}

// TestEndWaitsForDrain although no connection is left.
func TestEndWaitsForDrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.config.Drain = func(context.Context) { time.Sleep(time.Second) }
		r := run(t, s)
		synctest.Wait()
		if took, err := r.end(); err != nil || took < time.Second {
			t.Errorf("Serve: %v after %v", err, took)
		}
	})
}
