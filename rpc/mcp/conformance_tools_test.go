package mcp

//lint:file-ignore SA1019 The suite tests what the protocol has deprecated, too.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// picture is a PNG of one pixel, sound a WAV of no samples.
var (
	picture = decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")
	sound   = decoded("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=")
)

func decoded(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

// addFixtureTool adds a tool with the schema of its arguments.
func (s *Server) addFixtureTool(name, schema string, call mcp.ToolHandler) {
	s.sdk.AddTool(&mcp.Tool{Name: name, Description: "Is for a test.", InputSchema: json.RawMessage(schema)}, call)
}

// free is the schema of arguments that may be anything.
const free = `{"type": "object"}`

func says(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// addContentTools adds the tools whose results are more than a text.
func (s *Server) addContentTools() {
	for name, content := range map[string][]mcp.Content{
		"test_image_content":     {&mcp.ImageContent{MIMEType: "image/png", Data: picture}},
		"test_audio_content":     {&mcp.AudioContent{MIMEType: "audio/wav", Data: sound}},
		"test_embedded_resource": {embedded("test://embedded-resource")},
		"test_multiple_content_types": {
			&mcp.TextContent{Text: "Several."}, &mcp.ImageContent{MIMEType: "image/png", Data: picture}, embedded("test://mixed"),
		},
	} {
		s.addFixtureTool(name, free, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content}, nil
		})
	}
}

// addAskingTools adds the tools that turn to the client during a call, as the
// versions with sessions have it.
func (s *Server) addAskingTools() {
	s.addFixtureTool("test_tool_with_logging", free, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, step := range []string{"begun", "under way", "done"} {
			if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: step}); err != nil {
				return nil, err
			}
			time.Sleep(50 * time.Millisecond) // as the suite wants it
		}
		return says("Three steps."), nil
	})
	s.addFixtureTool("test_sampling", `{"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]}`,
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var arguments struct{ Prompt string }
			if err := json.Unmarshal(req.Params.Arguments, &arguments); err != nil {
				return nil, err
			}
			answer, err := req.Session.CreateMessage(ctx, completion(arguments.Prompt))
			if err != nil {
				return nil, err
			}
			return says(fmt.Sprintf("The model is %s.", answer.Model)), nil
		})
	for name, properties := range elicitations {
		s.addFixtureTool(name, free, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, err := req.Session.Elicit(ctx, &mcp.ElicitParams{
				Message: "Tell.", RequestedSchema: json.RawMessage(`{"type": "object", "properties": {` + properties + `}}`),
			})
			if err != nil {
				return nil, err
			}
			return says(fmt.Sprint(answer.Action, " ", answer.Content)), nil
		})
	}
}

// elicitations are the properties that tools ask for: plain ones, such with
// defaults (SEP-1034), and every form of an enum (SEP-1330).
var elicitations = map[string]string{
	"test_elicitation": `"username": {"type": "string"}, "email": {"type": "string"}`,
	"test_elicitation_sep1034_defaults": `
		"name": {"type": "string", "default": "John Doe"},
		"age": {"type": "integer", "default": 30},
		"score": {"type": "number", "default": 95.5},
		"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
		"verified": {"type": "boolean", "default": true}`,
	"test_elicitation_sep1330_enums": `
		"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
		"titledSingle": {"type": "string", "oneOf": [
			{"const": "value1", "title": "One"}, {"const": "value2", "title": "Two"}, {"const": "value3", "title": "Three"}]},
		"legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
		"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
		"titledMulti": {"type": "array", "items": {"anyOf": [
			{"const": "value1", "title": "One"}, {"const": "value2", "title": "Two"}, {"const": "value3", "title": "Three"}]}}`,
}

// addWatchingTools adds the tools that a stateless client provokes the server
// with (SEP-2575).
func (s *Server) addWatchingTools() {
	s.addFixtureTool("test_missing_capability", free, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if c := req.ClientCapabilities(); c != nil && c.Sampling != nil {
			return says("The client can sample."), nil
		}
		data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
			RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
		})
		if err != nil {
			return nil, err
		}
		return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "sampling is required", Data: data}
	})
	s.addFixtureTool("test_logging_tool", free, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return says("Logged, if that was wanted."), req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "x"})
	})
	s.addFixtureTool("test_streaming_elicitation", free, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"user_name": ask("Who are you?", "name")}}, nil
	})
	s.addFixtureTool("test_trigger_tool_change", free, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.addFixtureTool("test_simple_text_again", free, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return says("A simple text."), nil
		})
		return says("There is a new tool."), nil
	})
	s.addFixtureTool("test_trigger_prompt_change", free, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.changed(s.config.Registry.Toolsets()[0], nil) // as the toolset tells of it
		return says("There are other prompts."), nil
	})
}

