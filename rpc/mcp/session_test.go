package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/rpc/stdio"
)

const handshake = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// modern is the _meta of a request in the version without sessions.
const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// TestEndOfInput checks that all requests read are answered in order, however soon the input
// ends.
func TestEndOfInput(t *testing.T) {
	t.Parallel()
	var input strings.Builder
	input.WriteString(handshake)
	for n := range 10 {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"test_count"}}`+"\n", n)
	}
	for range 200 {
		lines := strings.Split(strings.TrimSpace(newToy(t).serve(t, input.String())), "\n")
		if len(lines) != 11 {
			t.Fatalf("%d answers, want 11: %q", len(lines), lines)
		}
		for n, line := range lines[1:] {
			want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"{\"n\":%d}"}],"structuredContent":{"n":%d}}}`, n, n+1, n+1)
			if line != want {
				t.Fatalf("answer %d is %s, want %s", n, line, want)
			}
		}
	}
}

// TestInterleaved checks that direct calls and MCP messages of one session are each answered
// once and in order, even with a malformed line among them.
func TestInterleaved(t *testing.T) {
	t.Parallel()
	var input strings.Builder
	input.WriteString(handshake)
	for n := range 2000 {
		switch {
		case n == 1000:
			input.WriteString("{\"jsonrpc\":\n")
		case n%2 == 0:
			fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"test/count"}`+"\n", n)
		default:
			fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"test_count"}}`+"\n", n)
		}
	}
	lines := strings.Split(strings.TrimSpace(newToy(t).serve(t, input.String())), "\n")
	if len(lines) != 2001 {
		t.Fatalf("%d answers, want 2001", len(lines))
	}
	counted := 0
	for n, line := range lines[1:] {
		var answer struct {
			ID     json.RawMessage
			Error  *struct{ Code int }
			Result struct {
				N                 int
				StructuredContent struct{ N int }
			}
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		if n == 1000 {
			if answer.Error == nil || answer.Error.Code != -32700 {
				t.Fatalf("the malformed line was answered with %s", line)
			}
			continue
		}
		counted++
		if got := answer.Result.N + answer.Result.StructuredContent.N; got != counted || string(answer.ID) != fmt.Sprint(n) {
			t.Fatalf("answer %d is %s, want the count %d", n, line, counted)
		}
	}
}

// client is the client of an open session.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	from  *rpctest.Patient // what lines are read from
	lines *bufio.Scanner
	ended chan error
}

func (y *toy) converse(t *testing.T) *client { return converse(t, y.server()) }

func converse(t *testing.T, server *stdio.Server) *client {
	t.Helper()
	inReader, in := io.Pipe()
	outReader, out := io.Pipe()
	from := &rpctest.Patient{From: outReader}
	c := &client{t: t, in: in, from: from, lines: bufio.NewScanner(from), ended: make(chan error, 1)}
	go func() {
		c.ended <- server.Serve(t.Context(), inReader, out)
		out.Close()
	}()
	return c
}

func (c *client) send(lines string) {
	c.t.Helper()
	c.from.Call = lines
	if _, err := io.WriteString(c.in, lines+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) want(line string) {
	c.t.Helper()
	if !c.lines.Scan() {
		c.t.Fatalf("the server said nothing more (%v); want %s", c.lines.Err(), line)
	}
	if got := c.lines.Text(); got != line {
		c.t.Fatalf("the server said\n%s\nwant\n%s", got, line)
	}
}

// end ends the input and checks that there is no further output.
func (c *client) end() {
	c.t.Helper()
	c.in.Close()
	if c.lines.Scan() {
		c.t.Errorf("the server said %s after the end", c.lines.Text())
	}
	if err := c.lines.Err(); err != nil {
		c.t.Fatal(err)
	}
	if err := c.from.End(c.ended); err != nil {
		c.t.Errorf("Serve: %v", err)
	}
}

const pong = `{"jsonrpc":"2.0","id":"p","result":{}}`

func TestProgress(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	c := y.converse(t)
	c.send(strings.TrimSpace(handshake))
	c.lines.Scan() // the answer to initialize
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_slow","arguments":{"text":"x"},"_meta":{"progressToken":"tk"}}}`)
	c.want(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tk","progress":0,"total":2}}`)
	c.send(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	c.want(pong)
	close(y.release)
	c.want(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tk","progress":2,"total":2}}`)
	c.want(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"text\":\"x\"}"}],"structuredContent":{"text":"x"}}}`)
	c.end()
}

// TestCancel checks that a cancelled request ends and is not answered.
func TestCancel(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"7", `"seven"`, "-7", `"\u00e9"`} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			y := newToy(t)
			c := y.converse(t)
			c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"test_slow",` + modern + `}}`)
			<-y.started
			c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
			c.send(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
			c.want(pong)
			c.end() // would wait for a call that goes on
		})
	}
}

