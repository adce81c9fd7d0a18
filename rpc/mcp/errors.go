package mcp

import (
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"instruction-catalog/rpc"
)

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