// addRoundTripTools adds the tools that return questions instead of a result
// and are called again with the answers (SEP-2322).
func (s *Server) addRoundTripTools() {
	for name, t := range roundTrips {
		s.addFixtureTool("test_input_required_result_"+name, free, t.call)
	}
	s.addFixtureTool("test_input_required_result_multi_round", free, twoRounds)
	s.addFixtureTool("test_input_required_result_capabilities", free, askWhatTheyCan)
}

// roundTrip is a tool that asks once.
type roundTrip struct {
	questions mcp.InputRequestMap
	state     string // sealed, and demanded back; "" for none
}

var roundTrips = map[string]roundTrip{
	"elicitation":    {questions: mcp.InputRequestMap{"user_name": ask("Who are you?", "name")}},
	"sampling":       {questions: mcp.InputRequestMap{"capital_question": completion("What is the capital of France?")}},
	"list_roots":     {questions: mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}},
	"request_state":  {questions: mcp.InputRequestMap{"confirm": ask("Sure?", "ok")}, state: "asked"},
	"tampered_state": {questions: mcp.InputRequestMap{"confirm": ask("Sure?", "ok")}, state: "asked"},
	"multiple_inputs": {state: "asked", questions: mcp.InputRequestMap{
		"user_name": ask("Who are you?", "name"), "greeting": completion("Greet."), "client_roots": &mcp.ListRootsParams{},
	}},
}

func (t roundTrip) call(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if carried := req.Params.RequestState; carried != "" {
		if state, ok := unsealed(carried); !ok || state != t.state {
			return nil, wireError(rpc.BadParam("requestState", "is not the one that was given"))
		}
	}
	told := "state-ok" // a word that the suite looks for
	for _, name := range slices.Sorted(maps.Keys(t.questions)) {
		answer, ok := answered(t.questions[name], req.Params.InputResponses, name)
		if !ok {
			return t.ask(), nil
		}
		told += " " + answer
	}
	return says(told), nil
}

func (t roundTrip) ask() *mcp.CallToolResult {
	r := &mcp.CallToolResult{InputRequests: maps.Clone(t.questions)}
	if t.state != "" {
		r.RequestState = sealed(t.state)
	}
	return r
}

// twoRounds asks for a name, then for a colour, and keeps the name in the
// state that the client carries.
func twoRounds(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	state, ok := unsealed(req.Params.RequestState)
	if req.Params.RequestState == "" {
		return roundTrip{mcp.InputRequestMap{"step1": ask("Who are you?", "name")}, "begun"}.ask(), nil
	}
	if !ok {
		return nil, wireError(rpc.BadParam("requestState", "is not the one that was given"))
	}
	if name, ok := elicited(req.Params.InputResponses, "step1", "name"); ok && state == "begun" {
		return roundTrip{mcp.InputRequestMap{"step2": ask("Which colour?", "color")}, "name " + name}.ask(), nil
	}
	color, _ := elicited(req.Params.InputResponses, "step2", "color")
	return says(strings.TrimPrefix(state, "name ") + " likes " + color), nil
}

// askWhatTheyCan asks only what the client has said that it can answer.
func askWhatTheyCan(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	r := &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}}
	c := req.ClientCapabilities()
	if c != nil && c.Elicitation != nil {
		r.InputRequests["user_name"] = ask("Who are you?", "name")
	}
	if c != nil && c.Sampling != nil {
		r.InputRequests["greeting"] = completion("Greet.")
	}
	if len(r.InputRequests) == 0 || len(req.Params.InputResponses) > 0 {
		return says("Nothing more to ask."), nil
	}
	return r, nil
}

// ask is a question for one property. It is a string unless the answer is yes
// or no.
func ask(message, property string) *mcp.ElicitParams {
	kind := "string"
	if property == "ok" {
		kind = "boolean"
	}
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(fmt.Sprintf(
		`{"type": "object", "properties": {%q: {"type": %q}}, "required": [%[1]q]}`, property, kind))}
}

// completion is a question for the client's model.
func completion(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{
		{Role: "user", Content: &mcp.TextContent{Text: prompt}},
	}}
}

// elicited returns the property that a user was asked for.
func elicited(responses mcp.InputResponseMap, name, property string) (string, bool) {
	r, ok := responses[name].(*mcp.ElicitResult)
	if !ok || r.Action != "accept" || r.Content[property] == nil {
		return "", false
	}
	return fmt.Sprint(r.Content[property]), true
}

// answered returns the answer to a question as a text; not ok where there is
// none, or one of another kind.
func answered(question mcp.InputRequest, responses mcp.InputResponseMap, name string) (string, bool) {
	switch r := responses[name].(type) {
	case *mcp.ElicitResult:
		_, asked := question.(*mcp.ElicitParams)
		return fmt.Sprint(r.Content), asked && r.Action == "accept" && len(r.Content) > 0
	case *mcp.CreateMessageWithToolsResult:
		_, asked := question.(*mcp.CreateMessageParams)
		return r.Model, asked
	case *mcp.ListRootsResult:
		_, asked := question.(*mcp.ListRootsParams)
		return fmt.Sprint(len(r.Roots)), asked
	}
	return "", false
}