// TestIDInUse checks that a request is rejected if an unanswered request has the same id, and
// that the other request continues.
func TestIDInUse(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	c := y.converse(t)
	const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"test_slow","arguments":{"text":"x"},` + modern + `}}`
	c.send(call)
	<-y.started
	c.send(call)
	c.want(`{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"invalid request: a request with the id 7 is in progress"}}`)
	close(y.release)
	if !c.lines.Scan() || !strings.Contains(c.lines.Text(), `"structuredContent":{"text":"x"}`) {
		t.Errorf("the first call was answered with %s", c.lines.Text())
	}
	c.end()
}

// TestCancelAtOnce checks that a cancellation right after its request has an effect.
func TestCancelAtOnce(t *testing.T) {
	t.Parallel()
	c := newToy(t).converse(t)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_slow",` + modern + `}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
[{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["toy://1"]},` + modern + `}},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}]`)
	c.in.Close()
	for c.lines.Scan() { // the subscription may have begun
		if line := c.lines.Text(); !strings.Contains(line, "subscriptions/acknowledged") {
			t.Errorf("the server said %s", line)
		}
	}
	if err := c.from.End(c.ended); err != nil {
		t.Error(err)
	}
}

// TestSubscriptionsAreBounded checks that subscriptions over the limit are rejected, and that
// the others end with the input.
func TestSubscriptionsAreBounded(t *testing.T) {
	t.Parallel()
	var input strings.Builder
	for n := range maxListening + 3 {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["toy://%d"]},%s}}`+"\n", n, n, modern)
	}
	out := newToy(t).serve(t, input.String())
	if got := strings.Count(out, "subscriptions are open"); got != 3 {
		t.Errorf("%d subscriptions were refused, want 3", got)
	}
	if got := strings.Count(out, `"result":{`); got != maxListening {
		t.Errorf("%d subscriptions were answered, want %d", got, maxListening)
	}
}

// TestCancelMakesRoom checks that a client at the limit can cancel a subscription and begin
// another at once, any number of times.
func TestCancelMakesRoom(t *testing.T) {
	t.Parallel()
	var input strings.Builder
	for n := range 4 * maxListening {
		if n >= maxListening {
			fmt.Fprintf(&input, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", n-maxListening)
		}
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["toy://%d"]},%s}}`+"\n", n, n, modern)
	}
	out := newToy(t).serve(t, input.String())
	if refused := strings.Count(out, "subscriptions are open"); refused > 0 {
		t.Errorf("%d subscriptions were refused", refused)
	}
	if answered := strings.Count(out, `"result":{`); answered != maxListening {
		t.Errorf("%d subscriptions ended with the input, want %d", answered, maxListening)
	}
}

// TestChangesReachSubscribers checks that a notification has the client's id of the
// subscription.
func TestChangesReachSubscribers(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	server := y.server()
	c := converse(t, server)
	c.send(`{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["toy://1"]},` + modern + `}}`)
	c.want(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"notifications":{"resourceSubscriptions":["toy://1"]}}}`)
	go y.changed([]string{"toy://2", "toy://1"})
	c.want(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"uri":"toy://1"}}`)
	c.in.Close()
	c.want(`{"jsonrpc":"2.0","id":"s","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","title":"Toy","version":"1.2.3"},"io.modelcontextprotocol/subscriptionId":"s"}}}`)
	c.end()
}

