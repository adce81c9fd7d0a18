package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/rpc/stdio"
	"instruction-catalog/schemas"
)

// withThings returns a server with the toolsets of the toy and of things.
func withThings(t testing.TB, things *rpctest.Things) *Server {
	t.Helper()
	y := newToy(t)
	if err := y.registry.Add(things.Toolset()); err != nil {
		t.Fatal(err)
	}
	return y.protocol()
}

// thing is a call of a tool of the things toolset, with the expected answer.
type thing struct{ tool, arguments, text, structured, isError string }

// trusted are calls of a client that names the user in the params.
var trusted = []thing{
	{"list_things", `{"user_id":"ann"}`, `[]`, `{"result":[]}`, ""},
	{"find_thing", `{"user_id":"ann","name":"cup"}`, `null`, `{"result":null}`, ""},
	{"add_thing", `{"user_id":"ann","name":"cup"}`, `{"name":"cup","owner":"ann"}`, `{"name":"cup","owner":"ann"}`, ""},
	{"find_thing", `{"user_id":"ann","name":"cup"}`, `"ann"`, `{"result":"ann"}`, ""},
	{"list_things", `{"user_id":"ann"}`, `[{"name":"cup","owner":"ann"}]`, `{"result":[{"name":"cup","owner":"ann"}]}`, ""},
	{"add_thing", `{"user_id":"ann","name":"cup"}`, conflictText, conflictText, `,"isError":true`},
	{"add_thing", `{"user_id":"ann"}`, missingText, missingText, `,"isError":true`},
	{"add_thing", `null`, missingAll, missingAll, `,"isError":true`},
}

const (
	conflictText = `{"error":"there is a thing of this name","method":"things/add_thing"}`
	missingText  = `{"error":"invalid params: name: is required","method":"things/add_thing"}`
	missingAll   = `{"error":"invalid params: name: is required","method":"things/add_thing"}`
)

// call returns the request.
func (c thing) call(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, c.tool, c.arguments)
}

