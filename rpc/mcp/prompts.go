package mcp

import (
	"context"

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
