package web

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The time in these tests is that of a bubble: it passes when nobody has
// anything left to do, so that no test waits, or depends on the machine.

// pipes is a listener whose connections are pipes in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	close  func()
}

func newPipes() *pipes {
	closed := make(chan struct{})
	return &pipes{make(chan net.Conn), closed, sync.OnceFunc(func() { close(closed) })}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.close()
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7777} }

// dial connects; not ok if nobody accepts it within a minute.
func (p *pipes) dial() (net.Conn, bool) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, true
	case <-p.closed:
	case <-time.After(time.Minute):
	}
	client.Close()
	return nil, false
}

// running is a server that serves.
type running struct {
	*pipes
	t     *testing.T
	stop  context.CancelFunc
	ended chan error
}

func run(t *testing.T, s *Server) *running {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r := &running{newPipes(), t, stop, make(chan error, 1)}
	go func() { r.ended <- s.Serve(ctx, r.pipes) }()
	return r
}

// connect connects and sends a text, which may be a part of a request.
func (r *running) connect(text string) net.Conn {
	r.t.Helper()
	conn, ok := r.dial()
	if !ok {
		r.t.Fatal("nobody accepts connections")
	}
	if _, err := io.WriteString(conn, text); err != nil {
		r.t.Fatal(err)
	}
	return conn
}

// end asks the server to end and returns what it says and how long it took.
func (r *running) end() (time.Duration, error) {
	asked := time.Now()
	r.stop()
	err := <-r.ended
	return time.Since(asked), err
}

// endWell asks the server to end, which it has to do without an error.
func (r *running) endWell(t *testing.T) {
	t.Helper()
	if _, err := r.end(); err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// answer reads an answer to its end.
func answer(t *testing.T, from *bufio.Reader) (*http.Response, string) {
	t.Helper()
	a, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Error(err)
	}
	return a, string(text)
}

const get = "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n"

// TestServe answers two requests on one connection, and ends at once.
func TestServe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newServer(t))
		conn := r.connect(get)
		from := bufio.NewReader(conn)
		if _, text := answer(t, from); text != "hello" {
			t.Errorf("answered %q", text)
		}
		go io.WriteString(conn, get)
		if _, text := answer(t, from); text != "hello" {
			t.Errorf("answered %q", text)
		}
		r.endWell(t)
		if _, ok := r.dial(); ok {
			t.Error("a connection after the end")
		}
	})
}

// TestTimes: what takes too long loses its connection, after that long.
func TestTimes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want time.Duration
	}{
		"nothing said":  {"", usual.header},
		"half a head":   {"GET /mcp HTTP/1.1\r\nHost: loc", usual.header},
		"half a body":   {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", usual.body},
		"at rest":       {get, usual.idle},
		"refused":       {"GET /mcp HTTP/1.1\r\nHost: example.com\r\n\r\n", 0},
		"refused, half": {"POST /mcp HTTP/1.1\r\nHost: example.com\r\nContent-Length: 9\r\n\r\n{", 0},
		"chunked":       {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
		"two lengths":   {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				s.config.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if _, err := io.ReadAll(r.Body); err != nil {
						http.Error(w, "half", http.StatusBadRequest)
					}
				})
				r := run(t, s)
				start := time.Now()
				conn := r.connect(tt.text)
				if _, err := io.Copy(io.Discard, conn); err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took < tt.want || took > tt.want+time.Second {
					t.Errorf("the connection was closed after %v, want %v", took, tt.want)
				}
				r.endWell(t)
			})
		})
	}
}

// TestUnreadAnswer: a client that does not read loses its connection, however
// the answer is written.
func TestUnreadAnswer(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"small": 10, "large": 10 << 20} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				s.config.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					_, _ = io.WriteString(w, strings.Repeat("x", size))
				})
				r := run(t, s)
				start := time.Now()
				conn := r.connect(get)
				time.Sleep(usual.write + time.Second)
				if _, err := io.Copy(io.Discard, conn); err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took > usual.write+2*time.Second {
					t.Errorf("the connection was closed after %v", took)
				}
				r.endWell(t)
			})
		})
	}
}

// TestSlowReader: one that reads each piece in time gets it all, if it has the
// whole in time, too.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		rest  time.Duration // after each half of a piece
		whole bool
	}{
		"slow":     {usual.whole / 50, true},
		"too slow": {usual.whole / 30, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { readSlowly(t, tt.rest, tt.whole) })
		})
	}
}

func readSlowly(t *testing.T, rest time.Duration, whole bool) {
	const size = 20 * piece
	s := newServer(t)
	s.config.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", size))
	})
	r := run(t, s)
	conn := r.connect(strings.Replace(get, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1))
	got := 0
	for part := make([]byte, piece/2); ; time.Sleep(rest) {
		n, err := io.ReadFull(conn, part)
		got += n
		if err != nil {
			break
		}
	}
	if (got >= size) != whole {
		t.Errorf("%d bytes of %d and the head, want all: %v", got, size, whole)
	}
	r.endWell(t)
}

// TestSilentStream: a stream may be silent for longer than anything else takes.
func TestSilentStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.config.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			for range 3 {
				_, _ = io.WriteString(w, "news\n")
				_ = http.NewResponseController(w).Flush()
				select {
				case <-time.After(time.Hour):
				case <-r.Context().Done():
					t.Error("the request was given up")
				}
			}
		})
		r := run(t, s)
		conn := r.connect("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
		if _, text := answer(t, bufio.NewReader(conn)); text != "news\nnews\nnews\n" {
			t.Errorf("answered %q", text)
		}
		r.endWell(t)
	})
}

// TestLargeHead is refused before it is held.
func TestLargeHead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newServer(t))
		conn := r.connect("GET /mcp HTTP/1.1\r\nHost: localhost\r\n")
		go func() { _, _ = io.WriteString(conn, "A: "+strings.Repeat("x", 2*maxHeader)) }()
		if a, _ := answer(t, bufio.NewReader(conn)); a.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("answered %s", a.Status)
		}
		r.endWell(t)
	})
}

// TestListenerFails: what the listener says is what Serve says.
func TestListenerFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newServer(t))
		synctest.Wait()
		r.Close()
		if err := <-r.ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("Serve: %v", err)
		}
	})
}
