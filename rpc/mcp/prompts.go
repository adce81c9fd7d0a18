package mcp

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

func (s *Server) addPrompts() {
	for _, p := range s.library.prompts() {
		s.sdk.AddPrompt(promptOf(p), func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return s.renderPrompt(ctx, req, p)
		})
	}
}

func promptOf(p rpc.Prompt) *mcp.Prompt {
	prompt := &mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for _, a := range p.Arguments {
		prompt.Arguments = append(prompt.Arguments, &mcp.PromptArgument{
			Name: a.Name, Description: a.Description, Required: a.Required,
		})
	}
	return prompt
}

func (s *Server) renderPrompt(ctx context.Context, req *mcp.GetPromptRequest, p rpc.Prompt) (*mcp.GetPromptResult, error) {
	for _, a := range p.Arguments {
		if a.Required && req.Params.Arguments[a.Name] == "" {
			return nil, wireError(rpc.Missing(a.Name))
		}
	}
	text, err := p.Render(ctx, req.Params.Arguments)
	if err != nil {
		return nil, s.explain("prompts/get", err)
	}
	if failure := rpc.ReserveText(ctx, len(text)); failure != nil {
		return nil, wireError(failure)
	}
	return &mcp.GetPromptResult{
		Description: p.Description,
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
	}, nil
}

// complete suggests values for the argument of a prompt or the variable of a
// resource template.
func (s *Server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	completer, err := s.completer(req.Params.Ref, req.Params.Argument.Name)
	if err != nil {
		return nil, wireError(err)
	}
	values := []string{} // nil would be encoded as null
	var total int
	if completer != nil {
		suggested, err := completer(ctx, req.Params.Argument.Value)
		if err != nil {
			return nil, s.explain("completion/complete", err)
		}
		values = append(values, suggested.Values...)
		total = suggested.Total
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{
		Values: values, Total: total, HasMore: total > len(values),
	}}, nil
}

// completer returns the completer of an argument, or nil if it has none. The error is for an
// unknown prompt, template or argument.
func (s *Server) completer(ref *mcp.CompleteReference, argument string) (rpc.Completer, *rpc.Error) {
	if ref.Type == "ref/prompt" {
		for _, p := range s.library.prompts() {
			if p.Name == ref.Name {
				return completerOf(p, argument)
			}
		}
		return nil, rpc.BadParam("ref.name", fmt.Sprintf("there is no prompt %q: prompts/list lists all prompts", ref.Name))
	}
	for _, t := range s.library.templates() {
		if t.URI == ref.URI && t.Variable == argument {
			return t.Complete, nil
		}
	}
	return nil, rpc.BadParam("ref.uri", fmt.Sprintf("there is no template %q with a variable %q: call resources/templates/list", ref.URI, argument))
}

func completerOf(p rpc.Prompt, argument string) (rpc.Completer, *rpc.Error) {
	for _, a := range p.Arguments {
		if a.Name == argument {
			return a.Complete, nil
		}
	}
	return nil, rpc.BadParam("argument.name", fmt.Sprintf("the prompt %q has no argument %q", p.Name, argument))
}
