package mcp

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// The SDK misreads messages that JSON-RPC allows but MCP does not. The package rejects them
// before the SDK reads them, both on a pipe and over HTTP.

const (
	listen      = "subscriptions/listen"
	cancelled   = "notifications/cancelled"
	initialized = "notifications/initialized"
)

// check rejects invalid requests that the SDK would accept, or answer with the wrong code.
func check(m rpc.Message) *rpc.Error {
	if strings.HasPrefix(m.Method, "notifications/") {
		return invalidRequest("%s is a notification: send it without an id", m.Method)
	}
	if _, ok := idOf(m.ID); !ok {
		return invalidRequest(badID)
	}
	if len(m.Params) > 0 && m.Params[0] == '[' {
		return rpc.BadParam("", "this method takes its params by name: pass an object, not an array")
	}
	if failure := rpc.CheckNames(m.Params); failure != nil {
		return failure
	}
	if m.Method == "initialize" && !namesVersion(m) {
		return rpc.BadParam("protocolVersion", "must be a string, such as \"2025-11-25\"")
	}
	return nil
}

const badID = "id must be a string or an integer of at most 2^53"

// idOf converts an id to the SDK's type. ok is false if the SDK would not return the id
// unchanged.
func idOf(id json.RawMessage) (_ jsonrpc.ID, ok bool) {
	if n, err := strconv.ParseInt(string(id), 10, 64); err == nil && -1<<53 <= n && n <= 1<<53 {
		made, err := jsonrpc.MakeID(float64(n))
		return made, err == nil
	}
	var name string
	if len(id) == 0 || id[0] != '"' || json.Unmarshal(id, &name) != nil || strings.ContainsRune(name, utf8.RuneError) {
		return jsonrpc.ID{}, false
	}
	made, err := jsonrpc.MakeID(name)
	return made, err == nil
}

// cancels returns the id of the request to cancel from the params of a cancellation.
func cancels(params json.RawMessage) (jsonrpc.ID, bool) {
	var cancelled struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(params, &cancelled) // on an error, RequestID stays nil and idOf returns false
	return idOf(cancelled.RequestID)
}

// object returns params, or an empty object if they are missing or null.
func object(params json.RawMessage) json.RawMessage {
	if len(params) == 0 || string(params) == "null" {
		return json.RawMessage("{}")
	}
	return params
}

// namesVersion reports whether an initialize request has a protocolVersion.
func namesVersion(m rpc.Message) bool {
	var params struct {
		ProtocolVersion *string `json:"protocolVersion"`
	}
	return json.Unmarshal(object(m.Params), &params) == nil && params.ProtocolVersion != nil
}

// isStateless reports whether the _meta of a request names a version without sessions.
func isStateless(m rpc.Message) bool {
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var version string
	if json.Unmarshal(m.Params, &params) == nil {
		_ = json.Unmarshal(params.Meta[mcp.MetaKeyProtocolVersion], &version)
	}
	return version >= stateless
}

func invalidRequest(format string, args ...any) *rpc.Error {
	return &rpc.Error{Code: rpc.InvalidRequest, Message: "invalid request: " + fmt.Sprintf(format, args...)}
}
