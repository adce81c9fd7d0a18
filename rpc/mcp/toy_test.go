package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/stdio"
	"instruction-catalog/schemas"
)

// toy is a registry of methods that each do one thing, and a library of texts
// of which one fails and one panics.
type toy struct {
	registry *rpc.Registry
	tools    ToolChoice
	log      *slog.Logger
	started  chan struct{} // gets a value when test/slow begins
	release  chan struct{} // lets test/slow return
	count    atomic.Int64
	changed  func(uris []string) // tells of changes
}

type echo struct {
	Text string `json:"text"`
}

type nothing struct{}

type number struct {
	N rpc.Integer `json:"n"`
}

type listed struct {
	Limit rpc.Integer `json:"limit"`
}

type listing struct {
	Items []string `json:"items"`
}

func newToy(t testing.TB) *toy {
	t.Helper()
	contract, err := schemas.Load(fstest.MapFS{
		"test.echo.json":  document("test/echo", `"text": {"type": "string", "description": "What to say."}`, `"text": {"type": "string", "description": "m"}`),
		"test.slow.json":  document("test/slow", `"text": {"type": "string", "description": "p"}`, `"text": {"type": "string", "description": "m"}`),
		"test.panic.json": document("test/panic", ``, `"text": {"type": "string", "description": "m"}`),
		"test.fail.json":  document("test/fail", ``, `"text": {"type": "string", "description": "m"}`),
		"test.count.json": document("test/count", ``, `"n": {"type": "integer", "description": "m"}`),
		"test.list.json": document("test/list", `"limit": {"type": "integer", "minimum": 1, "description": "Most."}`,
			`"items": {"type": "array", "description": "m", "items": {"type": "string"}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	y := &toy{started: make(chan struct{}, 1), release: make(chan struct{}), tools: DefaultTools, log: slog.New(slog.DiscardHandler)}
	y.registry = rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	if err := y.registry.Add(rpc.Toolset{
		Name: "test", Contract: rpc.Contract{Version: "1.0", Schemas: contract}, Methods: y.methods(),
		Resources: shelves{}, Prompts: shelves{}.Prompts(), Skills: shelves{},
		OnChange: func(tell func([]string)) { y.changed = tell },
		Guidance: "Play.", GuidanceWithoutTools: "Play.",
	}); err != nil {
		t.Fatal(err)
	}
	return y
}

func document(title, params, result string) *fstest.MapFile {
	return &fstest.MapFile{Data: fmt.Appendf(nil, `{
		"$schema": "http://json-schema.org/draft-07/schema#",
		"$id": "catalog:///v1/%s.json", "title": %q, "description": "d", "type": "object",
		"required": ["params", "result"],
		"properties": {
			"params": {"type": "object", "description": "p", "additionalProperties": false, "properties": {%s}},
			"result": {"type": "object", "description": "r", "additionalProperties": false, "properties": {%s}}
		}}`, strings.ReplaceAll(title, "/", "."), title, params, result)}
}

func (y *toy) methods() []rpc.Method {
	return []rpc.Method{
		declare("test/echo", rpc.Reads, rpc.Inline, rpc.Tool{
			Default: true,
		}, func(_ context.Context, p echo) (echo, error) { return p, nil },
			func(p, _ echo) string { return "You said: " + p.Text }),
		declare("test/slow", rpc.Reads, rpc.Concurrent, rpc.Tool{Default: true}, y.slow, nil),
		declare("test/panic", rpc.Reads, rpc.Inline, rpc.Tool{Default: true},
			func(context.Context, nothing) (echo, error) { panic("secret") }, nil),
		declare("test/fail", rpc.Updates, rpc.Inline, rpc.Tool{},
			func(context.Context, nothing) (echo, error) { return echo{}, io.ErrClosedPipe }, nil),
		declare("test/count", rpc.Counts, rpc.Inline, rpc.Tool{Default: true}, func(context.Context, nothing) (number, error) {
			return number{rpc.Integer(y.count.Add(1))}, nil
		}, nil),
		declare("test/list", rpc.Reads, rpc.Inline, rpc.Tool{
			Default: true, Defaults: json.RawMessage(`{"limit":8}`), Budget: rpc.Budget{Bytes: 600, UnlessGiven: []string{"limit"}},
		}, func(ctx context.Context, p listed) (listing, error) {
			for limit := int(p.Limit); ; limit /= 2 {
				l := listing{slices.Repeat([]string{strings.Repeat("x", 40)}, limit)}
				text, err := json.Marshal(l)
				budget := rpc.BudgetOf(ctx)
				if budget == 0 || limit <= 1 || (rpc.Answer{Result: rpc.JSON{text}, Text: string(text)}).Size() <= budget {
					return l, err
				}
			}
		}, nil),
	}
}

// slow waits until it is released or cancelled, and tells how far it is.
func (y *toy) slow(ctx context.Context, p echo) (echo, error) {
	progress := rpc.ProgressOf(ctx)
	progress(0, 2)
	y.started <- struct{}{}
	select {
	case <-y.release:
	case <-ctx.Done():
		return echo{}, ctx.Err()
	}
	progress(2, 2)
	return p, nil
}

func declare[P, R any](name string, effect rpc.Effect, lane rpc.Lane, tool rpc.Tool, handle func(context.Context, P) (R, error), text func(P, R) string) rpc.Method {
	return rpc.Declare(rpc.Method{
		Name: name, Title: "T " + name, Summary: "S " + name, Doc: "d", Since: "1.0", Stability: rpc.Stable,
		Effect: effect, Lane: lane, Tool: tool,
	}, handle, text)
}

func (y *toy) protocol() *Server {
	s, err := New(Config{Registry: y.registry, Name: "toy", Title: "Toy", Version: "1.2.3", Tools: y.tools, Log: y.log})
	if err != nil {
		panic(err) // no method has a name of MCP
	}
	return s
}

func (y *toy) server() *stdio.Server {
	return &stdio.Server{
		Registry: y.registry, Protocol: y.protocol(), Log: slog.New(slog.DiscardHandler),
		MaxLine: stdio.DefaultMaxLine, Grace: time.Minute,
	}
}

// serve returns what the server answers to the input, which then ends.
func (y *toy) serve(t testing.TB, input string) string {
	t.Helper()
	var out strings.Builder
	if err := y.server().Serve(t.Context(), strings.NewReader(input), &out); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	return out.String()
}

// shelves has five notes, of which a page holds two, and two prompts.
type shelves struct{}

func (shelves) Resources(_ context.Context, cursor string) ([]rpc.Resource, string, error) {
	from, err := strconv.Atoi(cmp.Or(cursor, "1"))
	if err != nil {
		return nil, "", rpc.BadParam("cursor", "is not one of ours")
	}
	var page []rpc.Resource
	for n := from; n < from+2 && n <= 5; n++ {
		page = append(page, rpc.Resource{
			URI: fmt.Sprintf("toy://%d", n), Name: strconv.Itoa(n), MIMEType: "text/plain", Size: 7,
			Audience: []rpc.Role{rpc.User}, Priority: 0.5, Modified: "2025-01-02T03:04:05Z",
		})
	}
	if from+2 > 5 {
		return page, "", nil
	}
	return page, strconv.Itoa(from + 2), nil
}

func (shelves) Templates() []rpc.Template {
	return []rpc.Template{
		{URI: "toy://index", Name: "index", MIMEType: "text/plain"},
		{URI: "toy://{n}", Name: "note", MIMEType: "text/plain", Variable: "n", Complete: numbers},
	}
}

func numbers(_ context.Context, typed string) (rpc.Completion, error) {
	if typed == "broken" {
		return rpc.Completion{}, errors.New("secret")
	}
	return rpc.Completion{Values: []string{typed + "1", typed + "2"}, Total: 3}, nil
}

func (shelves) Read(_ context.Context, uri string) (rpc.Content, error) {
	switch uri {
	case "toy://panic":
		panic("secret")
	case "toy://fail":
		return rpc.Content{}, errors.New("secret")
	case "toy://none", "toy://nonesuch":
		return rpc.Content{}, rpc.ErrNoResource
	}
	return rpc.Content{URI: uri, MIMEType: "text/plain", Text: "note " + uri}, nil
}

func (shelves) Prompts() []rpc.Prompt {
	return []rpc.Prompt{{
		Name: "greet", Title: "Greet", Description: "Greets.",
		Arguments: []rpc.Argument{{Name: "whom", Description: "Somebody.", Required: true, Complete: numbers}},
		Render: func(_ context.Context, arguments map[string]string) (string, error) {
			if arguments["whom"] == "nobody" {
				return "", rpc.BadParam("whom", "nobody cannot be greeted")
			}
			return "Hello " + arguments["whom"], nil
		},
	}}
}

var toySkill = rpc.Skill{
	URI: "skill://juggle/SKILL.md", Name: "juggle", Description: "Juggles.",
	Files: []rpc.SkillFile{{URI: "skill://juggle/SKILL.md", Digest: "sha256:00", Size: 3}},
}

func (shelves) Skills(context.Context, string) ([]rpc.Skill, string, error) {
	return []rpc.Skill{toySkill}, "", nil
}

func (shelves) Skill(_ context.Context, uri string) (rpc.Skill, error) {
	if uri != toySkill.URI {
		return rpc.Skill{}, rpc.ErrNoResource
	}
	return toySkill, nil
}
