package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Tool says how a method looks to an agent, where that differs from how it
// looks to a program. The zero Tool is a method that agents are offered only
// when all methods are, and whose result they read as JSON.
type Tool struct {
	// Name is what agents call it, where a specification says so; "" for the
	// method's name with underscores, instructions_get for instructions/get.
	Name string
	// Default: an agent is offered this method unless the server is told
	// otherwise.
	Default bool
	// Defaults is an object: what an agent's call means by the params that it
	// leaves out. They must fit the schema of the params.
	Defaults json.RawMessage
	// Within is how many bytes the answer may have, 0 for any number. An answer
	// that is longer is asked for again with half the limit of Defaults, unless
	// the agent named one.
	Within int
	// Text renders the params that were called with and the result for a
	// model to read.
	Text func(params, result json.RawMessage) (string, error)
}

// ToolName is what agents call the method.
func (m *Method) ToolName() string {
	if m.Tool.Name != "" {
		return m.Tool.Name
	}
	return strings.NewReplacer("/", "_", ".", "_").Replace(m.Name)
}

// TextOf makes a [Tool.Text] from a function of decoded params and result. P
// and R need only the members that the text is made of.
func TextOf[P, R any](text func(P, R) string) func(params, result json.RawMessage) (string, error) {
	return func(params, result json.RawMessage) (string, error) {
		var p P
		var r R
		if err := errors.Join(json.Unmarshal(params, &p), json.Unmarshal(result, &r)); err != nil {
			return "", fmt.Errorf("render for a model: %w", err)
		}
		return text(p, r), nil
	}
}

// progressKey is the key of a [Progress] in a context.
type progressKey struct{}

// Progress takes how much of a call is done. Total is 0 where it is not known.
type Progress func(done, total int)

// WithProgress returns a context whose calls report to p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// ProgressOf returns whom a call with this context reports to: somebody, even
// where nobody listens.
func ProgressOf(ctx context.Context) Progress {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok {
		return p
	}
	return func(int, int) {}
}
