package web

import (
	"net"
	"net/http"
	"sync"
)

// newcomers are the connections that have not sent a request yet. The server
// would wait for them when it ends.
type newcomers struct {
	mu     sync.Mutex
	ending bool
	conns  map[net.Conn]struct{}
}

// note is called at every change of a connection.
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
