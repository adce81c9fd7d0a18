package stdio

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/rpctest"
)

// things serves a toolset that is not that of the catalog to a user, and returns
// what it answers.
func things(t *testing.T, toolset *rpctest.Things, user, input string) string {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	registry := rpc.NewRegistry(log, time.Now)
	if err := registry.Add(toolset.Toolset()); err != nil {
		t.Fatal(err)
	}
	if err := registry.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	server := Server{Registry: registry, Log: log, User: user, MaxLine: DefaultMaxLine, Grace: time.Minute}
	var out strings.Builder
	if err := server.Serve(t.Context(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestThings: results of every kind of JSON, errors in the toolset's own shape,
// also for params that break the schema.
func TestThings(t *testing.T) {
	t.Parallel()
	got := things(t, &rpctest.Things{}, "", requestLine(1, "things/list_things", `{"user_id":"ann"}`)+
		requestLine(2, "things/find_thing", `{"user_id":"ann","name":"cup"}`)+
		requestLine(3, "things/add_thing", `{"user_id":"ann","name":"cup"}`)+
		requestLine(4, "things/find_thing", `{"user_id":"ann","name":"cup"}`)+
		requestLine(5, "things/list_things", `{"user_id":"ann"}`)+
		requestLine(6, "things/add_thing", `{"user_id":"ann","name":"cup"}`)+
		requestLine(7, "things/add_thing", `{"user_id":"ann"}`)+
		requestLine(8, "add_thing", `{"user_id":"ann","name":"jug"}`))
	want := `{"jsonrpc":"2.0","id":1,"result":[]}
{"jsonrpc":"2.0","id":2,"result":null}
{"jsonrpc":"2.0","id":3,"result":{"name":"cup","owner":"ann"}}
{"jsonrpc":"2.0","id":4,"result":"ann"}
{"jsonrpc":"2.0","id":5,"result":[{"name":"cup","owner":"ann"}]}
{"jsonrpc":"2.0","id":6,"error":{"code":-32002,"message":"there is a thing of this name","data":{"error":"there is a thing of this name","method":"things/add_thing"}}}
{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"invalid params: name: is required","data":{"error":"invalid params: name: is required","method":"things/add_thing"}}}
`
	const unknown = `{"jsonrpc":"2.0","id":8,"error":{"code":-32601,` // at once: nothing has to wait for its turn
	if ordered := withoutLine(got, unknown); ordered != want || ordered == got {
		t.Errorf("got\n%s\nwant\n%s and %s…", got, want, unknown)
	}
}

// withoutLine returns lines without those that begin so.
func withoutLine(lines, prefix string) string {
	var kept strings.Builder
	for line := range strings.Lines(lines) {
		if !strings.HasPrefix(line, prefix) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// TestThingsOfUsers: whose things a call is about is decided by the user whom the
// server is for.
func TestThingsOfUsers(t *testing.T) {
	t.Parallel()
	input := requestLine(1, "things/add_thing", `{"name":"cup"}`) + requestLine(2, "things/list_things", `{"user_id":"ann"}`)
	want := map[string]string{
		"ann": `"result":{"name":"cup","owner":"ann"}} "result":[{"name":"cup","owner":"ann"}]}`,
		"bob": `"result":{"name":"cup","owner":"bob"}} "error":{"code":-32602,"message":"invalid params: user_id: must be the authenticated user: leave it out",` +
			`"data":{"error":"invalid params: user_id: must be the authenticated user: leave it out","method":"things/list_things"}}}`,
		"": `"error":{"code":-32004,"message":"this call needs an authenticated user","data":{"error":"this call needs an authenticated user","method":"things/add_thing"}}} ` +
			`"error":{"code":-32004,"message":"this call needs an authenticated user","data":{"error":"this call needs an authenticated user","method":"things/list_things"}}}`,
	}
	for user, both := range want {
		got := things(t, &rpctest.Things{PerUser: true}, user, input)
		lines := strings.Split(strings.TrimSpace(got), "\n")
		if joined := strings.Join([]string{strings.TrimPrefix(lines[0], `{"jsonrpc":"2.0","id":1,`), strings.TrimPrefix(lines[1], `{"jsonrpc":"2.0","id":2,`)}, " "); joined != both {
			t.Errorf("%q: got\n%s\nwant\n%s", user, joined, both)
		}
	}
}

// TestCaller: a bare call is that of the user whom the server is for, on this pipe.
func TestCaller(t *testing.T) {
	t.Parallel()
	for _, user := range []string{"ann", ""} {
		got := things(t, &rpctest.Things{}, user, requestLine(1, "things/who_calls", `{}`))
		if want := `{"jsonrpc":"2.0","id":1,"result":{"user":"` + user + `","via":"json-rpc"}}` + "\n"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestThingsThatFailToStart: the error names the toolset, and the others are
// closed.
func TestThingsThatFailToStart(t *testing.T) {
	t.Parallel()
	broken := &rpctest.Things{FailStart: errors.New("the store is missing")}
	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	if err := registry.Add(broken.Toolset()); err != nil {
		t.Fatal(err)
	}
	if err := registry.Start(t.Context()); err == nil || err.Error() != "things: the store is missing" {
		t.Errorf("started: %v", err)
	}
	if err := registry.Close(); err != nil || !broken.Closed() {
		t.Errorf("not closed: %v", err)
	}
}
