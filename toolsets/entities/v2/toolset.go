// Package v2 is the second contract of entities: six tools that read, pages with
// an envelope, and errors with a code and a message. It shows what a backend
// knows in the words of that contract, and checks what a caller asks before the
// backend is asked.
//
// It knows nothing of HTTP, and nothing of the first contract.
package v2

import (
	"log/slog"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
	"instruction-catalog/toolsets/entities"
)

// toolset is what the methods share.
type toolset struct {
	backend  entities.Backend
	contract *entities.Contract
}

// codes are those of the contract.
var codes = entities.Codes{
	Invalid: "BAD_REQUEST", ProjectNotFound: "NOT_FOUND", EntityNotFound: "NOT_FOUND",
	Unauthorized: "UNAUTHORIZED", Forbidden: "FORBIDDEN", Failed: "SERVER_ERROR",
}

// New returns the toolset. It asks the backend nothing before its first call,
// and logs why a call failed.
func New(backend entities.Backend, log *slog.Logger) rpc.Toolset {
	t := &toolset{backend, &entities.Contract{Version: "2.0", Codes: codes, Log: log}}
	return rpc.Toolset{
		Name:     "entities",
		Contract: rpc.Contract{Version: t.contract.Version, Schemas: schemas.For("entities", "v2")},
		Methods: []rpc.Method{
			t.listProjects(), t.searchEntities(), t.getEntity(), t.getEntityGraph(),
			t.listSearchPerformance(), t.listQuotableBlocks(),
		},
		Guidance: "Entities are the guides, concepts, projects and news of a project. " +
			"list_projects has the projectId that all other tools need.",
		Errors: rpc.CodedShape(codes.Invalid, codes.Failed),
	}
}
