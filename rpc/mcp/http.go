package mcp

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// limits are the limits of a [Handler].
type limits struct {
	body     int64         // bytes of a request body
	small    int           // bytes of a body that are read without waiting; initialize and listen must be smaller
	timeout  time.Duration // how long a request waits for memory
	batch    int           // messages in a batch
	sessions int           // open sessions
	idle     time.Duration // how long a session may be idle before it is closed
	requests int           // unanswered requests, not counting streams
	streams  int           // open notification streams
	beat     time.Duration // how long a stream may be silent before a comment is written to it
	calls    int           // running calls, including those of sessions whose client has disconnected
}

var usual = limits{
	body: 4 << 20, small: 64 << 10, timeout: 20 * time.Second, batch: 100,
	sessions: 1000, idle: time.Hour, requests: 256, streams: 512, beat: 15 * time.Second, calls: 256,
}

// Handler is the MCP endpoint for Streamable HTTP, with the sessions of versions
// 2025-03-26 to 2025-11-25 and without sessions for version 2026-07-28. It answers invalid
// messages itself, and messages that the SDK would misread. It converts text answers of the
// SDK, and errors without a code, to JSON-RPC errors.
//
// A request has at most 4 MiB, and a batch at most 100 messages. A request waits up to 20
// seconds for memory of the registry. At most 256 requests may be under way, and at most 512
// notification streams open. Requests over these limits are answered at once with status 503
// and Retry-After, and so are requests that get no memory in time. At most 1,000 sessions
// may be open; a new one then closes the one that has been idle longest. A session ends an
// hour after its last request. An authenticated user may use at most half of these requests,
// streams and sessions, and half of the bytes of large bodies that are being read. At most
// 256 calls may be running, including those whose client has disconnected from its session.
// Calls beyond that are answered with an error.
//
// Handler does not check the user or the origin of a request. The code that serves it must
// check them, and put an [rpc.Caller] with the user of the request's token into the
// request's context. A session belongs to the user who began it. A Handler is safe for
// concurrent use.
type Handler struct {
	server    *Server
	limits    limits
	stateful  http.Handler
	stateless http.Handler
	traffic   *traffic
	cpu       cpuLimiter
	lru       *sessionLRU
	arriving  *bodyLimiter
	making    sync.Mutex      // serialises makeRoom
	opening   atomic.Int64    // initialize requests under way
	calls     atomic.Int64    // running calls, including those whose client has disconnected
	life      context.Context // done when subscriptions must end
	end       context.CancelFunc
}

// Handler returns the server's endpoint. Call it once.
func (s *Server) Handler() *Handler { return newHandler(s, usual) }

func newHandler(s *Server, l limits) *Handler {
	h := &Handler{
		server: s, limits: l, traffic: newTraffic(l.requests, l.streams), cpu: newCPULimiter(), lru: newSessionLRU(),
		arriving: newBodyLimiter(4 * l.body),
	}
	h.life, h.end = context.WithCancel(context.Background())
	one := func(*http.Request) *mcp.Server { return s.sdk }
	options := mcp.StreamableHTTPOptions{
		SessionTimeout:               l.idle,
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // the code that serves the handler checks this
		MaxRequestBodyBytes:          -1,   // the body has already been read and limited
	}
	h.stateful = carrying(mcp.NewStreamableHTTPHandler(one, &options))
	options.Stateless = true
	h.stateless = carrying(mcp.NewStreamableHTTPHandler(one, &options))
	s.sdk.AddReceivingMiddleware(h.watch)
	return h
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := newAnswering(w, rpc.CallerOf(r.Context()).User)
	if refused := h.traffic.enter(a); refused != nil {
		refuse(w, nil, refused)
		return
	}
	defer h.traffic.leave(a)
	defer a.finish()
	defer h.lru.begin(r.Header.Get(sessionHeader))()
	switch {
	case r.Method == http.MethodPost:
		h.post(a, r)
	case r.Header.Get(versionHeader) >= stateless:
		h.stateless.ServeHTTP(a, r) // rejects the method
	case r.Method == http.MethodGet:
		h.news(a, r)
	default:
		h.stateful.ServeHTTP(a, r)
	}
}

const (
	versionHeader = "Mcp-Protocol-Version"
	sessionHeader = "Mcp-Session-Id"
)

