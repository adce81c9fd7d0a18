package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// pipe is the SDK's connection to a client whose lines another room reads and
// writes.
type pipe struct {
	user    string // whom the client's requests are from
	send    func(rpc.JSON)
	connect func()             // the SDK, at the first message
	session *mcp.ServerSession // nil until then
	in      chan jsonrpc.Message
	closed  chan struct{}
	close   func()

	mu   sync.Mutex
	open map[jsonrpc.ID]*pendingCall
}

// pendingCall is a request that the SDK has not answered yet.
type pendingCall struct {
	listens  bool          // it is a subscription
	silent   bool          // the client no longer wants the answer
	begin    func()        // closes begun, once
	begun    chan struct{} // closed when a subscription has begun, or there is an answer
	answered chan answer   // with room for one
}

type answer struct {
	result  rpc.JSON
	failure *rpc.Error
	silent  bool
}

var (
	_ mcp.Transport  = (*pipe)(nil)
	_ mcp.Connection = (*pipe)(nil)
)

func newPipe(sdk *mcp.Server, user string, send func(rpc.JSON)) *pipe {
	p := &pipe{
		user: user, send: send,
		in: make(chan jsonrpc.Message), closed: make(chan struct{}), open: map[jsonrpc.ID]*pendingCall{},
	}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	p.connect = sync.OnceFunc(func() {
		p.session, _ = sdk.Connect(context.Background(), p, nil) // a pipe connects always
	})
	return p
}

// Connect implements mcp.Transport.
func (p *pipe) Connect(context.Context) (mcp.Connection, error) { return p, nil }

// SessionID implements mcp.Connection: a pipe has one session, without a name.
func (p *pipe) SessionID() string { return "" }

// Close implements mcp.Connection.
func (p *pipe) Close() error {
	p.close()
	return nil
}

// end closes the pipe and waits for the SDK.
func (p *pipe) end() {
	p.close()
	if p.session != nil {
		_ = p.session.Wait() // what it says is that the pipe is closed
	}
}

// initialized reports whether the client has begun a session.
func (p *pipe) initialized() bool {
	p.connect()
	return p.session.InitializeParams() != nil
}

// Read implements mcp.Connection.
func (p *pipe) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-p.in:
		return m, nil
	case <-p.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// feed hands a message to the SDK, which hands c on to [identify].
func (p *pipe) feed(r *jsonrpc.Request, c carried) {
	p.connect()
	c.caller = rpc.Caller{User: p.user, Via: rpc.MCP}
	r.Extra = &mcp.RequestExtra{TokenInfo: c.tokenInfo()}
	select {
	case p.in <- r:
	case <-p.closed:
	}
}

func (p *pipe) notify(method string, params json.RawMessage) {
	p.feed(&jsonrpc.Request{Method: method, Params: params}, carried{})
}

// start hands the SDK a request that has passed [check]: an ordered or yielding one when
// its answer is waited for, unless the client has cancelled it by then.
func (p *pipe) start(ctx context.Context, m rpc.Message, lane rpc.Lane) wait {
	id, _ := idOf(m.ID)
	call, ok := p.begin(id, lane == rpc.Open)
	if !ok {
		return refused(invalidRequest("a request with the id %s is under way", rpc.Shorten(string(m.ID), maxEcho)))
	}
	request := &jsonrpc.Request{ID: id, Method: m.Method, Params: object(m.Params)}
	c := carried{answers: rpc.ReservationOf(ctx)}
	if lane != rpc.Ordered && lane != rpc.Yielding {
		p.feed(request, c)
		return func(ctx context.Context) (rpc.JSON, *rpc.Error, bool) { return p.answerTo(ctx, id, call) }
	}
	return func(ctx context.Context) (rpc.JSON, *rpc.Error, bool) {
		p.mu.Lock()
		cancelled := call.silent
		p.mu.Unlock()
		if cancelled || errors.Is(ctx.Err(), context.Canceled) {
			p.take(id)
			return nil, nil, true
		}
		c.deadline, _ = ctx.Deadline()
		c.yield = rpc.YieldOf(ctx)
		p.feed(request, c)
		return p.answerTo(ctx, id, call)
	}
}

