package mcp

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// endpoint is a toy that is served over HTTP.
type endpoint struct {
	t testing.TB
	*toy
	handler *Handler
	url     string
	user    atomic.Pointer[string] // whose requests come in; nil for nobody's
}

// small are limits that a test can reach.
var small = limits{
	body: 8 << 10, small: 1 << 10, timeout: time.Millisecond, batch: 3,
	sessions: 2, idle: time.Hour, requests: 50, streams: 2, beat: time.Hour, calls: 2,
}

func newEndpoint(t testing.TB, l limits) *endpoint {
	t.Helper()
	y := newToy(t)
	e := &endpoint{t: t, toy: y, handler: newHandler(y.protocol(), l)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user := e.user.Load(); user != nil {
			r.Header.Set("Authorization", "Bearer "+*user)
			r = r.WithContext(rpc.WithCaller(r.Context(), rpc.Caller{User: *user}))
		}
		e.handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

// underWay returns how many requests are under way.
func (h *Handler) underWay() int {
	requests, _ := h.traffic.counts()
	return requests
}

// request returns a request as a client makes it. A header has the form
// "Name: value".
func (e *endpoint) request(ctx context.Context, method, body string, header ...string) *http.Request {
	e.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, e.url, strings.NewReader(body))
	if err != nil {
		e.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	return r
}

// send sends a request and returns the answer as soon as it begins.
func (e *endpoint) send(r *http.Request) *http.Response {
	e.t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// post sends a message and returns the status of the answer and its messages.
func (e *endpoint) post(body string, header ...string) (int, []string) {
	e.t.Helper()
	answer := e.send(e.request(e.t.Context(), http.MethodPost, body, header...))
	return answer.StatusCode, messages(e.t, answer)
}

// messages returns the messages of an answer: one object, or those of a stream.
func messages(t testing.TB, answer *http.Response) []string {
	t.Helper()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Header.Get("Content-Type") != "text/event-stream" {
		if len(text) == 0 {
			return nil
		}
		return []string{string(text)}
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			all = append(all, strings.TrimSuffix(data, "\n"))
		}
	}
	return all
}

const opening = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// open begins a session and returns the header that names it.
func (e *endpoint) open() string {
	e.t.Helper()
	answer := e.send(e.request(e.t.Context(), http.MethodPost, opening))
	if got := messages(e.t, answer); answer.StatusCode != http.StatusOK || len(got) != 1 || !strings.Contains(got[0], `"id":"i","result":`) {
		e.t.Fatalf("initialize: %d %q", answer.StatusCode, got)
	}
	return sessionHeader + ": " + answer.Header.Get(sessionHeader)
}

// sessionless returns a message of the version without sessions, and its headers.
func sessionless(id, method, members string) (string, []string) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}%s}}`, id, method, members)
	return body, []string{versionHeader + ": 2026-07-28", "Mcp-Method: " + method}
}

// TestBothErasOverHTTP calls the endpoint as a client of the versions with sessions and as a
// client of the version without.
func TestBothErasOverHTTP(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, usual)
			progress := make(chan float64, 2)
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
					progress <- req.Params.Progress
				},
			})
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: e.url},
				&mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("the server speaks %s", got)
			}
			tools, err := session.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 5 {
				t.Errorf("%d tools (%v)", len(tools.Tools), err)
			}
			if text := callTool(t, session, &mcp.CallToolParams{Name: "test_echo", Arguments: echo{"hello"}}); text != "You said: hello" {
				t.Errorf("test_echo says %q", text)
			}
			close(e.release)
			slow := &mcp.CallToolParams{Name: "test_slow", Arguments: echo{"slowly"}}
			slow.SetProgressToken("p")
			if text := callTool(t, session, slow); text != `{"text":"slowly"}` {
				t.Errorf("test_slow says %q", text)
			}
			if first, last := <-progress, <-progress; first != 0 || last != 2 {
				t.Errorf("test_slow was at %v and then at %v", first, last)
			}
			if text := callTool(t, session, &mcp.CallToolParams{Name: "test_panic"}); strings.Contains(text, "secret") {
				t.Errorf("test_panic says %q", text)
			}
			read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "toy://1"})
			if err != nil || read.Contents[0].Text != "note toy://1" {
				t.Errorf("resources/read: %v (%v)", read, err)
			}
			if err := session.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if n := len(e.handler.sessions()); n != 0 {
				t.Errorf("%d sessions are left", n)
			}
		})
	}
}

func callTool(t *testing.T, session *mcp.ClientSession, p *mcp.CallToolParams) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), p)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	return result.Content[0].(*mcp.TextContent).Text
}

// TestHTTPAnswers checks status and answer of requests, most of them with mistakes. The header S
// is replaced by the header of a session.
func TestHTTPAnswers(t *testing.T) {
	t.Parallel()
	const call = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"test_echo","arguments":{"text":"t"}}}`
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	tests := map[string]struct {
		body   string
		header []string
		status int
		want   string // the beginning of the answer
	}{
		"string id":            {ping(`"\u00e9\n"`), []string{"S"}, 200, `{"jsonrpc":"2.0","id":"é\n","result":{}}`},
		"largest id":           {ping(`9007199254740992`), []string{"S"}, 200, `{"jsonrpc":"2.0","id":9007199254740992,"result":{}}`},
		"negative id":          {ping(`-7`), []string{"S"}, 200, `{"jsonrpc":"2.0","id":-7,"result":{}}`},
		"empty id":             {ping(`""`), []string{"S"}, 200, `{"jsonrpc":"2.0","id":"","result":{}}`},
		"null id":              {ping(`null`), []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"fractional id":        {ping(`1.5`), []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"exponent id":          {ping(`1e3`), []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"id beyond 2^53":       {ping(`9007199254740993`), []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"id beyond 2^63":       {ping(`92233720368547758080`), []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"half a surrogate":     {ping(`"\ud800"`), []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"object as id":         {ping(`{}`), []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"no JSON":              {`{"jsonrpc"`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32700,`},
		"nothing":              {``, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32700,`},
		"no UTF-8":             {"\"\xff\"", []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32700,`},
		"two messages":         {ping("1") + ping("2"), []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32700,`},
		"a number":             {`7`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"null":                 {`null`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"another version":      {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"no method":            {`{"jsonrpc":"2.0","id":1}`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"empty method":         {`{"jsonrpc":"2.0","id":1,"method":""}`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"params as text":       {`{"jsonrpc":"2.0","id":1,"method":"ping","params":"p"}`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"params as array":      {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		"param twice":          {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_echo","arguments":{"text":"t","text":"u"}}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: arguments.text: appears twice`},
		"null params":          {`{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		"doubled members":      {`{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"ping","id":2}`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"invalid request: id appears twice: keep one of the two"}}`},
		"deep":                 {`{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 71), []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"invalid request: nested deeper than 64 levels"}}`},
		"long":                 {ping(`"` + strings.Repeat("x", 9<<10) + `"`), []string{"S"}, 413, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"invalid request: the body has more than 8192 bytes`},
		"unknown method":       {`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method \"no/such\" not found: `},
		"bare method":          {`{"jsonrpc":"2.0","id":1,"method":"test/echo"}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,`},
		"notification with id": {`{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`, []string{"S"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		"call without id":      {`{"jsonrpc":"2.0","method":"tools/list"}`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"invalid request: tools/list is a request: send it with an id"}}`},
		"notification":         {`{"jsonrpc":"2.0","method":"notifications/initialized"}`, []string{"S"}, 202, ``},
		"unknown notification": {`{"jsonrpc":"2.0","method":"notifications/none"}`, []string{"S"}, 202, ``},
		"notification astray":  {`{"jsonrpc":"2.0","method":"notifications/none"}`, []string{sessionHeader + ": none"}, 404, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"cancelled in part":    {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"a response":           {`{"jsonrpc":"2.0","id":1,"result":{}}`, []string{"S"}, 202, ``},
		"wrong type":           {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: name: has the wrong type",`},
		"wrong type within":    {`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":7}}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: argument.name: has the wrong type",`},
		"wrong type in a type": {`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":7}}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: ref.type: has the wrong type",`},
		"no such type":         {`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"none"}}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: the params do not match this method`},
		"tool of two minds":    {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cannot unmarshal x"}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown tool \"cannot unmarshal x\"`},
		"tool in disguise":     {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"handling 'a': invalid params: unmarshaling "}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown tool \"handling `},
		"no such tool":         {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		"long tool":            {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 4000) + `"}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		"set level":            {`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}}`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		"not JSON by name":     {ping("1"), []string{"S", "Content-Type: text/plain"}, 415, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		"accepts no stream":    {ping("1"), []string{"S", "Accept: application/json"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		"unknown version":      {ping("1"), []string{"S", versionHeader + ": 2024-01-01"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		"replay":               {ping("1"), []string{"S", "Last-Event-ID: 7_7"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		"no session":           {fmt.Sprintf(call, "1"), nil, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: there is no session: send initialize`},
		"unknown session":      {fmt.Sprintf(call, "1"), []string{sessionHeader + ": none"}, 404, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		"initialize twice":     {opening, []string{"S"}, 400, `{"jsonrpc":"2.0","id":"i","error":{"code":-32600,`},
		"initialize badly":     {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, nil, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		"initialize strangely": {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":7}}`, nil, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		"initialize at length": {strings.Replace(opening, `"test"`, `"`+strings.Repeat("x", 2000)+`"`, 1), nil, 400, `{"jsonrpc":"2.0","id":"i","error":{"code":-32600,`},

		"batch":             {`[` + ping("1") + `,{"jsonrpc":"2.0","method":"notifications/initialized"}]`, []string{"S"}, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		"empty batch":       {`[]`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"invalid request: the batch is empty"}}`},
		"batch of unknown":  {`[{"jsonrpc":"2.0","id":1,"method":"no/such"}]`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32601,"message":"method \"no/such\" not found: `},
		"batch with a type": {`[` + ping("1") + `,{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":7}}]`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"invalid params: name: has the wrong type",`},
		"long batch":        {`[` + ping("1") + `,` + ping("2") + `,` + ping("3") + `,` + ping("4") + `]`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"batch of twins":    {`[` + ping(`"a"`) + `,` + ping(`"\u0061"`) + `]`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"batch of nonsense": {`[` + ping("1") + `,7]`, []string{"S"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"initialize batch":  {`[` + opening + `]`, nil, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"later batch":       {`[` + ping("1") + `]`, []string{"S", versionHeader + ": 2025-11-25"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
	}
	e := newEndpoint(t, small)
	session := e.open()
	for name, tt := range tests {
		for i, h := range tt.header {
			if h == "S" {
				tt.header[i] = session
			}
		}
		status, got := e.post(tt.body, tt.header...)
		answer := strings.Join(got, "\n")
		if status != tt.status || !strings.HasPrefix(answer, tt.want) || (tt.want == "") != (answer == "") || len(answer) > 1000 {
			t.Errorf("%s: %d %.500s\nwant %d %s", name, status, answer, tt.status, tt.want)
		}
	}
}

// TestWrongTypes checks that params of the wrong type are rejected before they are passed to
// the SDK, whose error would quote the params and name Go types.
func TestWrongTypes(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, usual)
	session := e.open()
	names := []string{
		"_meta", "argument", "arguments", "capabilities", "clientInfo", "context", "cursor", "inputResponses", "level", "name",
		"notifications", "protocolVersion", "ref", "requestState", "uri",
	}
	values := []string{"7", `"x"`, "[]", "{}", `[7]`, `{"name":7}`, `{"name":{}}`, `{"type":[]}`, `{"arguments":7}`, `{"roots":7}`, `{"resourceSubscriptions":{}}`, "null"}
	for method := range paramsOf {
		header, first := session, ""
		if method == "initialize" {
			header, first = "X: none", `"protocolVersion":"2025-11-25",`
		}
		for _, name := range names {
			for _, value := range values {
				if method == listen && value == "{}" || method == "initialize" && name == "protocolVersion" {
					continue // a stream, and a member that would be there twice
				}
				body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + first + `"` + name + `":` + value + `}}`
				if _, got := e.post(body, header); strings.Contains(strings.Join(got, ""), "unmarshal") || strings.Contains(strings.Join(got, ""), `"code":0`) {
					t.Errorf("%s: %q", body, got)
				}
			}
		}
	}
}

// TestStatelessAnswers is like TestHTTPAnswers, for the version without sessions.
func TestStatelessAnswers(t *testing.T) {
	t.Parallel()
	const version = versionHeader + ": 2026-07-28"
	say := func(id, method, members string) string { body, _ := sessionless(id, method, members); return body }
	echo := say("1", "tools/call", `,"name":"test_echo","arguments":{"text":"t"}`)
	encoded := "Mcp-Name: =?base64?" + base64.StdEncoding.EncodeToString([]byte("toy://1")) + "?="
	tests := map[string]struct {
		body   string
		header []string
		status int
		want   string
	}{
		"call":            {echo, []string{version, "Mcp-Method: tools/call", "Mcp-Name: test_echo"}, 200, `{"jsonrpc":"2.0","id":1,"result":`},
		"param twice":     {strings.Replace(echo, `{"text"`, `{"text":"u","text"`, 1), []string{version, "Mcp-Method: tools/call", "Mcp-Name: test_echo"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: arguments.text: appears twice`},
		"session ignored": {echo, []string{version, "Mcp-Method: tools/call", "Mcp-Name: test_echo", sessionHeader + ": none"}, 200, `{"jsonrpc":"2.0","id":1,"result":`},
		"encoded name":    {say("1", "resources/read", `,"uri":"toy://1"`), []string{version, "Mcp-Method: resources/read", encoded}, 200, `{"jsonrpc":"2.0","id":1,"result":`},
		"wrong name":      {echo, []string{version, "Mcp-Method: tools/call", "Mcp-Name: test_slow"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,`},
		"no method named": {echo, []string{version}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,`},
		"no version":      {echo, nil, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,`},
		"older version":   {echo, []string{versionHeader + ": 2025-11-25"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,`},
		"newer version": {strings.Replace(echo, "2026-07-28", "2099-01-01", 1), []string{versionHeader + ": 2099-01-01", "Mcp-Method: tools/call", "Mcp-Name: test_echo"},
			400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,`},
		"nonsense version":   {echo, []string{versionHeader + ": nonsense"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,`},
		"discover":           {say("1", "server/discover", ""), []string{version, "Mcp-Method: server/discover"}, 200, `{"jsonrpc":"2.0","id":1,"result":`},
		"discover unnamed":   {`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, nil, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,`},
		"skills":             {say("1", "skills/list", ""), []string{version, "Mcp-Method: skills/list"}, 200, `{"jsonrpc":"2.0","id":1,"result":`},
		"unknown method":     {say("1", "no/such", ""), []string{version, "Mcp-Method: no/such"}, 404, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method \"no/such\" not found: `},
		"ping":               {say("1", "ping", ""), []string{version, "Mcp-Method: ping"}, 404, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,`},
		"initialize":         {say("1", "initialize", ""), []string{version, "Mcp-Method: initialize"}, 404, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,`},
		"no such tool":       {say("1", "tools/call", `,"name":"none"`), []string{version, "Mcp-Method: tools/call", "Mcp-Name: none"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		"wrong type":         {say("1", "completion/complete", `,"ref":7`), []string{version, "Mcp-Method: completion/complete"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: ref: has the wrong type",`},
		"no capabilities":    {strings.Replace(echo, "clientCapabilities", "other", 1), []string{version, "Mcp-Method: tools/call", "Mcp-Name: test_echo"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		"null id":            {say("null", "tools/list", ""), []string{version, "Mcp-Method: tools/list"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"array":              {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}`, []string{version, "Mcp-Method: tools/list"}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		"batch":              {`[` + echo + `]`, []string{version, "Mcp-Method: tools/call"}, 400, `{"jsonrpc":"2.0","error":{"code":-32600,`},
		"listen to nothing":  {say("1", listen, `,"notifications":{}`), []string{version, "Mcp-Method: " + listen}, 200, `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",`},
		"listen without":     {say("1", listen, ``), []string{version, "Mcp-Method: " + listen}, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		"empty notification": {`{"jsonrpc":"2.0","method":"notifications/initialized"}`, []string{version, "Mcp-Method: notifications/initialized"}, 202, ``},
	}
	e := newEndpoint(t, small)
	for name, tt := range tests {
		status, got := e.post(tt.body, tt.header...)
		answer := strings.Join(got, "\n")
		if status != tt.status || !strings.HasPrefix(answer, tt.want) || (tt.want == "") != (answer == "") {
			t.Errorf("%s: %d %.500s\nwant %d %s", name, status, answer, tt.status, tt.want)
		}
	}
}