// answer returns the expected answer.
func (c thing) answer(id int) string {
	text, _ := json.Marshal(c.text) // a string always can be
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%s}],"structuredContent":%s%s}}`, id, text, c.structured, c.isError)
}

// TestThingsOnThePipe calls tools with names of their own, whose results are not objects and
// whose errors have the toolset's form. It also calls the same methods directly.
func TestThingsOnThePipe(t *testing.T) {
	t.Parallel()
	input, want := strings.TrimSpace(handshake)+"\n", ""
	for i, c := range trusted {
		input += c.call(i) + "\n"
		want += c.answer(i) + "\n"
	}
	input += `{"jsonrpc":"2.0","id":"bare","method":"things/list_things","params":{"user_id":"ann"}}` + "\n"
	want += `{"jsonrpc":"2.0","id":"bare","result":[{"name":"cup","owner":"ann"}]}` + "\n"
	if got := servedFor(t, withThings(t, &rpctest.Things{}), "", input); got != want {
		t.Errorf("answered\n%s\nwant\n%s", got, want)
	}
}

// servedFor returns the answers of a server started for a user to the input in a session,
// without the answer to initialize. It waits for calls outside the inline lane.
func servedFor(t *testing.T, protocol *Server, user, input string) string {
	t.Helper()
	server := &stdio.Server{
		Registry: protocol.config.Registry, Protocol: protocol, Log: slog.New(slog.DiscardHandler), User: user,
		MaxLine: stdio.DefaultMaxLine, Grace: time.Minute,
	}
	c := converse(t, server)
	answers := ""
	for line := range strings.Lines(input) {
		c.send(strings.TrimSpace(line))
		if strings.Contains(line, `"id"`) && c.lines.Scan() && !strings.Contains(line, `"initialize"`) {
			answers += c.lines.Text() + "\n"
		}
	}
	c.end()
	return answers
}

// TestThingsOfTheUser checks that on a pipe started for a user, calls concern that user's
// things, and calls for another user are rejected.
func TestThingsOfTheUser(t *testing.T) {
	t.Parallel()
	calls := []thing{
		{"add_thing", `{"name":"cup"}`, `{"name":"cup","owner":"ann"}`, `{"name":"cup","owner":"ann"}`, ""},
		{"list_things", `{}`, `[{"name":"cup","owner":"ann"}]`, `{"result":[{"name":"cup","owner":"ann"}]}`, ""},
	}
	input, want := handshake, ""
	for i, c := range calls {
		input += c.call(i) + "\n"
		want += c.answer(i) + "\n"
	}
	server := withThings(t, &rpctest.Things{PerUser: true})
	if got := servedFor(t, server, "ann", input); got != want {
		t.Errorf("answered\n%s\nwant\n%s", got, want)
	}
	other := thing{tool: "list_things", arguments: `{"user_id":"bob"}`}
	if got := servedFor(t, server, "ann", handshake+other.call(1)+"\n"); !strings.Contains(got, "user_id: must be the authenticated user") || !strings.Contains(got, `"isError":true`) {
		t.Errorf("somebody else's things: %s", got)
	}
}

// TestThingsAreShown checks the schemas of tools: a schema of the specification is whole,
// except for descriptions of results and the param that the server sets. A result that is
// not an object is wrapped. An error in the toolset's form fits the output schema, which
// clients check.
func TestThingsAreShown(t *testing.T) {
	t.Parallel()
	tools := func(things *rpctest.Things) map[string]string {
		var list struct {
			Result struct {
				Tools []struct {
					Name                      string
					InputSchema, OutputSchema json.RawMessage
				}
			}
		}
		line := servedFor(t, withThings(t, things), "ann", handshake+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n")
		if err := json.Unmarshal([]byte(line), &list); err != nil {
			t.Fatal(err)
		}
		shown := map[string]string{}
		for _, tool := range list.Result.Tools {
			shown[tool.Name+" in"], shown[tool.Name+" out"] = string(tool.InputSchema), string(tool.OutputSchema)
		}
		return shown
	}
	const (
		order = `"limit":{"default":20,"description":"How many at most.","maximum":100,"minimum":1,"type":"integer"},` +
			`"order":{"default":"name","description":"By what they are sorted.","enum":["name","age"],"type":"string"}`
		user = `"user_id":{"description":"Whose they are.","minLength":1,"type":"string"}`
		one  = `{"additionalProperties":false,"properties":{"name":{"type":"string"},"owner":{"type":"string"}},"required":["name","owner"],"type":"object"}`
	)
	orError := func(schema string) string {
		return `{"anyOf":[` + schema + `,{"properties":{"error":{"description":"What is wrong, where the call failed."}},"required":["error"],"type":"object"}],"type":"object"}`
	}
	shown := tools(&rpctest.Things{})
	for name, want := range map[string]string{
		"list_things in":  `{"additionalProperties":false,"properties":{` + order + `,` + user + `},"required":["user_id"],"type":"object"}`,
		"list_things out": orError(`{"additionalProperties":false,"properties":{"result":{"items":` + one + `,"type":"array"}},"required":["result"],"type":"object"}`),
		"add_thing out":   orError(one),
	} {
		if shown[name] != want {
			t.Errorf("%s is shown as\n%s\nwant\n%s", name, shown[name], want)
		}
	}
	shown = tools(&rpctest.Things{PerUser: true})
	for name, want := range map[string]string{
		"list_things in": `{"additionalProperties":false,"properties":{` + order + `},"type":"object"}`,
		"find_thing in":  `{"additionalProperties":false,"properties":{"name":{"description":"What it is called.","pattern":"^[a-z]+$","type":"string"}},"required":["name"],"type":"object"}`,
	} {
		if shown[name] != want {
			t.Errorf("for a user, %s is shown as\n%s\nwant\n%s", name, shown[name], want)
		}
	}
}

// TestOutputOfSeveralForms checks that the output schema of a value that may be an object or
// another type accepts both forms of the result.
func TestOutputOfSeveralForms(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{"type":"object"}`: `{"type":"object"}`,
		`{"type":"string"}`: `{"additionalProperties":false,"properties":{"result":{"type":"string"}},"required":["result"],"type":"object"}`,
		`{"type":["object","null"],"properties":{}}`: `{"anyOf":[{"properties":{},"type":"object"},` +
			`{"additionalProperties":false,"properties":{"result":{"anyOf":[{"properties":{},"type":"null"}]}},"required":["result"],"type":"object"}],"type":"object"}`,
		`{"oneOf":[{"type":"object"},{"type":"null"}]}`: `{"anyOf":[{"type":"object"},` +
			`{"additionalProperties":false,"properties":{"result":{"anyOf":[{"type":"null"}]}},"required":["result"],"type":"object"}],"type":"object"}`,
		`{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`: `{"oneOf":[{"required":["a"]},{"required":["b"]}],"type":"object"}`,
	} {
		var decoded map[string]any
		if err := json.Unmarshal([]byte(schema), &decoded); err != nil {
			t.Fatal(err)
		}
		if got := string(encoded(asObject(decoded))); got != want {
			t.Errorf("%s becomes\n%s\nwant\n%s", schema, got, want)
		}
	}
}

