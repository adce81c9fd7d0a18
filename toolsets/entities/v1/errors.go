package v1

import (
	"context"
	"errors"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

// The codes of the contract.
const (
	projectNotFound = "PROJECT_NOT_FOUND"
	validationError = "VALIDATION_ERROR"
	entityNotFound  = "ENTITY_NOT_FOUND"
	internalError   = "INTERNAL_ERROR"
)

// details name the param that is wrong.
type details struct {
	Field string `json:"field"`
}

func newError(kind rpc.Kind, code, message string) *rpc.Error {
	return rpc.NewCoded(kind, code, message, nil)
}

// invalid is the error for a param, "" for the params as a whole.
func invalid(param, message string) *rpc.Error {
	if param == "" {
		return newError(rpc.Invalid, validationError, message)
	}
	return rpc.NewCoded(rpc.Invalid, validationError, message, details{param})
}

// explain turns an error into one of the contract. Why the backend failed goes
// to the log alone.
func (t *toolset) explain(method string, err error) error {
	if wrong, ok := errors.AsType[*entities.ParamError](err); ok {
		return invalid(wrong.Param, wrong.Error())
	}
	switch {
	case errors.Is(err, entities.ErrProjectNotFound):
		return newError(rpc.NotFound, projectNotFound, "Project not found: list_projects has the projects that there are.")
	case errors.Is(err, entities.ErrEntityNotFound):
		return newError(rpc.NotFound, entityNotFound, "Entity not found in this project: search_entities has those that there are.")
	case errors.Is(err, context.Canceled): // by the caller, who does not wait for the answer
		return newError(rpc.Unavailable, internalError, "The call was cancelled.")
	}
	t.log.Error("the backend of entities failed", "method", method, "error", err)
	if errors.Is(err, context.DeadlineExceeded) {
		return newError(rpc.Unavailable, internalError, "The backend did not answer within 30 seconds: call again later, or ask for less.")
	}
	return newError(rpc.Unavailable, internalError, "The backend failed: call again later. The log of this server has the cause.")
}

// shape gives the form of the contract to what fails outside the handlers:
// params that break the schema, and a fault of ours.
func shape(_ context.Context, _ string, e *rpc.Error) *rpc.Error {
	switch data := e.Data.(type) {
	case rpc.Coded:
		return e
	case rpc.ParamIssues:
		param := data.Issues[0].Path
		if i := strings.IndexByte(param, '['); i > 0 { // of an element of a list
			param = param[:i]
		}
		return invalid(param, data.Summary())
	}
	return newError(rpc.Internal, internalError, "The call failed inside this server; its log has the cause.")
}
