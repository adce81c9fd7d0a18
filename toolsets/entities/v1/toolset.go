// Package v1 implements the first contract of entities: four reading tools, complete
// answers without pages, and errors with a code, a message and details. It presents the
// data of a backend in the form and order of that contract, and validates params before
// it calls the backend.
//
// The package does not depend on HTTP or on the second contract.
package v1

import (
	"context"
	"log/slog"
	"strings"

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
	Invalid: "VALIDATION_ERROR", ProjectNotFound: "PROJECT_NOT_FOUND", EntityNotFound: "ENTITY_NOT_FOUND", Failed: "INTERNAL_ERROR",
}

// details names the invalid param.
type details struct {
	Field string `json:"field"`
}

// New returns the toolset. It sends no request to the backend before the first call. It
// logs why calls fail.
func New(backend entities.Backend, log *slog.Logger) rpc.Toolset {
	t := &toolset{backend, &entities.Contract{
		Version: "1.0", Codes: codes, Log: log, Details: func(param string) any { return details{param} },
	}}
	return rpc.Toolset{
		Name:     "entities",
		Contract: rpc.Contract{Version: t.contract.Version, Schemas: schemas.For("entities", "v1")},
		Methods:  []rpc.Method{t.listProjects(), t.searchEntities(), t.getEntity(), t.getEntityGraph()},
		Guidance: "Entities are the guides, concepts, projects and news of a project. " +
			"list_projects has the projectId that all other tools need.",
		Errors: t.shape,
	}
}

// shape converts errors from outside the handlers to the form of the contract: params
// that violate the schema, and internal errors.
func (t *toolset) shape(_ context.Context, _ string, e *rpc.Error) *rpc.Error {
	switch data := e.Data.(type) {
	case rpc.Coded:
		return e
	case rpc.ParamIssues:
		param := data.Issues[0].Path
		if i := strings.IndexByte(param, '['); i > 0 { // element of a list
			param = param[:i]
		}
		return t.contract.Invalid(param, data.Summary())
	}
	return rpc.NewCoded(rpc.Internal, codes.Failed, "The call failed inside this server; its log has the cause.", nil)
}
