package stdio

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc"
)

// greedy is a protocol that claims whatever there is. It can cancel, and answers
// everything else with its own name.
type greedy struct{ toolset *rpc.Toolset }

func (greedy) Claims(string) bool { return true }

func (greedy) Bare(params json.RawMessage) (json.RawMessage, func(rpc.JSON) rpc.JSON) {
	return params, func(result rpc.JSON) rpc.JSON { return result }
}

func (greedy) Cancels(m rpc.Message) json.RawMessage {
	if m.Method != "cancel" {
		return nil
	}
	return m.Params[len(`{"id":`) : len(m.Params)-len("}")]
}

func (g greedy) Open(context.Context, func(rpc.JSON)) (rpc.Session, error) {
	return greedySession(g), nil
}

// greedySession has its calls wait for those of a toolset.
type greedySession struct{ toolset *rpc.Toolset }

func (s greedySession) Start(context.Context, rpc.Message) rpc.PendingCall {
	return rpc.PendingCall{Lane: rpc.Ordered, Toolset: s.toolset, Wait: func(context.Context) (rpc.JSON, *rpc.Error, bool) {
		return rpc.JSON{[]byte(`"greedy"`)}, nil, false
	}}
}
func (greedySession) Notify(rpc.Message) {}
func (greedySession) Release()           {}
func (greedySession) Close()             {}

func cancelLine(id string) string {
	return `{"jsonrpc":"2.0","method":"cancel","params":{"id":` + id + `}}` + "\n"
}

// TestCancel cancels an ordered call that waits for its turn, and then the one
// that it waited for. Those of the protocol wait for both.
func TestCancel(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	y.protocol = greedy{y.registry.Toolsets()[0]}
	s := y.start(t, time.Minute)
	s.send(t, requestLine(1, "test/wait", `{}`), requestLine(2, "test/wait", `{}`), requestLine(3, "other", `{}`), requestLine(4, "test/echo", `{}`))
	expect(t, s.receive(t), `{"jsonrpc":"2.0","id":4,"result":{"text":""}}`)
	const cancelled = `"error":{"code":-32800,"message":"the call was cancelled"}}`
	s.send(t, cancelLine("2"))
	expect(t, s.receive(t), `{"jsonrpc":"2.0","id":2,`+cancelled)
	s.send(t, cancelLine("7"), cancelLine("1"))
	expect(t, s.receive(t), `{"jsonrpc":"2.0","id":1,`+cancelled)
	expect(t, s.receive(t), `{"jsonrpc":"2.0","id":3,"result":"greedy"}`)
}

// TestCancelByID: an id is the same however its string is escaped, and a string is
// no number.
func TestCancelByID(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	y.protocol = greedy{y.registry.Toolsets()[0]}
	s := y.start(t, time.Minute)
	wait := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"test/wait","params":{}}` + "\n"
	}
	const cancelled = `,"error":{"code":-32800,"message":"the call was cancelled"}}`
	for _, id := range []struct{ called, other, cancelled string }{
		{`"a"`, `"A"`, `"\u0061"`}, {`"\u00e9"`, `"e"`, `"é"`}, {`1`, `"1"`, `1`}, {`"1"`, `1`, `"1"`},
		{`"\ud800"`, `"\ud801"`, `"\ud800"`}, {`"\u0000"`, `""`, `"\u0000"`},
	} {
		s.send(t, wait(id.called), cancelLine(id.other), requestLine(9, "test/echo", `{}`))
		expect(t, s.receive(t), `{"jsonrpc":"2.0","id":9,"result":{"text":""}}`)
		s.send(t, cancelLine(id.cancelled))
		expect(t, s.receive(t), `{"jsonrpc":"2.0","id":`+id.called+cancelled)
	}
}

// TestCancelOfSeveral: of two calls with one id, the one that goes on can be
// cancelled when the other has ended.
func TestCancelOfSeveral(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	y.protocol = greedy{y.registry.Toolsets()[0]}
	s := y.start(t, time.Minute)
	s.send(t, requestLine(1, "test/slow", `{"text":"a"}`), requestLine(1, "test/wait", `{}`))
	close(y.release)
	expect(t, s.receive(t), `{"jsonrpc":"2.0","id":1,"result":{"text":"a"}}`)
	s.send(t, requestLine(1, "test/wait", `{}`), cancelLine("1"))
	for range 2 {
		expect(t, s.receive(t), `{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"the call was cancelled"}}`)
	}
}

// TestOwnMethodsComeFirst: a method is called whatever a protocol claims.
func TestOwnMethodsComeFirst(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	y.protocol = greedy{y.registry.Toolsets()[0]}
	got := y.serve(t, requestLine(1, "test/echo", `{"text":"x"}`)+requestLine(2, "test/nothing", `{}`)+requestLine(3, "test/count", `{}`))
	for _, want := range []string{`"id":1,"result":{"text":"x"}`, `"id":2,"result":"greedy"`, `"id":3,"result":{"n":1}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}
