package tools

import (
	"context"
	"errors"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

// Error codes that the contract defines.
const (
	invalidParams = "INVALID_PARAMS"
	providerError = "PROVIDER_ERROR"
)

func newError(kind rpc.Kind, code, message string) *rpc.Error {
	return rpc.NewCoded(kind, code, message, nil)
}

func invalid(message string) *rpc.Error { return newError(rpc.Invalid, invalidParams, message) }

// explain converts an error to one of the contract. The cause of a vault failure goes
// only to the log.
func (t *toolset) explain(method string, err error) error {
	if err == nil {
		return nil
	}
	if said, ok := errors.AsType[*rpc.Error](err); ok {
		return said
	}
	if ambiguous, ok := errors.AsType[*notes.AmbiguousError](err); ok {
		return invalid(ambiguous.Error())
	}
	if unread, ok := errors.AsType[*notes.UnreadError](err); ok {
		t.Log.Error("a note cannot be read", "method", method, "error", err)
		return newError(rpc.Unavailable, providerError, unread.Error())
	}
	switch {
	case errors.Is(err, context.Canceled): // the client no longer waits for the answer
		return newError(rpc.Unavailable, providerError, "The call was cancelled.")
	case errors.Is(err, context.DeadlineExceeded):
		return newError(rpc.Unavailable, providerError, "The notes could not be read within 30 seconds: call again later.")
	}
	t.Log.Error("the vault of notes failed", "method", method, "error", err)
	return newError(rpc.Unavailable, providerError, "The folder of notes cannot be read: see that it is there, and call again. The log of this server has the cause.")
}
