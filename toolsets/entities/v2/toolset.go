// Package v2 implements the second contract of entities: six reading tools, pages with
// an envelope, and errors with a code and a message. It presents the data of a backend
// in the form of that contract, and validates params before it calls the backend.
//
// The package does not depend on HTTP or on the first contract.
package v2

import (
	"log/slog"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
	"instruction-catalog/toolsets/entities"
)

// toolset is the state that the methods share.
type toolset struct {
	backend  entities.Backend
	contract *entities.Contract
}

// codes are the error codes of the contract.
var codes = entities.Codes{
	Invalid: "BAD_REQUEST", ProjectNotFound: "NOT_FOUND", EntityNotFound: "NOT_FOUND",
	Unauthorized: "UNAUTHORIZED", Forbidden: "FORBIDDEN", Failed: "SERVER_ERROR",
}

// New returns the toolset. It sends no request to the backend before the first call. It
// logs why calls fail.
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
