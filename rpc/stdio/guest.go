package stdio

import (
	"context"
	"encoding/json"
	"sync"

	"instruction-catalog/rpc"
)

// guest is the face that is spoken beside the bare methods, and its session
// with the client, which begins with the first message that the face claims.
// The connection hands over one message at a time, so that nothing here is
// used by two goroutines but the session itself.
type guest struct {
	face    rpc.Face // nil for nobody
	out     *output
	session rpc.Session
	failure *rpc.Error // why there is no session
	parked  sync.WaitGroup
}

func (g *guest) claims(method string) bool { return g.face != nil && g.face.Claims(method) }

// bare calls a method that is not the face's, for a client that may be.
func (g *guest) bare(params json.RawMessage, call func(json.RawMessage) (rpc.JSON, *rpc.Error)) (rpc.JSON, *rpc.Error) {
	if g.face == nil {
		return call(params)
	}
	params, accepted := g.face.Bare(params)
	result, failure := call(params)
	if failure != nil {
		return nil, failure
	}
	return accepted(result), nil
}

// open begins the session if it has not begun.
func (g *guest) open() {
	if g.session != nil || g.failure != nil {
		return
	}
	session, err := g.face.Open(g.out.writeLine)
	if err != nil {
		g.failure = rpc.Failed(err.Error())
		return
	}
	g.session = session
}

// start hands the face a request. It returns what waits for the answer and
// passes it on, and how long that may take.
func (g *guest) start(ctx context.Context, r request) (func(), rpc.Pace) {
	g.open()
	switch {
	case g.session == nil:
		return func() {
			if r.wants() {
				r.reply.answer(r.index, r.id, nil, g.failure)
			}
		}, rpc.Brisk
	case !r.wants():
		return func() { g.session.Notify(r.message()) }, rpc.Brisk
	}
	pace := g.session.Pace(r.message())
	answer := g.session.Start(r.message())
	return func() {
		result, failure, silent := answer(ctx)
		if silent {
			r.reply.settle()
			return
		}
		r.reply.answer(r.index, r.id, result, failure)
	}, pace
}

// release ends what waits for the client, once it can no longer say anything.
func (g *guest) release() {
	if g.session == nil {
		return
	}
	g.session.Release()
	g.parked.Wait()
	g.session.Close()
}

func (r request) message() rpc.Message {
	return rpc.Message{ID: r.id, Method: r.method, Params: r.params}
}
