package mcp

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"instruction-catalog/rpc"
)

// errorOf returns the SDK's error as ours.
func errorOf(err error) *rpc.Error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return rpc.BadParam(wrong.Field, "has the wrong type")
	}
	if undecodable(err.Error()) {
		return wrongType(err.Error())
	}
	e := &rpc.Error{Code: rpc.InvalidRequest, Message: rpc.Shorten(err.Error(), maxEcho)}
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	switch {
	case ok:
		e.Code = rpc.Code(wire.Code)
		if len(wire.Data) > 0 {
			e.Data = wire.Data
		}
	case strings.HasSuffix(err.Error(), "is invalid during session initialization"):
		e.Message = "invalid request: there is no session: send initialize first, or name the protocol version in _meta"
	default: // the SDK gives no code to what it refuses by itself
		e.Message = "invalid request: " + e.Message
	}
	return e
}

// maxEcho is how many characters an error of the SDK, or what a client sent, may
// have in an answer.
const maxEcho = 300

// undecodable reports whether the SDK says that params have the wrong type. Only
// after this beginning does it quote what the client sent.
func undecodable(text string) bool {
	_, told, ok := strings.Cut(text, "': ")
	told = strings.TrimPrefix(told, "invalid params: ") // which initialize does not say
	return ok && strings.HasPrefix(text, "handling '") && strings.HasPrefix(told, "unmarshaling ")
}

// wrongType is the error for params of which the SDK says in these words that it
// cannot decode them. What encoding/json tells comes last: before it stands the
// text.
func wrongType(text string) *rpc.Error {
	const told, where = "cannot unmarshal ", "into Go struct field "
	_, field, ok := strings.Cut(text[max(0, strings.LastIndex(text, told)):], where)
	field, _, _ = strings.Cut(strings.TrimPrefix(field, "mcp."), " ")
	_, field, _ = strings.Cut(field, ".") // from its type
	if !ok || field == "" {
		return rpc.BadParam("", "these are not the params of this method: see the specification of MCP")
	}
	return rpc.BadParam(field, "has the wrong type")
}

// wireError returns our error as the SDK's.
func wireError(e *rpc.Error) *jsonrpc.Error {
	wire := &jsonrpc.Error{Code: int64(e.Code), Message: e.Message}
	if e.Data != nil {
		wire.Data, _ = json.Marshal(e.Data) // what cannot be encoded is left out
	}
	return wire
}

// explain returns what to tell the client about an error of the library. Only
// an [rpc.Error] is meant for it.
func (s *Server) explain(method string, err error) error {
	if e, ok := errors.AsType[*rpc.Error](err); ok {
		return wireError(e)
	}
	s.config.Log.Error("mcp request failed", "method", method, "error", err)
	return wireError(rpc.Failed("the request failed inside the server; its log has the details"))
}
