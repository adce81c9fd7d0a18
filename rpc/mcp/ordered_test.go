package mcp

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

// withTurns adds a toolset with one method, turns/take, that is ordered and takes
// until it is released.
func withTurns(t *testing.T, y *toy) {
	t.Helper()
	contract, err := schemas.Load(fstest.MapFS{
		"turns.take.json": document("turns/take", `"text": {"type": "string", "description": "p"}`, `"text": {"type": "string", "description": "m"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	take := declare("turns/take", rpc.Reads, rpc.Ordered, rpc.Tool{Default: true}, func(ctx context.Context, p echo) (echo, error) {
		y.count.Add(1)
		return y.slow(ctx, p)
	}, nil)
	if err := y.registry.Add(rpc.Toolset{Name: "turns", Contract: rpc.Contract{Version: "1.0", Schemas: contract}, Methods: []rpc.Method{take}}); err != nil {
		t.Fatal(err)
	}
}

func (c *client) receive() string {
	c.t.Helper()
	if !c.lines.Scan() {
		c.t.Fatalf("the server said nothing more: %v", c.lines.Err())
	}
	return c.lines.Text()
}

// TestOrdered: ordered calls are made and answered one after the other, beside
// everything else, as tools and bare. One that is cancelled before its turn is
// never made, nor answered.
func TestOrdered(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	withTurns(t, y)
	c := y.converse(t)
	c.send(handshake)
	c.receive()
	for id := 1; id <= 3; id++ {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"turns_take","arguments":{"text":"%d"}}}`+"\n", id, id))
	}
	c.send(`{"jsonrpc":"2.0","id":4,"method":"turns/take","params":{"text":"4"}}` + "\n")
	<-y.started
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + "\n" +
		`{"jsonrpc":"2.0","id":"beside","method":"test/echo"}` + "\n")
	if got := c.receive(); !strings.Contains(got, `"id":"beside"`) {
		t.Fatalf("held up by an ordered call: %s", got)
	}
	for i, want := range []string{`"id":1,"result":{"content"`, `"id":3,"result":{"content"`, `"id":4,"result":{"text":"4"}`} {
		if i > 0 {
			<-y.started
		}
		y.release <- struct{}{}
		if got := c.receive(); !strings.Contains(got, want) {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	if n := y.count.Load(); n != 3 {
		t.Errorf("%d calls were made, want 3", n)
	}
}
