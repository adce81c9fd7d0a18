package postgres

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"instruction-catalog/toolsets/tasks"
)

// relay is a proxy between a database and its server that can stop forwarding or close
// connections.
type relay struct {
	listener net.Listener
	server   string

	mu     sync.Mutex
	flow   chan struct{} // closed while bytes are forwarded
	dead   bool
	joined []net.Conn
}

// through returns a relay and a URL that connects through it.
func through(t *testing.T, name string) (*relay, string) {
	t.Helper()
	u, err := url.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{listener: listener, server: u.Host, flow: make(chan struct{})}
	close(r.flow)
	t.Cleanup(func() { listener.Close(); r.hangUp() })
	go r.accept()
	u.Host = listener.Addr().String()
	return r, u.String()
}

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		dead := r.dead
		r.mu.Unlock()
		server, err := net.Dial("tcp", r.server)
		if dead || err != nil {
			client.Close()
			continue
		}
		r.mu.Lock()
		r.joined = append(r.joined, client, server)
		r.mu.Unlock()
		go r.copy(client, server)
		go r.copy(server, client)
	}
}

func (r *relay) copy(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		r.mu.Lock()
		flow := r.flow
		r.mu.Unlock()
		<-flow
		if n > 0 {
			to.Write(buffer[:n])
		}
		if err != nil {
			return
		}
	}
}

func (r *relay) silence() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flow = make(chan struct{})
}

func (r *relay) speak() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.flow)
	r.dead = false
}

// hangUp closes every connection and accepts no new ones.
func (r *relay) hangUp() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.joined {
		c.Close()
	}
	r.joined, r.dead = nil, true
}

var _ io.Closer = net.Conn(nil)

func failsSoon(t *testing.T, d *Database, within time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	if _, err := ofAnn(d).Add(ctx, "lost", ""); err == nil || err.Error() != "Failed to create task" {
		t.Errorf("got %v", err)
	}
}

// TestASilentServer checks that a request to an unresponsive server is not carried out
// later, and that the next call works.
func TestASilentServer(t *testing.T) {
	t.Parallel()
	r, name := through(t, empty(t))
	d := open(t, name)
	add(t, d, "one")
	r.silence()
	failsSoon(t, d, 300*time.Millisecond)
	r.speak()
	add(t, d, "two")
	found, err := ofAnn(d).List(t.Context(), tasks.All)
	if err != nil || len(found) != 2 || found[1].Title != "two" {
		t.Errorf("%v, %v", found, err)
	}
}

func TestAServerThatGoesAway(t *testing.T) {
	t.Parallel()
	r, name := through(t, empty(t))
	r.hangUp()
	d := open(t, name)
	failsSoon(t, d, time.Minute)
	r.mu.Lock()
	r.dead = false
	r.mu.Unlock()
	add(t, d, "one")
	r.hangUp()
	failsSoon(t, d, time.Minute)
	r.mu.Lock()
	r.dead = false
	r.mu.Unlock()
	add(t, d, "two")
}
