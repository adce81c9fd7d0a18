// Package v2 is the second contract of entities: six tools that read, pages with
// an envelope, and errors with a code and a message. It shows what a backend
// knows in the words of that contract, and checks what a caller asks before the
// backend is asked.
//
// It knows nothing of HTTP, and nothing of the first contract.
package v2

import (
	"context"
	"log/slog"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
	"instruction-catalog/toolsets/entities"
)

// toolset is what the methods share.
type toolset struct {
	backend entities.Backend
	log     *slog.Logger
}

// New returns the toolset. It asks the backend nothing before its first call,
// and logs why a call failed.
func New(backend entities.Backend, log *slog.Logger) rpc.Toolset {
	t := &toolset{backend, log}
	return rpc.Toolset{
		Name:     "entities",
		Contract: rpc.Contract{Version: "2.0", Schemas: schemas.For("entities", "v2")},
		Methods: []rpc.Method{
			t.listProjects(), t.searchEntities(), t.getEntity(), t.getEntityGraph(),
			t.listSearchPerformance(), t.listQuotableBlocks(),
		},
		Guidance: "Entities are the guides, concepts, projects and news of a project. " +
			"list_projects has the projectId that all other tools need.",
		Errors: rpc.CodedShape(badRequest, serverError),
	}
}

// declare completes what all methods have in common.
func declare[P, R any](t *toolset, tool string, m rpc.Method, handle func(context.Context, P) (R, error)) rpc.Method {
	m.Name, m.Tool = "entities/"+tool, rpc.Tool{Name: tool, Default: true}
	m.Since, m.Stability = "2.0", rpc.Stable
	m.Effect, m.Repeatable, m.Lane = rpc.Reads, true, rpc.Concurrent
	return rpc.Declare(m, func(ctx context.Context, params P) (R, error) {
		ctx, cancel := context.WithTimeout(ctx, entities.CallTimeout)
		defer cancel()
		result, err := handle(ctx, params)
		if err != nil {
			err = t.explain(m.Name, err)
		}
		return result, err
	}, nil)
}
