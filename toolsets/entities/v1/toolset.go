// Package v1 is the first contract of entities: four tools that read, whole
// answers in place of pages, and errors with a code, a message and details. It
// shows what a backend knows in the words of that contract, in the order that it
// promises, and checks what a caller asks before the backend is asked.
//
// It knows nothing of HTTP, and nothing of the second contract.
package v1

import (
	"context"
	"log/slog"
	"strings"

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
	Invalid: "VALIDATION_ERROR", ProjectNotFound: "PROJECT_NOT_FOUND", EntityNotFound: "ENTITY_NOT_FOUND", Failed: "INTERNAL_ERROR",
}

// details name the param that is wrong.
type details struct {
	Field string `json:"field"`
}

// New returns the toolset. It asks the backend nothing before its first call,
// and logs why a call failed.
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

// shape gives the form of the contract to what fails outside the handlers:
// params that break the schema, and a fault of ours.
func (t *toolset) shape(_ context.Context, _ string, e *rpc.Error) *rpc.Error {
	switch data := e.Data.(type) {
	case rpc.Coded:
		return e
	case rpc.ParamIssues:
		param := data.Issues[0].Path
		if i := strings.IndexByte(param, '['); i > 0 { // of an element of a list
			param = param[:i]
		}
		return t.contract.Invalid(param, data.Summary())
	}
	return rpc.NewCoded(rpc.Internal, codes.Failed, "The call failed inside this server; its log has the cause.", nil)
}
