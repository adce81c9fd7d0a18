package mcp

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// visits know when each session was last used, and by whom, so that there is room
// for a new one: the SDK does not tell.
type visits struct {
	mu    sync.Mutex
	steps int64 // that tell what was earlier
	of    map[string]*visit
}

// visit is the use of one session.
type visit struct {
	user  string
	under int   // requests under way, streams included
	last  int64 // the step at which the last one began or ended
}

func newVisits() *visits { return &visits{of: map[string]*visit{}} }

// opened notes that a user has begun a session.
func (v *visits) opened(session, user string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	one := &visit{user: user}
	v.of[session] = one
	v.touch(one)
}

// begin notes that a request of a session has begun, and returns what to do at its
// end.
func (v *visits) begin(session string) (end func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	one := v.of[session]
	if one == nil {
		return func() {} // there is no such session
	}
	one.under++
	v.touch(one)
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		one.under--
		v.touch(one)
	}
}

func (v *visits) touch(one *visit) {
	v.steps++
	one.last = v.steps
}

// eldest returns the session that rests for longest, of this user where it is
// named, "" where each has a request under way. Of sessions that are not open it forgets.
func (v *visits) eldest(user string, open map[string]*mcp.ServerSession) (found string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	var last int64
	for name, one := range v.of {
		if one.under > 0 {
			continue
		}
		if open[name] == nil {
			delete(v.of, name)
			continue
		}
		if (user == "" || one.user == user) && (found == "" || one.last < last) {
			found, last = name, one.last
		}
	}
	return found
}

// count returns how many of the open sessions are of a user.
func (v *visits) count(user string, open map[string]*mcp.ServerSession) (n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for name := range open {
		if one := v.of[name]; one != nil && one.user == user {
			n++
		}
	}
	return n
}

// share is how much of a limit one client may have: half of it where clients have
// names, so that none can shut out the others.
func share(limit int, user string) int {
	if user == "" {
		return limit
	}
	return max(limit/2, 1)
}

// makeRoom has room for one more session of a user, and reports whether it could.
func (h *Handler) makeRoom(user string, opening int) bool {
	h.making.Lock()
	defer h.making.Unlock()
	for opening <= h.limits.sessions { // else none that is closed would make room
		open := h.sessions()
		of := ""
		switch own := share(h.limits.sessions, user); {
		case user != "" && h.visits.count(user, open) >= own:
			of = user
		case len(open)+opening <= h.limits.sessions:
			return true
		}
		eldest := h.visits.eldest(of, open)
		if eldest == "" {
			return false
		}
		_ = open[eldest].Close() // there is nobody to be told
	}
	return false
}

// sessions are those that are open, by name. Those of the stateless kind, which
// last for one request, have none.
func (h *Handler) sessions() map[string]*mcp.ServerSession {
	open := map[string]*mcp.ServerSession{}
	for s := range h.server.sdk.Sessions() {
		if s.ID() != "" {
			open[s.ID()] = s
		}
	}
	return open
}
