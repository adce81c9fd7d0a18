package web

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// connections are those that are open. A connection is a stranger's until a request
// on it has passed the gate, and from then on a client's. Each kind has a limit of its
// own, so that strangers take no room from clients, and none waits: one stranger too
// many has another one closed, one client too many the one that has rested longest.
type connections struct {
	clients, strangers int // how many there may be of each

	mu     sync.Mutex
	ending bool
	steps  int64 // that tell what was earlier
	all    map[net.Conn]*connection
}

// connection is one of them.
type connection struct {
	net.Conn
	host   string // of whoever is at the other end
	state  http.ConnState
	client bool
	since  int64 // the step at which the state changed
}

func newConnections(l limits) *connections {
	return &connections{clients: l.connections, strangers: l.strangers, all: map[net.Conn]*connection{}}
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
		_ = conn.Close() // there is nobody to be told; so below
		return ctx
	}
	if c.count(false) >= c.strangers {
		c.close(c.eldestStranger())
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

// counts are how many connections there are of clients, and of strangers.
func (c *connections) counts() (clients, strangers int) {
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

// eldestStranger returns the oldest connection of the host that has most: who opens
// many takes the room of nobody else.
func (c *connections) eldestStranger() (found *connection) {
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
