package tools

import (
	"context"
	"errors"
	"strings"

	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/rpc"
)

// similar is a note found by its meaning.
type similar struct {
	node
	Score float32 `json:"score"`
}

func (t *toolset) search() rpc.Method {
	m := rpc.Method{
		Name: "notes/search", Tool: rpc.Tool{Name: "search", Default: true},
		Title:   "Search notes by meaning",
		Summary: "Semantic similarity search.",
		Doc: "There is this tool only where the server has an embedder. A node counts as similar as the passage of it that is most " +
			"so; the best are answered however little that is, those with the same score by ID. After a start or a change it may " +
			"take up to 10 seconds until a node is found.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Repeatable: true, Lane: rpc.Concurrent,
	}
	return rpc.Declare(m, func(ctx context.Context, p searchParams) (*list[similar], error) {
		if strings.TrimSpace(p.Query) == "" {
			return nil, invalid("query is blank: say what to look for")
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		s, err := t.Vault.Snapshot(ctx)
		if err != nil {
			return nil, t.explain(m.Name, err)
		}
		matches, err := t.Vectors.Search(ctx, s.Documents(), p.Query, orDefault(p.Limit, 10))
		if err != nil {
			return nil, t.explainEmbedder(err)
		}
		found := newList[similar](t, s, len(s.Notes()))
		for _, match := range matches {
			n := s.Notes()[match.Position]
			found.add(n, similar{t.newNode(s, n, listContent), match.Score})
		}
		return found, nil
	}, nil)
}

// explainEmbedder converts an error from the embedder to one of the contract. The cause
// goes only to the log.
func (t *toolset) explainEmbedder(err error) error {
	if errors.Is(err, context.Canceled) { // the client no longer waits for the answer
		return newError(rpc.Unavailable, providerError, "The call was cancelled.")
	}
	t.Log.Error("the embedder of the notes failed", "error", err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return newError(rpc.Unavailable, providerError, "The embedder did not answer within 30 seconds: call again later, or use search_text.")
	case errors.As(err, new(*vectors.LengthError)):
		return newError(rpc.Unavailable, providerError, "The embedder sends other vectors than it did before: the log of this server says what to do. Use search_text.")
	}
	return newError(rpc.Unavailable, providerError, "The embedder does not answer as it should: see that it runs, and call again, or use search_text. "+
		"The log of this server has the cause.")
}
