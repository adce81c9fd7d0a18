package web

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// connections holds the open connections. A connection is unauthenticated until a request
// on it passes the gate; from then on it is a client's. Each kind has its own limit, so
// that unauthenticated connections cannot displace clients. New connections do not wait: at
// the limit, a new connection closes another unauthenticated one, and a new client's
// connection closes the client's connection that was idle longest.
type connections struct {
	clients, unauthenticated int // the maximum number of each kind

	mu     sync.Mutex
	ending bool
	steps  int64 // a counter that orders state changes
	all    map[net.Conn]*connection
}

// connection is an open connection.
type connection struct {
	net.Conn
	host   string // the client's address without the port
	state  http.ConnState
	client bool
	since  int64 // the step at which the state changed
}

func newConnections(l limits) *connections {
	return &connections{clients: l.connections, unauthenticated: l.unauthenticated, all: map[net.Conn]*connection{}}
}

type connKey struct{}

// with is called for every new connection. It adds the connection to the context of its
// requests.
func (c *connections) with(ctx context.Context, conn net.Conn) context.Context {
	host, _, _ := net.SplitHostPort(conn.RemoteAddr().String())
	one := &connection{Conn: conn, host: host}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		_ = conn.Close() // the error does not matter, here and below
		return ctx
	}
	if c.count(false) >= c.unauthenticated {
		c.close(c.oldestUnauthenticated())
	}
	c.steps++
	one.since = c.steps
	c.all[conn] = one
	return context.WithValue(ctx, connKey{}, one)
}

// note is called at every state change of a connection.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.all[conn]
	if one == nil {
		return
	}
	c.steps++
	one.state, one.since = state, c.steps
	if state == http.StateClosed {
		delete(c.all, conn)
	}
}

// admit marks the connection of a request as a client's. ok is false if the limit is
// reached and every other client's connection has a request under way.
func (c *connections) admit(ctx context.Context) (ok bool) {
	one, _ := ctx.Value(connKey{}).(*connection)
	if one == nil {
		return true // a test without connections
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.client {
		return true
	}
	if c.count(true) >= c.clients {
		rested := c.longestIdle()
		if rested == nil {
			return false
		}
		c.close(rested)
	}
	one.client = true
	return true
}

// turnAway closes the connections that have not sent a request yet, and all new ones.
// Otherwise the shutdown of the server would wait for them.
func (c *connections) turnAway() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ending = true
	for _, one := range c.all {
		if one.state == http.StateNew {
			c.close(one)
		}
	}
}

// counts returns the number of connections of clients, and of unauthenticated ones.
func (c *connections) counts() (clients, unauthenticated int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count(true), c.count(false)
}

func (c *connections) count(clients bool) (n int) {
	for _, one := range c.all {
		if one.client == clients {
			n++
		}
	}
	return n
}

func (c *connections) close(one *connection) {
	_ = one.Close()
	delete(c.all, one.Conn)
}

// longestIdle returns the client's connection that has been idle longest, or nil if all
// have requests under way.
func (c *connections) longestIdle() (found *connection) {
	for _, one := range c.all {
		if one.client && one.state == http.StateIdle && (found == nil || one.since < found.since) {
			found = one
		}
	}
	return found
}

// oldestUnauthenticated returns the oldest unauthenticated connection of the host that has
// most of them, so that a host with many connections does not displace others.
func (c *connections) oldestUnauthenticated() (found *connection) {
	of := map[string]int{}
	for _, one := range c.all {
		if !one.client {
			of[one.host]++
		}
	}
	for _, one := range c.all {
		if one.client {
			continue
		}
		if found == nil || of[one.host] > of[found.host] || one.host == found.host && one.since < found.since {
			found = one
		}
	}
	return found
}
