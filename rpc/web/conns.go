package web

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// connections are the open connections. A connection is unauthenticated until a request
// on it passes the gate, and from then on a client's. Each kind has a limit of its own, so
// that unauthenticated ones take no room from clients, and none waits: a new one closes
// another unauthenticated one, and a new client the connection that was idle longest.
type connections struct {
	clients, unauthenticated int // how many there may be of each

	mu     sync.Mutex
	ending bool
	steps  int64 // that tell what was earlier
	all    map[net.Conn]*connection
}

// connection is one of them.
type connection struct {
	net.Conn
	host   string // of the client
	state  http.ConnState
	client bool
	since  int64 // the step at which the state changed
}

func newConnections(l limits) *connections {
	return &connections{clients: l.connections, unauthenticated: l.unauthenticated, all: map[net.Conn]*connection{}}
}

type connKey struct{}

// with is called for every new connection, and puts it into the context of its
// requests.
func (c *connections) with(ctx context.Context, conn net.Conn) context.Context {
	host, _, _ := net.SplitHostPort(conn.RemoteAddr().String())
	one := &connection{Conn: conn, host: host}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		_ = conn.Close() // nothing follows from the error; so below
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

// note is called at every change of a connection.
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

// admit makes the connection of a request a client's. It is not ok where there is no
// room: every other client has a request under way.
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

// turnAway ends the connections that have not sent a request yet, for which the
// server would wait when it ends.
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

// counts returns how many connections are clients', and how many unauthenticated.
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

// longestIdle returns the client's connection that has rested longest, nil where
// each has a request under way.
func (c *connections) longestIdle() (found *connection) {
	for _, one := range c.all {
		if one.client && one.state == http.StateIdle && (found == nil || one.since < found.since) {
			found = one
		}
	}
	return found
}

// oldestUnauthenticated returns the oldest unauthenticated connection of the host that has
// most of them, so that a host with many takes no room from others.
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