// answerTo waits for the answer to a call, also where its time is over: the handler
// says so.
func (p *pipe) answerTo(ctx context.Context, id jsonrpc.ID, call *pendingCall) (rpc.JSON, *rpc.Error, bool) {
	ended := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			close(ended)
		}
	})()
	select {
	case a := <-call.answered:
		return a.result, a.failure, a.silent
	case <-p.closed:
	case <-ended:
	}
	p.take(id)
	return nil, rpc.Failed("the server is ending and took no more time for this call"), false
}

// begin records a call. It is not ok if the id is in use.
func (p *pipe) begin(id jsonrpc.ID, listens bool) (_ *pendingCall, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[id] != nil {
		return nil, false
	}
	call := &pendingCall{listens: listens, begun: make(chan struct{}), answered: make(chan answer, 1)}
	call.begin = sync.OnceFunc(func() { close(call.begun) })
	p.open[id] = call
	return call, true
}

// listening is how many subscriptions are open that the client has not cancelled.
func (p *pipe) listening() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range p.open {
		if call.listens && !call.silent {
			n++
		}
	}
	return n
}

// take removes an open call and returns it, or nil if it is not open.
func (p *pipe) take(id jsonrpc.ID) *pendingCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	call := p.open[id]
	delete(p.open, id)
	return call
}

// cancel tells the SDK that the client no longer wants a call. The call may be gone:
// its answer may have been on its way when the client changed its mind.
func (p *pipe) cancel(id jsonrpc.ID) {
	p.mu.Lock()
	call := p.open[id]
	if call != nil {
		call.silent = true
	}
	p.mu.Unlock()
	if call != nil {
		p.stop(id)
	}
}

// release ends the subscriptions, which must be all that is under way. One that
// the SDK has not looked at yet is waited for: cancelled before it began, it
// would be answered with an error.
func (p *pipe) release() {
	p.mu.Lock()
	open := maps.Clone(p.open)
	p.mu.Unlock()
	for id, call := range open {
		<-call.begun
		p.stop(id)
	}
}

func (p *pipe) stop(id jsonrpc.ID) {
	params, _ := json.Marshal(map[string]any{"requestId": id.Raw()}) // a string or a number
	p.notify(cancelled, params)
}

// Write implements mcp.Connection: it takes the SDK's answers to their callers
// and its notifications to the client.
func (p *pipe) Write(_ context.Context, m jsonrpc.Message) error {
	switch m := m.(type) {
	case *jsonrpc.Response:
		p.answer(m)
	case *jsonrpc.Request:
		if m.IsCall() {
			return errNoCalls
		}
		p.push(m)
	}
	return nil
}

// errNoCalls rejects a request from server to client without breaking the
// connection: the code is the one that the SDK knows for that.
var errNoCalls = &jsonrpc.Error{Code: -32005, Message: "this server sends no requests"}

func (p *pipe) answer(r *jsonrpc.Response) {
	call := p.take(r.ID)
	if call == nil {
		return // the answer is not awaited any more
	}
	a := answer{silent: call.silent}
	if r.Error != nil {
		a.failure = errorOf(r.Error)
	} else {
		a.result = rpc.JSON{r.Result}
	}
	call.answered <- a
	call.begin()
}

// push sends the client a notification. One that belongs to a subscription
// which has ended is dropped.
func (p *pipe) push(r *jsonrpc.Request) {
	if id, ok := subscription(r.Params); ok {
		p.mu.Lock()
		call := p.open[id]
		p.mu.Unlock()
		if call == nil {
			return
		}
		defer call.begin()
	}
	method, _ := json.Marshal(r.Method) // a string can be encoded
	line := rpc.JSON{[]byte(`{"jsonrpc":"2.0","method":`), method}
	if len(r.Params) > 0 {
		line = append(line, []byte(`,"params":`), r.Params)
	}
	p.send(append(line, []byte("}")))
}

// subscription returns the id of the subscription that the params of a
// notification belong to.
func subscription(params json.RawMessage) (jsonrpc.ID, bool) {
	var belongs struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(params, &belongs) // then it belongs to none
	return idOf(belongs.Meta[mcp.MetaKeySubscriptionID])
}