// TestFailuresAreLogged checks that a client of a version with sessions that requested logs
// gets a log message about a failure inside the server.
func TestFailuresAreLogged(t *testing.T) {
	t.Parallel()
	out := newToy(t).serve(t, handshake+
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_panic"}}
{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"test_panic"}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"test_panic",`+modern+`}}
`)
	if got := strings.Count(out, `"method":"notifications/message"`); got != 1 || strings.Contains(out, "secret") {
		t.Errorf("%d messages, want 1: %s", got, out)
	}
}

// TestBudget checks that a call without a limit has a budget, which the method respects.
func TestBudget(t *testing.T) {
	t.Parallel()
	out := newToy(t).serve(t, handshake+
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_list"}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_list","arguments":{"limit":8}}}
`)
	lines := strings.Split(out, "\n")
	if len(lines[1]) > 600 || strings.Count(lines[1], strings.Repeat("x", 40)) != 4 {
		t.Errorf("%d bytes: %s", len(lines[1]), lines[1])
	}
	if strings.Count(lines[2], strings.Repeat("x", 40)) != 16 {
		t.Errorf("the agent's own limit was not kept: %s", lines[2])
	}
}

// TestLongErrors checks that errors do not repeat a client's input at full length.
func TestLongErrors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	out := newToy(t).serve(t, handshake+
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+long+`"}}
{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"`+long+`"}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":{"a":"`+long+`"}}}
{"jsonrpc":"2.0","id":4,"method":"tools/`+long+`"}
`)
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if len(line) > 1000 {
			t.Errorf("an answer of %d bytes: %.200s…", len(line), line)
		}
	}
}

// TestNotificationsCostNothing checks that notifications without an effect are not passed to
// the SDK, which would queue them and log errors about them.
func TestNotificationsCostNothing(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	y := newToy(t)
	y.log = slog.New(slog.NewTextHandler(&log, nil))
	server := y.server()
	input := handshake + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","method":"notifications/nonesuch"}
{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
`, 100) + `{"jsonrpc":"2.0","id":"p","method":"ping"}`
	var out strings.Builder
	if err := server.Serve(t.Context(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), pong+"\n") || log.Len() > 0 {
		t.Errorf("answered %q, logged %.300s", out.String(), log.String())
	}
}

// TestSmallerAnswersAreOneCall checks that a call that is repeated for a smaller answer counts
// once.
func TestSmallerAnswersAreOneCall(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	y.serve(t, handshake+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_list"}}`)
	for _, total := range y.registry.Totals() {
		if total.Method == "test/list" && total.Calls != 1 {
			t.Errorf("%d calls were counted, want 1", total.Calls)
		}
	}
}

// TestChangesReachSessions checks that a client of a version with sessions is notified of list
// changes and of its subscriptions. A client of a version without sessions is notified only of
// what it listens for.
func TestChangesReachSessions(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	c := converse(t, y.server())
	c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"toy://1",` + modern + `}}`)
	c.receive()
	y.changed([]string{"toy://1"})
	time.Sleep(50 * time.Millisecond) // in which the SDK would tell the client
	c.end()

	c = converse(t, y.server())
	c.send(`{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},` + modern + `}}`)
	c.want(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"notifications":{"resourcesListChanged":true}}}`)
	y.changed([]string{"toy://1"})
	c.want(`{"jsonrpc":"2.0","method":"notifications/resources/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}}`)
	c.in.Close()
	c.receive()
	c.end()

	c = converse(t, y.server())
	c.send(strings.TrimSuffix(handshake, "\n"))
	c.receive()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"toy://1"}}`)
	c.want(`{"jsonrpc":"2.0","id":2,"result":{}}`)
	go y.changed([]string{"toy://2", "toy://1"})
	c.want(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"toy://1"}}`)
	told := c.receive() + c.receive()
	for _, list := range []string{"resources", "prompts"} { // in whichever order
		if !strings.Contains(told, `{"jsonrpc":"2.0","method":"notifications/`+list+`/list_changed","params":{}}`) {
			t.Errorf("told %s", told)
		}
	}
	c.in.Close()
	c.end()
}
