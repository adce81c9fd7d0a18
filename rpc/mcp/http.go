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

// limits bound what the clients of a [Handler] may ask for at a time.
type limits struct {
	body     int64         // bytes of a request
	small    int           // bytes of a request that is always read; only such a one opens a session or a stream
	timeout  time.Duration // how long a request waits for memory
	batch    int           // messages of a batch
	sessions int           // open ones
	idle     time.Duration // after the last request, a session is closed
	requests int           // under way that are owed an answer
	streams  int           // that wait for something to happen
	beat     time.Duration // after which a silent stream has a comment
	calls    int           // under way: those of a session go on when the client has gone
}

var usual = limits{
	body: 4 << 20, small: 64 << 10, timeout: 20 * time.Second, batch: 100,
	sessions: 1000, idle: time.Hour, requests: 256, streams: 512, beat: 15 * time.Second, calls: 256,
}

// Handler is the MCP endpoint: Streamable HTTP with sessions, of 2025-03-26 to
// 2025-11-25, and without, of 2026-07-28. It answers what is not a message, and
// what the SDK would take for another, by itself; whatever the SDK answers with
// text, or with an error that has no code, it turns into an error of JSON-RPC.
//
// A request has at most 4 MiB, a batch 100 messages. What does not fit into the memory
// of the registry waits for up to 20 seconds. At most 256 requests may be under way, and
// 512 streams wait for news; what is over that is asked at once to come again later (503,
// Retry-After), and so are requests that waited in vain. At most 1,000 sessions may be open: the
// one that has rested longest makes room for a new one, and one ends an hour after its
// last request. A named user may have half of each, and of the bytes of large bodies that
// are being read. Of calls, 256 may be under way, those
// included whose client has left its session: one more is answered with an error.
//
// It checks neither the user nor the origin of a request. The code that serves it
// does, and puts an [rpc.Caller] with the user of the request's token into its
// context. A session belongs to the user who began it. A Handler is safe for
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
	making    sync.Mutex      // of room for sessions, one at a time
	opening   atomic.Int64    // initialize requests under way
	calls     atomic.Int64    // those of sessions whose client has gone, too
	life      context.Context // of subscriptions
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
		DisableLocalhostProtection:   true, // the code that serves this knows where it listens
		MaxRequestBodyBytes:          -1,   // what the SDK reads has been read
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
		h.stateless.ServeHTTP(a, r) // which refuses it
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

// post takes the messages of a client. It returns when all calls have ended, those of a
// session also if the client has gone.
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
		release() // a stream lasts, and has its params no longer
		h.stream(a, r, next)
	case "initialize":
		h.open(a, r, next, p)
	default:
		next.ServeHTTP(a, r)
	}
}

// answers returns the reservation for the answers to a request. The calls of a batch do
// not wait for room that one of them holds.
func (h *Handler) answers(p *post) *rpc.Reservation {
	if p.batch {
		return h.memory().Answers(0)
	}
	return h.memory().Answers(h.limits.timeout)
}

func (h *Handler) memory() *rpc.Memory { return h.server.config.Registry.Memory() }

// calls are the calls of a request that have begun and not ended.
type calls struct {
	mu      sync.Mutex
	closed  bool // no more may begin
	running sync.WaitGroup
}

// begin reports whether one more call may begin. If so, the caller has to call
// running.Done.
func (c *calls) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.running.Add(1)
	}
	return !c.closed
}

// wait waits until all calls have ended, and lets no more begin.
func (c *calls) wait() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.running.Wait()
}

// admit refuses a message that belongs in a session and has none, or the other way
// round.
func (h *Handler) admit(p *post, r *http.Request) *refusal {
	for _, m := range p.messages {
		if m.ID == nil || p.stateless && m.Method == "initialize" { // which the SDK does not know there
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
	if !h.makeRoom(a.user, int(h.opening.Add(1))) {
		refuse(a, p, busy(fmt.Sprintf("%d sessions are open, and each is in use: try again later, and end sessions with DELETE", h.limits.sessions)))
		return
	}
	next.ServeHTTP(a, r)
	if begun := a.Header().Get(sessionHeader); begun != "" {
		h.lru.opened(begun, a.user)
	}
}

// watch bounds the calls that are under way, and ends subscriptions when the
// handler is drained: they return their result.
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
				"%d calls are under way: try again later", h.limits.calls)})
		}
		return next(ctx, method, req)
	}
}
