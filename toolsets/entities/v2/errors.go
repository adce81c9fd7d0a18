package v2

import (
	"context"
	"errors"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

// The codes of the contract that a call can fail with.
const (
	badRequest   = "BAD_REQUEST"
	unauthorized = "UNAUTHORIZED"
	forbidden    = "FORBIDDEN"
	notFound     = "NOT_FOUND"
	serverError  = "SERVER_ERROR"
)

func newError(kind rpc.Kind, code, message string) *rpc.Error {
	return rpc.NewCoded(kind, code, message, nil)
}

// explain turns an error into one of the contract. Why the backend failed goes
// to the log alone.
func (t *toolset) explain(method string, err error) error {
	if wrong, ok := errors.AsType[*entities.ParamError](err); ok {
		return newError(rpc.Invalid, badRequest, wrong.Error())
	}
	switch {
	case errors.Is(err, entities.ErrProjectNotFound):
		return newError(rpc.NotFound, notFound, "Project not found: list_projects has the projects that there are.")
	case errors.Is(err, entities.ErrEntityNotFound):
		return newError(rpc.NotFound, notFound, "Entity not found in this project: search_entities has those that there are.")
	case errors.Is(err, context.Canceled): // by the caller, who does not wait for the answer
		return newError(rpc.Unavailable, serverError, "The call was cancelled.")
	}
	t.log.Error("the backend of entities failed", "method", method, "error", err)
	switch {
	case errors.Is(err, entities.ErrUnauthorized):
		return newError(rpc.Unavailable, unauthorized, "The backend asks for other credentials: have CATALOG_ENTITIES_TOKEN set to a token that is valid.")
	case errors.Is(err, entities.ErrForbidden):
		return newError(rpc.Unavailable, forbidden, "The backend does not allow this with the credentials that it was given.")
	case errors.Is(err, context.DeadlineExceeded):
		return newError(rpc.Unavailable, serverError, "The backend did not answer within 30 seconds: call again later, or ask for less.")
	}
	return newError(rpc.Unavailable, serverError, "The backend failed: call again later. The log of this server has the cause.")
}
