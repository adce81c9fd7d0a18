package mcp

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// limits bound what the clients of a [Handler] may ask for at a time.
type limits struct {
	body     int64         // bytes of a request
	small    int           // bytes of a request that is always read; only such a one opens a session or a stream
	large    int           // requests at a time that are not small: decoded, one takes 14 times its bytes
	patience time.Duration // how long a further one waits
	batch    int           // messages of a batch
	sessions int           // open ones
	idle     time.Duration // after the last request, a session is closed
	streams  int           // that wait for something to happen
	calls    int           // under way: those of a session go on when the client has gone
}

var usual = limits{
	body: 4 << 20, small: 64 << 10, large: 4, patience: 5 * time.Second, batch: 100,
	sessions: 1000, idle: time.Hour, streams: 64, calls: 256,
}

// Handler is the MCP endpoint: Streamable HTTP with sessions, of 2025-03-26 to
// 2025-11-25, and without, of 2026-07-28. It answers what is not a message, and
// what the SDK would take for another, by itself; whatever the SDK answers with
// text, or with an error that has no code, it turns into an error of JSON-RPC.
//
// A request has at most 4 MiB, a batch 100 messages. Of requests of more than 64
// KiB, 4 are served at a time, and others wait for up to 5 seconds. At most 1,000
// sessions may be open, and one ends an hour after its last request; at most 64
// streams may wait for news. What is over that is asked to come again later (503,
// Retry-After). Of calls, 256 may be under way: one more is answered with an error.
//
// It checks neither who asks nor from where: that is for whoever serves it, who
// puts an [rpc.Caller] with the user of the request's token into its context. A
// session belongs to the user who began it. A Handler is safe for concurrent use.
type Handler struct {
	server    *Server
	limits    limits
	stateful  http.Handler
	stateless http.Handler
	traffic   *traffic
	large     chan struct{}   // holds as many as are under way
	opening   atomic.Int64    // initialize requests under way
	calls     atomic.Int64    // those of sessions whose client has gone, too
	life      context.Context // of subscriptions
	end       context.CancelFunc
}

// Handler returns the server's endpoint. It is to be asked for once.
func (s *Server) Handler() *Handler { return newHandler(s, usual) }

func newHandler(s *Server, l limits) *Handler {
	h := &Handler{server: s, limits: l, traffic: newTraffic(l.streams), large: make(chan struct{}, l.large)}
	h.life, h.end = context.WithCancel(context.Background())
	one := func(*http.Request) *mcp.Server { return s.sdk }
	options := mcp.StreamableHTTPOptions{
		SessionTimeout:               l.idle,
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // whoever serves this knows where it listens
		MaxRequestBodyBytes:          -1,   // what the SDK reads has been read
	}
	h.stateful = identified(mcp.NewStreamableHTTPHandler(one, &options))
	options.Stateless = true
	h.stateless = identified(mcp.NewStreamableHTTPHandler(one, &options))
	s.sdk.AddReceivingMiddleware(h.watch)
	return h
}

// identified tells the SDK which user a request is from, by the [rpc.Caller] in its
// context. The SDK lets nobody into a session that another user has begun.
func identified(next http.Handler) http.Handler {
	named := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: rpc.CallerOf(ctx).User}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rpc.CallerOf(r.Context()).User == "" {
			next.ServeHTTP(w, r)
			return
		}
		named.ServeHTTP(w, r)
	})
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.traffic.enter() {
		refuse(w, nil, errEnding)
		return
	}
	a := newAnswering(w)
	defer h.traffic.leave(a)
	defer a.finish()
	switch {
	case r.Method == http.MethodPost:
		h.post(a, r)
	case r.Header.Get(versionHeader) >= stateless:
		h.stateless.ServeHTTP(a, r) // which refuses it
	case r.Method == http.MethodGet:
		h.stream(a, r, h.stateful)
	default:
		h.stateful.ServeHTTP(a, r)
	}
}

const (
	versionHeader = "Mcp-Protocol-Version"
	sessionHeader = "Mcp-Session-Id"
)

// post takes the messages of a client.
func (h *Handler) post(a *answering, r *http.Request) {
	text, done, failure := h.body(a, r)
	defer done()
	if failure != nil {
		refuse(a, nil, failure)
		return
	}
	p, failure := h.read(text, r.Header)
	if failure != nil {
		refuse(a, nil, failure)
		return
	}
	a.expect(p)
	if failure := h.admit(p, r); failure != nil {
		refuse(a, p, failure)
		return
	}
	next := h.stateful
	if p.stateless {
		next = h.stateless
	}
	r = p.request(r)
	switch p.only().Method {
	case listen:
		h.stream(a, r, next)
	case "initialize":
		h.open(a, r, next, p)
	default:
		next.ServeHTTP(a, r)
	}
}

// admit refuses a message that has its place in a session and none, or the
// other way round.
func (h *Handler) admit(p *post, r *http.Request) *refusal {
	for _, m := range p.messages {
		if m.ID == nil || p.stateless && m.Method == "initialize" { // which the SDK does not know there
			continue
		}
		if failure := check(m); failure != nil {
			return p.failure(failure)
		}
	}
	method := p.only().Method
	opens, has := method == "initialize", r.Header.Get(sessionHeader) != ""
	switch {
	case (opens || method == listen) && p.size >= h.limits.small:
		return invalid(fmt.Sprintf("%s must have less than %d bytes, not %d", method, h.limits.small, p.size))
	case p.stateless:
		return nil
	case opens && has:
		return invalid("there is a session already: send initialize without " + sessionHeader)
	case !opens && !has:
		return invalid("there is no session: send initialize first and then the " + sessionHeader +
			" of its answer with every request, or name a version without sessions in " + versionHeader + " and _meta")
	}
	return nil
}

// open begins a session, if there is room for one.
func (h *Handler) open(a *answering, r *http.Request, next http.Handler, p *post) {
	defer h.opening.Add(-1)
	if int(h.opening.Add(1))+h.sessions() > h.limits.sessions {
		refuse(a, p, busy(fmt.Sprintf("%d sessions are open: try again later, and end sessions with DELETE", h.limits.sessions)))
		return
	}
	next.ServeHTTP(a, r)
}

// sessions is how many sessions are open. Those of the stateless kind, which
// last for one request, have no name.
func (h *Handler) sessions() int {
	n := 0
	for s := range h.server.sdk.Sessions() {
		if s.ID() != "" {
			n++
		}
	}
	return n
}

// stream serves what stays until the client or the server ends it.
func (h *Handler) stream(a *answering, r *http.Request, next http.Handler) {
	if !h.traffic.stream(a) {
		refuse(a, a.post, busy(fmt.Sprintf("%d streams are open: try again later, or end one", h.limits.streams)))
		return
	}
	next.ServeHTTP(a, r)
}

// watch bounds the calls that are under way, and ends subscriptions when the
// handler is drained: they return their result.
func (h *Handler) watch(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if extra := req.GetExtra(); extra == nil || !overHTTP(extra) {
			return next(ctx, method, req)
		}
		if method == listen {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(h.life, cancel)()
			return next(ctx, method, req)
		}
		defer h.calls.Add(-1)
		if int(h.calls.Add(1)) > h.limits.calls {
			return nil, wireError(&rpc.Error{Code: rpc.InternalError, Message: fmt.Sprintf(
				"%d calls are under way: try again later", h.limits.calls)})
		}
		return next(ctx, method, req)
	}
}
