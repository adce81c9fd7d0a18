package web

import (
	"net"
	"net/http"
	"sync"
)

// limitedListener accepts connections as long as there are fewer than it may
// have. The others wait for their turn outside.
type limitedListener struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	close  func() error
}

func limit(l net.Listener, connections int) *limitedListener {
	limited := &limitedListener{Listener: l, places: make(chan struct{}, connections), closed: make(chan struct{})}
	limited.close = sync.OnceValue(func() error {
		close(limited.closed)
		return l.Close()
	})
	return limited
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &limitedConn{conn, sync.OnceFunc(func() { <-l.places })}, nil
}

// Close implements net.Listener.
func (l *limitedListener) Close() error { return l.close() }

// limitedConn gives its place back when it is closed.
type limitedConn struct {
	net.Conn
	release func()
}

func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}

// newcomers are the connections that have not sent a request yet. The server
// would wait for them when it ends.
type newcomers struct {
	mu     sync.Mutex
	ending bool
	conns  map[net.Conn]struct{}
}

// note is told of every change of a connection.
func (n *newcomers) note(conn net.Conn, state http.ConnState) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(n.conns, conn)
	case n.ending:
		_ = conn.Close() // there is nobody to be told; so below
	default:
		n.conns[conn] = struct{}{}
	}
}

func (n *newcomers) turnAway() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ending = true
	for conn := range n.conns {
		_ = conn.Close()
	}
}