// post handles a POST with messages. It returns when all its calls have ended. In a session,
// calls continue when the client disconnects, and post waits for these too.
func (h *Handler) post(a *answering, r *http.Request) {
	text, release, failure := h.body(a, r)
	if failure != nil {
		refuse(a, nil, failure)
		return
	}
	defer release()
	defer h.cpu.acquire(r.Context())()
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
	c := carried{answers: h.answers(p), calls: &calls{}}
	defer c.answers.Release()
	defer c.calls.wait()
	r = p.request(r.WithContext(context.WithValue(r.Context(), carriedContextKey{}, c)))
	switch p.only().Method {
	case listen:
		release() // a stream lasts long and no longer needs its params
		h.stream(a, r, next)
	case "initialize":
		h.open(a, r, next, p)
	default:
		next.ServeHTTP(a, r)
	}
}

// answers returns the reservation for the answers to a request. The calls of a batch do not
// wait for memory, since another call of the batch may hold it.
func (h *Handler) answers(p *post) *rpc.Reservation {
	if p.batch {
		return h.memory().Answers(0)
	}
	return h.memory().Answers(h.limits.timeout)
}

func (h *Handler) memory() *rpc.Memory { return h.server.config.Registry.Memory() }

// calls tracks the running calls of a request.
type calls struct {
	mu      sync.Mutex
	closed  bool // no further calls may begin
	running sync.WaitGroup
}

// begin reports whether another call may begin. If it returns true, the caller must call
// running.Done when the call ends.
func (c *calls) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.running.Add(1)
	}
	return !c.closed
}

// wait lets no further calls begin and waits until all calls have ended.
func (c *calls) wait() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.running.Wait()
}

// admit rejects invalid requests. It also rejects a message that needs a session and has
// none, an initialize that has one, and an initialize or listen that is too large.
func (h *Handler) admit(p *post, r *http.Request) *refusal {
	for _, m := range p.messages {
		if m.ID == nil || p.stateless && m.Method == "initialize" { // the SDK rejects it as unknown
			continue
		}
		for _, check := range []func(rpc.Message) *rpc.Error{check, checkKnown, checkTypes} {
			if failure := check(m); failure != nil {
				return p.failure(failure)
			}
		}
	}
	method := p.only().Method
	opens, has := method == "initialize", r.Header.Get(sessionHeader) != ""
	switch {
	case (opens || method == listen) && p.size >= h.limits.small:
		return invalid(fmt.Sprintf("%s must have fewer than %d bytes, not %d", method, h.limits.small, p.size))
	case p.stateless:
		return nil
	case opens && has:
		return invalid("there is a session already: send initialize without " + sessionHeader)
	case !opens && !has:
		return invalid("there is no session: send initialize first and then the " + sessionHeader +
			" of its answer with every request, or name a protocol version without sessions in " + versionHeader + " and _meta")
	}
	return nil
}

// open begins a session. If the limit is reached and no session can be closed, it answers
// with status 503.
func (h *Handler) open(a *answering, r *http.Request, next http.Handler, p *post) {
	defer h.opening.Add(-1)
	if !h.makeRoom(a.user, int(h.opening.Add(1))) {
		refuse(a, p, busy(fmt.Sprintf("%d sessions are open, and each is in use: try again later, and end sessions with DELETE", h.limits.sessions)))
		return
	}
	next.ServeHTTP(a, r)
	if begun := a.Header().Get(sessionHeader); begun != "" {
		h.lru.opened(begun, a.user)
	}
}

// watch limits the number of running calls. When the handler is drained, it ends the
// subscriptions, which then return their results.
func (h *Handler) watch(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		under := carriedBy(req).calls
		if under == nil || strings.HasPrefix(method, "notifications/") {
			return next(ctx, method, req)
		}
		if method == listen {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(h.life, cancel)()
			return next(ctx, method, req)
		}
		if !under.begin() {
			return nil, wireError(rpc.Failed("the client has gone"))
		}
		defer under.running.Done()
		defer h.calls.Add(-1)
		if int(h.calls.Add(1)) > h.limits.calls {
			return nil, wireError(&rpc.Error{Code: rpc.InternalError, Message: fmt.Sprintf(
				"%d calls are in progress: try again later", h.limits.calls)})
		}
		return next(ctx, method, req)
	}
}