// TestGuidanceOfAll checks that the answer to initialize contains the guidance of all
// toolsets.
func TestGuidanceOfAll(t *testing.T) {
	t.Parallel()
	server := withThings(t, &rpctest.Things{})
	if got := server.library.guidance(true); got != "Play.\n\nThings are kept here." {
		t.Errorf("with tools: %q", got)
	}
	if got := server.library.guidance(false); got != "Play." {
		t.Errorf("without tools: %q", got)
	}
}

// TestNamesOfMCPAreRefused checks that a method whose name belongs to MCP is an error.
func TestNamesOfMCPAreRefused(t *testing.T) {
	t.Parallel()
	contract, err := schemas.Load(fstest.MapFS{"tools.list.json": document("tools/list", "", "")})
	if err != nil {
		t.Fatal(err)
	}
	y := newToy(t)
	method := declare("tools/list", rpc.Reads, rpc.Inline, rpc.Tool{}, func(context.Context, nothing) (nothing, error) { return nothing{}, nil }, nil)
	if err := y.registry.Add(rpc.Toolset{Name: "smith", Contract: rpc.Contract{Version: "1.0", Schemas: contract}, Methods: []rpc.Method{method}}); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Registry: y.registry, Log: y.log}); err == nil || err.Error() != `toolset smith: method "tools/list": MCP needs this name` {
		t.Errorf("a method of MCP: %v", err)
	}
}

// asUser authenticates each request that names a user, in place of a server with tokens.
func asUser(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, user, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		next.ServeHTTP(w, r.WithContext(rpc.WithCaller(r.Context(), rpc.Caller{User: user})))
	})
}

// TestThingsOverHTTP checks that each call has the user of its request, with and without
// sessions, and that other users cannot use a session.
func TestThingsOverHTTP(t *testing.T) {
	t.Parallel()
	e, session := openedFor(t, withThings(t, &rpctest.Things{PerUser: true}), "ann")
	ann, bob := "Authorization: Bearer ann", "Authorization: Bearer bob"

	add := thing{"add_thing", `{"name":"cup"}`, `{"name":"cup","owner":"ann"}`, `{"name":"cup","owner":"ann"}`, ""}
	if status, got := e.post(add.call(1), ann, session); status != http.StatusOK || len(got) != 1 || got[0] != add.answer(1) {
		t.Errorf("in a session: %d %q, want %s", status, got, add.answer(1))
	}
	list := thing{"list_things", `{}`, "", "", ""}
	for _, other := range []string{bob, "X-Nobody: 1"} {
		if status, got := e.post(list.call(2), other, session); status != http.StatusForbidden || strings.Contains(fmt.Sprint(got), "cup") {
			t.Errorf("%s in the session of ann: %d %q", other, status, got)
		}
	}
	for user, want := range map[string]string{ann: `{"result":[{"name":"cup","owner":"ann"}]}`, bob: `{"result":[]}`} {
		body, header := sessionless("3", "tools/call", `,"name":"list_things","arguments":{}`)
		status, got := e.post(body, append(header, user, nameHeader+": list_things")...)
		if status != http.StatusOK || len(got) != 1 || !strings.Contains(got[0], `"structuredContent":`+want) {
			t.Errorf("%s without a session: %d %q, want %s", user, status, got, want)
		}
	}
	body, header := sessionless("4", "tools/call", `,"name":"list_things","arguments":{}`)
	if _, got := e.post(body, append(header, nameHeader+": list_things")...); !strings.Contains(fmt.Sprint(got), "authenticated user") {
		t.Errorf("nobody: %q", got)
	}
}

// whoCalls returns a call of things/who_calls by a user over a transport.
func whoCalls(user string, via rpc.Transport) thing {
	caller := fmt.Sprintf(`{"user":%q,"via":%q}`, user, via)
	return thing{"who_calls", `{}`, caller, caller, ""}
}

