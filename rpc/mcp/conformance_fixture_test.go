package mcp

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

// newFixture returns the product's server with what the conformance suite
// expects of one. What the product can do by itself comes from methods and a
// library; only pictures, sounds and questions to the client, of which it has
// none, are added behind its back.
func newFixture(t testing.TB) *Server {
	t.Helper()
	s, err := New(Config{
		Registry: fixtureRegistry(t), Name: "fixture", Title: "Fixture", Version: "1.2.3",
		Tools: DefaultTools, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.addContentTools()
	s.addAskingTools()
	s.addRoundTripTools()
	s.addWatchingTools()
	s.sdk.AddResource(&mcp.Resource{
		URI: "test://static-binary", Name: "binary", Description: "A picture.", MIMEType: "image/png",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: req.Params.URI, MIMEType: "image/png", Blob: picture},
		}}, nil
	})
	s.addPicturePrompts()
	return s
}

// fixtureRegistry has the tools that are methods like any other.
func fixtureRegistry(t testing.TB) *rpc.Registry {
	t.Helper()
	const said = `"text": {"type": "string", "description": "What is said."}`
	contract, err := schemas.Load(fstest.MapFS{
		"test.simple_text.json":        document("test/simple_text", "", said),
		"test.error_handling.json":     document("test/error_handling", "", said),
		"test.tool_with_progress.json": document("test/tool_with_progress", "", said),
	})
	if err != nil {
		t.Fatal(err)
	}
	tool, text := rpc.Tool{Default: true}, func(_ nothing, r echo) string { return r.Text }
	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	methods := []rpc.Method{
		declare("test/simple_text", rpc.Reads, rpc.Inline, tool, func(context.Context, nothing) (echo, error) {
			return echo{"A simple text."}, nil
		}, text),
		declare("test/error_handling", rpc.Reads, rpc.Inline, tool, func(context.Context, nothing) (echo, error) {
			return echo{}, rpc.Failed("this fails on purpose")
		}, text),
		declare("test/tool_with_progress", rpc.Reads, rpc.Concurrent, tool, func(ctx context.Context, _ nothing) (echo, error) {
			progress := rpc.ProgressOf(ctx)
			for done := 0; done <= 100; done += 50 {
				progress(done, 100)
				time.Sleep(interval) // what is reported sooner is not passed on
			}
			return echo{"All of it."}, nil
		}, text),
	}
	err = registry.Add(rpc.Toolset{
		Guidance: "Test.",
		Name:     "fixture", Contract: rpc.Contract{Version: "1.0", Schemas: contract}, Methods: methods,
		Resources: shelf{}, Prompts: shelf{}.Prompts(), Skills: shelf{},
		OnChange: func(func([]string)) {}, // so that there are subscriptions
	})
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// shelf is a library with the texts and prompts that the suite asks for.
type shelf struct{ shelves }

func (shelf) Resources(context.Context, string) ([]rpc.Resource, string, error) {
	return []rpc.Resource{{
		URI: "test://static-text", Name: "text", Description: "A text.", MIMEType: "text/plain",
		Audience: []rpc.Role{rpc.User, rpc.Assistant}, Priority: 1, Modified: "2025-01-02T03:04:05Z",
	}}, "", nil
}

func (shelf) Templates() []rpc.Template {
	return []rpc.Template{
		{URI: "test://static-text", Name: "text", Description: "A text.", MIMEType: "text/plain"},
		{URI: "test://watched-resource", Name: "watched", Description: "A text to watch.", MIMEType: "text/plain"},
		{URI: "test://template/{id}/data", Name: "data", Description: "Data.", MIMEType: "application/json", Variable: "id", Complete: numbers},
	}
}

func (shelf) Read(_ context.Context, uri string) (rpc.Content, error) {
	switch uri {
	case "test://static-text", "test://watched-resource":
		return rpc.Content{URI: uri, MIMEType: "text/plain", Text: "The text of " + uri}, nil
	}
	id, ok := strings.CutPrefix(uri, "test://template/")
	id, whole := strings.CutSuffix(id, "/data")
	if !ok || !whole {
		return rpc.Content{}, rpc.ErrNoResource
	}
	return rpc.Content{URI: uri, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q}`, id)}, nil
}

func (shelf) Prompts() []rpc.Prompt {
	return []rpc.Prompt{
		{Name: "test_simple_prompt", Description: "A prompt without arguments.",
			Render: func(context.Context, map[string]string) (string, error) { return "Say something.", nil }},
		{Name: "test_prompt_with_arguments", Description: "A prompt with two arguments.",
			Arguments: []rpc.Argument{
				{Name: "arg1", Description: "The first.", Required: true, Complete: numbers},
				{Name: "arg2", Description: "The second.", Required: true},
			},
			Render: func(_ context.Context, a map[string]string) (string, error) {
				return fmt.Sprintf("Say %s and %s.", a["arg1"], a["arg2"]), nil
			}},
	}
}

// addPicturePrompts adds the prompts that are more than a text.
func (s *Server) addPicturePrompts() {
	s.sdk.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "A prompt with a picture."},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
				{Role: "user", Content: &mcp.ImageContent{MIMEType: "image/png", Data: picture}},
				{Role: "user", Content: &mcp.TextContent{Text: "What is this?"}},
			}}, nil
		})
	s.sdk.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_embedded_resource", Description: "A prompt with a resource.",
		Arguments: []*mcp.PromptArgument{{Name: "resourceUri", Description: "Which.", Required: true}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
			{Role: "user", Content: embedded(req.Params.Arguments["resourceUri"])},
			{Role: "user", Content: &mcp.TextContent{Text: "What is this?"}},
		}}, nil
	})
	s.sdk.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "A prompt that asks back."},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			said, ok := elicited(req.Params.InputResponses, "user_context", "context")
			if !ok {
				return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": ask("In which context?", "context")}}, nil
			}
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
				{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprint("The context is ", said)}},
			}}, nil
		})
}

func embedded(uri string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "The text of " + uri}}
}

// sealed returns a state for the client to carry back, which it can read but
// not change.
func sealed(state string) string {
	seal := hmac.New(sha256.New, []byte("the key of the fixture"))
	seal.Write([]byte(state))
	return state + "." + hex.EncodeToString(seal.Sum(nil))
}

// unsealed returns the state that was sealed; not ok where it is another.
func unsealed(carried string) (string, bool) {
	state, _, _ := strings.Cut(carried, ".")
	return state, hmac.Equal([]byte(sealed(state)), []byte(carried))
}
