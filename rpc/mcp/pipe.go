package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// pipe is the SDK's connection to a client whose lines somebody else reads and
// writes. A request gets an id of our own for its way through the SDK, which
// would truncate some of the client's, take others for none, and refuse one
// that is in use. The client sees only its own.
type pipe struct {
	send   func(rpc.JSON)
	in     chan jsonrpc.Message
	closed chan struct{}
	close  func()

	mu   sync.Mutex
	last int64
	open map[int64]*exchange
}

// exchange is a request that the SDK has not answered yet.
type exchange struct {
	id       int64
	clientID json.RawMessage
	silent   bool          // the client no longer wants the answer
	settled  func()        // closes taken, once
	taken    chan struct{} // closed when a subscription has begun, or there is an answer
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

func newPipe(send func(rpc.JSON)) *pipe {
	p := &pipe{send: send, in: make(chan jsonrpc.Message), closed: make(chan struct{}), open: map[int64]*exchange{}}
	p.close = sync.OnceFunc(func() { close(p.closed) })
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

// feed hands the SDK a message.
func (p *pipe) feed(m jsonrpc.Message) {
	select {
	case p.in <- m:
	case <-p.closed:
	}
}

// start hands the SDK a request.
func (p *pipe) start(m rpc.Message) *exchange {
	x := p.begin(m.ID)
	p.feed(&jsonrpc.Request{ID: idOf(x.id), Method: m.Method, Params: object(m.Params)})
	return x
}

// wait returns the answer to a request.
func (p *pipe) wait(ctx context.Context, x *exchange) answer {
	select {
	case a := <-x.answered:
		return a
	case <-p.closed:
	case <-ctx.Done():
	}
	p.end(x.id)
	return answer{failure: rpc.Failed("the server is ending and took no more time for this call")}
}

func (p *pipe) notify(method string, params json.RawMessage) {
	p.feed(&jsonrpc.Request{Method: method, Params: params})
}

func (p *pipe) begin(clientID json.RawMessage) *exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	x := &exchange{id: p.last, clientID: clientID, taken: make(chan struct{}), answered: make(chan answer, 1)}
	x.settled = sync.OnceFunc(func() { close(x.taken) })
	p.open[x.id] = x
	return x
}

func (p *pipe) end(id int64) *exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.open[id]
	delete(p.open, id)
	return x
}

// cancel tells the SDK which request the client no longer wants. There may be
// none: the answer was on its way when the client changed its mind.
func (p *pipe) cancel(params json.RawMessage) {
	var cancelled struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(object(params), &cancelled) != nil {
		return
	}
	p.mu.Lock()
	var stopped []int64
	for id, x := range p.open {
		if bytes.Equal(x.clientID, cancelled.RequestID) {
			x.silent = true
			stopped = append(stopped, id)
		}
	}
	p.mu.Unlock()
	p.stop(stopped)
}

// release ends the subscriptions, which must be all that is under way. One that
// the SDK has not looked at yet is waited for: cancelled before it began, it
// would be answered with an error.
func (p *pipe) release() {
	p.mu.Lock()
	open := slices.Collect(maps.Values(p.open))
	p.mu.Unlock()
	for _, x := range open {
		<-x.taken
		p.stop([]int64{x.id})
	}
}

func (p *pipe) stop(ids []int64) {
	for _, id := range ids {
		params, _ := json.Marshal(map[string]int64{"requestId": id})
		p.notify("notifications/cancelled", params)
	}
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
	id, _ := r.ID.Raw().(int64)
	x := p.end(id)
	if x == nil {
		return // nobody waits any more
	}
	a := answer{silent: x.silent}
	if r.Error != nil {
		a.failure = errorOf(r.Error)
	} else {
		a.result = rpc.JSON{ownID(r.Result, x)}
	}
	x.answered <- a
	x.settled()
}

// push sends the client a notification. One that belongs to a subscription
// names the request that began it.
func (p *pipe) push(r *jsonrpc.Request) {
	params := r.Params
	if id, ok := subscription(params); ok {
		p.mu.Lock()
		x := p.open[id]
		p.mu.Unlock()
		if x == nil {
			return // it has ended
		}
		params = ownID(params, x)
		defer x.settled()
	}
	method, _ := json.Marshal(r.Method)
	line := rpc.JSON{[]byte(`{"jsonrpc":"2.0","method":`), method}
	if len(params) > 0 {
		line = append(line, []byte(`,"params":`), params)
	}
	p.send(append(line, []byte("}")))
}

func idOf(id int64) jsonrpc.ID {
	made, _ := jsonrpc.MakeID(float64(id)) // exact up to 2^53
	return made
}
