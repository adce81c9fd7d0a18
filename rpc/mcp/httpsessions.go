package mcp

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionLRU records when each session was last used and which user it belongs to, so that
// the least recently used session can be closed. The SDK does not provide this.
type sessionLRU struct {
	mu       sync.Mutex
	clock    int64 // counts uses
	sessions map[string]*sessionUse
}

// sessionUse records the use of one session.
type sessionUse struct {
	user    string
	running int   // running requests, including streams
	last    int64 // the value of clock when a request last began or ended
}

func newSessionLRU() *sessionLRU { return &sessionLRU{sessions: map[string]*sessionUse{}} }

// opened records a session that a user has begun.
func (v *sessionLRU) opened(session, user string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	one := &sessionUse{user: user}
	v.sessions[session] = one
	v.touch(one)
}

// begin records that a request of a session has begun. Call end when it has ended.
func (v *sessionLRU) begin(session string) (end func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	one := v.sessions[session]
	if one == nil {
		return func() {} // there is no such session
	}
	one.running++
	v.touch(one)
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		one.running--
		v.touch(one)
	}
}

func (v *sessionLRU) touch(one *sessionUse) {
	v.clock++
	one.last = v.clock
}

// oldestIdle returns the id of the least recently used session that has no running
// requests, or "" if there is no such session. If user is not "", it considers only that
// user's sessions. It removes sessions that are no longer open.
func (v *sessionLRU) oldestIdle(user string, open map[string]*mcp.ServerSession) (found string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	var last int64
	for name, one := range v.sessions {
		if one.running > 0 {
			continue
		}
		if open[name] == nil {
			delete(v.sessions, name)
			continue
		}
		if (user == "" || one.user == user) && (found == "" || one.last < last) {
			found, last = name, one.last
		}
	}
	return found
}

// count returns how many open sessions a user has.
func (v *sessionLRU) count(user string, open map[string]*mcp.ServerSession) (n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for name := range open {
		if one := v.sessions[name]; one != nil && one.user == user {
			n++
		}
	}
	return n
}

// share returns how much of a limit one client may use. It is half of the limit if clients
// have user names, so that one user cannot block the others.
func share(limit int, user string) int {
	if user == "" {
		return limit
	}
	return max(limit/2, 1)
}

// makeRoom closes idle sessions until a user may open one more, and reports whether it
// succeeded. opening is the number of initialize requests under way, including this one.
func (h *Handler) makeRoom(user string, opening int) bool {
	h.making.Lock()
	defer h.making.Unlock()
	for opening <= h.limits.sessions { // otherwise closing sessions would not help
		open := h.sessions()
		of := ""
		switch own := share(h.limits.sessions, user); {
		case user != "" && h.lru.count(user, open) >= own:
			of = user
		case len(open)+opening <= h.limits.sessions:
			return true
		}
		idle := h.lru.oldestIdle(of, open)
		if idle == "" {
			return false
		}
		_ = open[idle].Close() // the error does not matter
	}
	return false
}

// sessions returns the open sessions by id. It omits stateless sessions, which have no id
// and last for one request.
func (h *Handler) sessions() map[string]*mcp.ServerSession {
	open := map[string]*mcp.ServerSession{}
	for s := range h.server.sdk.Sessions() {
		if s.ID() != "" {
			open[s.ID()] = s
		}
	}
	return open
}
