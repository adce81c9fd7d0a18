package entities

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"instruction-catalog/rpc"
)

// CallTimeout is the time limit for a call, including all its requests to the backend.
const CallTimeout = 30 * time.Second

// Contract holds what all methods of one published contract share.
type Contract struct {
	Version string
	Codes   Codes
	Log     *slog.Logger // receives the causes of backend failures, which clients do not see

	// Details returns the details of the error for a param. It is nil if the contract
	// has none.
	Details func(param string) any
}

// Codes are the error codes of a contract. If Unauthorized or Forbidden is "", that error
// is reported as Failed.
type Codes struct {
	Invalid, ProjectNotFound, EntityNotFound, Unauthorized, Forbidden, Failed string
}

// Declare completes the declaration of a read-only method. It applies [CallTimeout] and
// converts errors to those of the contract.
func Declare[P, R any](c *Contract, tool string, m rpc.Method, handle func(context.Context, P) (R, error)) rpc.Method {
	m.Name, m.Tool = "entities/"+tool, rpc.Tool{Name: tool, Default: true}
	m.Since, m.Stability = c.Version, rpc.Stable
	m.Effect, m.Repeatable, m.Lane = rpc.Reads, true, rpc.Concurrent
	return rpc.Declare(m, func(ctx context.Context, params P) (R, error) {
		ctx, cancel := context.WithTimeout(ctx, CallTimeout)
		defer cancel()
		result, err := handle(ctx, params)
		if err != nil {
			err = c.explain(m.Name, err)
		}
		return result, err
	}, nil)
}

// Invalid returns the error for a param. If param is "", the error is about the params as
// a whole.
func (c *Contract) Invalid(param, message string) *rpc.Error {
	var details any
	if c.Details != nil && param != "" {
		details = c.Details(param)
	}
	return rpc.NewCoded(rpc.Invalid, c.Codes.Invalid, message, details)
}

// explain converts an error to one of the contract. It logs backend failures.
func (c *Contract) explain(method string, err error) error {
	fail := func(kind rpc.Kind, code, message string) error { return rpc.NewCoded(kind, code, message, nil) }
	if wrong, ok := errors.AsType[*ParamError](err); ok {
		return c.Invalid(wrong.Param, wrong.Error())
	}
	switch {
	case errors.Is(err, ErrProjectNotFound):
		return fail(rpc.NotFound, c.Codes.ProjectNotFound, "Project not found: list_projects lists all projects.")
	case errors.Is(err, ErrEntityNotFound):
		return fail(rpc.NotFound, c.Codes.EntityNotFound, "Entity not found in this project: search_entities lists its entities.")
	case errors.Is(err, context.Canceled): // the client no longer waits for the answer
		return fail(rpc.Unavailable, c.Codes.Failed, "The call was cancelled.")
	}
	c.Log.Error("the backend of entities failed", "method", method, "error", err)
	switch {
	case errors.Is(err, ErrUnauthorized) && c.Codes.Unauthorized != "":
		return fail(rpc.Unavailable, c.Codes.Unauthorized, "The backend rejects the credentials: have CATALOG_ENTITIES_TOKEN set to a valid token.")
	case errors.Is(err, ErrForbidden) && c.Codes.Forbidden != "":
		return fail(rpc.Unavailable, c.Codes.Forbidden, "The backend does not allow this with the configured credentials.")
	case errors.Is(err, context.DeadlineExceeded):
		return fail(rpc.Unavailable, c.Codes.Failed, "The backend did not answer within 30 seconds: call again later, or ask for less.")
	}
	return fail(rpc.Unavailable, c.Codes.Failed, "The backend failed: call again later. The log of this server has the cause.")
}

// EntityParams identify an entity.
type EntityParams struct {
	ProjectID string `json:"projectId"`
	EntityID  string `json:"entityId"`
}

// IDs parses both ids. It returns a [ParamError] if one is invalid.
func (p EntityParams) IDs() (project, entity ID, err error) {
	if project, err = ParseID("projectId", p.ProjectID); err != nil {
		return "", "", err
	}
	entity, err = ParseID("entityId", p.EntityID)
	return project, entity, err
}