// TestCaller checks the user and the transport of calls: of tools and of methods, on a pipe
// and over HTTP.
func TestCaller(t *testing.T) {
	t.Parallel()
	for _, user := range []string{"ann", ""} {
		server := withThings(t, &rpctest.Things{})
		tool := whoCalls(user, rpc.MCP)
		input := handshake + tool.call(1) + "\n" + `{"jsonrpc":"2.0","id":2,"method":"things/who_calls"}` + "\n"
		want := tool.answer(1) + "\n" + fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"result":{"user":%q,"via":"json-rpc"}}`, user) + "\n"
		if got := servedFor(t, server, user, input); got != want {
			t.Errorf("on the pipe of %q:\n%s\nwant\n%s", user, got, want)
		}
		e, session := openedFor(t, server, user)
		tool = whoCalls(user, rpc.MCPHTTP)
		if _, got := e.post(tool.call(3), "Authorization: Bearer "+user, session); len(got) != 1 || got[0] != tool.answer(3) {
			t.Errorf("over HTTP, %q: %q, want %s", user, got, tool.answer(3))
		}
	}
}

// openedFor serves over HTTP, and returns the header with a session of the user.
func openedFor(t *testing.T, server *Server, user string) (e *endpoint, session string) {
	t.Helper()
	e = &endpoint{t: t, handler: newHandler(server, usual)}
	listening := httptest.NewServer(asUser(e.handler))
	t.Cleanup(listening.Close)
	e.url = listening.URL
	answer := e.send(e.request(t.Context(), http.MethodPost, opening, "Authorization: Bearer "+user))
	messages(t, answer)
	return e, sessionHeader + ": " + answer.Header.Get(sessionHeader)
}

// TestThingsAreAlikeOverHTTP checks that results that are not objects, and errors in the
// toolset's form, are the same over HTTP as on a pipe.
func TestThingsAreAlikeOverHTTP(t *testing.T) {
	t.Parallel()
	e, session := openedFor(t, withThings(t, &rpctest.Things{}), "")
	for i, c := range trusted {
		status, got := e.post(c.call(i), session)
		if status != http.StatusOK || len(got) != 1 || got[0] != c.answer(i) {
			t.Errorf("%s %s: %d %q, want %s", c.tool, c.arguments, status, got, c.answer(i))
		}
	}
}

// TestPagesOfSeveralToolsets checks that lists continue from one toolset to the next, and
// that each text is read from its toolset.
func TestPagesOfSeveralToolsets(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	toolset := (&rpctest.Things{}).Toolset()
	toolset.Resources, toolset.Skills, toolset.Prompts = attic{}, attic{}, []rpc.Prompt{{Name: "tidy"}}
	if err := y.registry.Add(toolset); err != nil {
		t.Fatal(err)
	}
	l := y.protocol().library
	var uris []string
	for cursor, more := "", true; more; more = cursor != "" {
		page, next, err := l.resources(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			uris = append(uris, r.URI)
		}
		cursor = next
	}
	if got := fmt.Sprint(uris); got != "[toy://1 toy://2 toy://3 toy://4 toy://5 attic://1 attic://2]" {
		t.Errorf("listed %s", got)
	}
	for uri, want := range map[string]string{"toy://1": "note toy://1", "attic://1": "dust"} {
		if content, err := l.read(t.Context(), uri); err != nil || content.Text != want {
			t.Errorf("%s: %q, %v", uri, content.Text, err)
		}
	}
	if _, err := l.read(t.Context(), "cellar://1"); !errors.Is(err, rpc.ErrNoResource) {
		t.Errorf("of no toolset: %v", err)
	}
	if skill, err := l.skill(t.Context(), "attic://SKILL.md"); err != nil || skill.Name != "climb" {
		t.Errorf("skill %v, %v", skill, err)
	}
	if got := len(l.prompts()); got != 2 {
		t.Errorf("%d prompts, want 2", got)
	}
	completer, failure := y.protocol().completer(&mcp.CompleteReference{Type: "ref/resource", URI: "attic://{n}"}, "n")
	if failure != nil || completer == nil {
		t.Errorf("no completion: %v", failure)
	}
}

// attic is a library with two texts on a page each, and a skill.
type attic struct{}

func (attic) Resources(_ context.Context, cursor string) ([]rpc.Resource, string, error) {
	if cursor == "" {
		return []rpc.Resource{{URI: "attic://1"}}, "2", nil
	}
	return []rpc.Resource{{URI: "attic://" + cursor}}, "", nil
}

func (attic) Templates() []rpc.Template {
	return []rpc.Template{{URI: "attic://{n}", Name: "attic", Variable: "n", Complete: numbers}}
}

func (attic) Read(_ context.Context, uri string) (rpc.Content, error) {
	return rpc.Content{URI: uri, Text: "dust"}, nil
}

func (attic) Skills(_ context.Context, _ string) ([]rpc.Skill, string, error) { return nil, "", nil }

func (attic) Skill(_ context.Context, uri string) (rpc.Skill, error) {
	if uri != "attic://SKILL.md" {
		return rpc.Skill{}, rpc.ErrNoResource
	}
	return rpc.Skill{URI: uri, Name: "climb"}, nil
}
