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

// pipe is the SDK's connection to a client. The transport of the server, such as rpc/stdio,
// reads and writes the messages.
type pipe struct {
	user    string // the user of the client's requests
	send    func(rpc.JSON)
	connect func()             // connects the SDK once, at the first message
	session *mcp.ServerSession // nil until connected
	in      chan jsonrpc.Message
	closed  chan struct{}
	close   func()

	mu   sync.Mutex
	open map[jsonrpc.ID]*pendingCall
}

// pendingCall is a request that the SDK has not answered yet.
type pendingCall struct {
	listens  bool          // the request is a subscription
	silent   bool          // the client cancelled the request and gets no answer
	begin    func()        // closes begun, once
	begun    chan struct{} // closed when the subscription has begun or the request was answered
	answered chan answer   // has a buffer of one
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
		p.session, _ = sdk.Connect(context.Background(), p, nil) // connecting a pipe cannot fail
	})
	return p
}

// Connect implements mcp.Transport.
func (p *pipe) Connect(context.Context) (mcp.Connection, error) { return p, nil }

// SessionID implements mcp.Connection. A pipe has one session, without an id.
func (p *pipe) SessionID() string { return "" }

// Close implements mcp.Connection.
func (p *pipe) Close() error {
	p.close()
	return nil
}

// end closes the pipe and waits until the SDK has ended the session.
func (p *pipe) end() {
	p.close()
	if p.session != nil {
		_ = p.session.Wait() // the error only says that the pipe is closed
	}
}

// initialized reports whether the client has sent an initialize request.
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

// feed passes a message to the SDK, with c for [identify]. It drops the message if the pipe
// is closed.
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

// start passes a request that has passed [check] to the SDK. An ordered or yielding request
// is passed on only when the returned wait is called, unless the client has cancelled it by
// then.
func (p *pipe) start(ctx context.Context, m rpc.Message, lane rpc.Lane) wait {
	id, _ := idOf(m.ID)
	call, ok := p.begin(id, lane == rpc.Open)
	if !ok {
		return refused(invalidRequest("a request with the id %s is in progress", rpc.Shorten(string(m.ID), maxEcho)))
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

// answerTo waits for the answer to a call. It continues to wait after the deadline of ctx,
// because the handler returns the error for it. It returns an error if ctx is cancelled or
// the pipe is closed.
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
	return nil, rpc.Failed("the server shut down before it finished this call"), false
}

// begin records a call. ok is false if the id is in use.
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

// listening returns the number of open subscriptions that the client has not cancelled.
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

// cancel passes the cancellation of a call to the SDK. It does nothing if the call has been
// answered already.
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

// release ends the subscriptions. No other calls may be under way. It waits until each
// subscription has begun, because the SDK would answer one that is cancelled earlier with an
// error.
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
	params, _ := json.Marshal(map[string]any{"requestId": id.Raw()}) // encoding a string or a number cannot fail
	p.notify(cancelled, params)
}

// Write implements mcp.Connection. It passes the SDK's answers to the waiting calls, and its
// notifications to the client.
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

// codeRejected is the code of the SDK's own error for a message that the connection
// rejects. It never reaches a client and is unrelated to [rpc.Unconfigured].
const codeRejected = -32005

// errNoCalls rejects a request from the server to the client. The SDK keeps the connection
// open because it recognises the code.
var errNoCalls = &jsonrpc.Error{Code: codeRejected, Message: "this server sends no requests"}

func (p *pipe) answer(r *jsonrpc.Response) {
	call := p.take(r.ID)
	if call == nil {
		return // no call waits for the answer any more
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

// push sends the client a notification. It drops one for a subscription that has ended.
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
	method, _ := json.Marshal(r.Method) // encoding a string cannot fail
	line := rpc.JSON{[]byte(`{"jsonrpc":"2.0","method":`), method}
	if len(r.Params) > 0 {
		line = append(line, []byte(`,"params":`), r.Params)
	}
	p.send(append(line, []byte("}")))
}

// subscription returns the id of the subscription that a notification with these params
// belongs to. It returns false if it belongs to none.
func subscription(params json.RawMessage) (jsonrpc.ID, bool) {
	var belongs struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(params, &belongs) // after an error there is no id
	return idOf(belongs.Meta[mcp.MetaKeySubscriptionID])
}
