package mcp

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// This file, and the handling of text/plain in [answering], work around limitations of the
// SDK (1.8.0). The comments name the SDK's issues.

// carried holds values that are passed with a request through the SDK to [identify]. The SDK
// passes on only the headers of an HTTP request and the result of its own token check
// (modelcontextprotocol/go-sdk#331), so that result contains the values.
type carried struct {
	caller   rpc.Caller
	answers  *rpc.Reservation // for the answers; nil if they are not limited
	deadline time.Time        // zero if the call has none
	yield    func()           // nil if the call cannot yield
	calls    *calls           // the running calls of the HTTP request; nil on a pipe
}

const carriedKey = "catalog"

func (c carried) tokenInfo() *auth.TokenInfo {
	return &auth.TokenInfo{UserID: c.caller.User, Extra: map[string]any{carriedKey: c}}
}

func carriedBy(req mcp.Request) (c carried) {
	if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil {
		c, _ = extra.TokenInfo.Extra[carriedKey].(carried)
	}
	return c
}

type carriedContextKey struct{}

// carrying passes the carried values in the context of a request, and its user, through the
// SDK. The SDK runs its token check only for requests with a token, so carrying sets a dummy
// token.
func carrying(next http.Handler) http.Handler {
	checked := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		c, _ := ctx.Value(carriedContextKey{}).(carried)
		c.caller = rpc.Caller{User: rpc.CallerOf(ctx).User, Via: rpc.MCPHTTP}
		return c.tokenInfo(), nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer checked")
		checked.ServeHTTP(w, r)
	})
}

// paramsOf maps each request method of MCP to a function that decodes its params into the
// SDK's type.
var paramsOf = map[string]func(params []byte) error{
	"completion/complete": decodes[mcp.CompleteParams],
	"initialize":          decodes[mcp.InitializeParams],
	//lint:ignore SA1019 clients of the revisions with sessions still send it
	"logging/setLevel":         decodes[mcp.SetLoggingLevelParams],
	"ping":                     decodes[mcp.PingParams],
	"prompts/get":              decodes[mcp.GetPromptParams],
	"prompts/list":             decodes[mcp.ListPromptsParams],
	"resources/list":           decodes[mcp.ListResourcesParams],
	"resources/read":           decodes[mcp.ReadResourceParams],
	"resources/subscribe":      decodes[mcp.SubscribeParams],
	"resources/templates/list": decodes[mcp.ListResourceTemplatesParams],
	"resources/unsubscribe":    decodes[mcp.UnsubscribeParams],
	"server/discover":          decodes[mcp.DiscoverParams],
	"skills/get":               decodes[getSkillParams],
	"skills/list":              decodes[listSkillsParams],
	listen:                     decodes[mcp.SubscriptionsListenParams],
	"tools/call":               decodes[mcp.CallToolParamsRaw],
	"tools/list":               decodes[mcp.ListToolsParams],
}

func decodes[P any](params []byte) error {
	return json.Unmarshal(params, new(P), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// checkTypes rejects params that the SDK could not decode. The SDK's error would quote all
// params and name Go types (modelcontextprotocol/go-sdk#976).
func checkTypes(m rpc.Message) *rpc.Error {
	decode, known := paramsOf[m.Method]
	if !known || slices.Contains(removed, m.Method) && isStateless(m) {
		return nil // the SDK rejects the method before it decodes the params
	}
	err := decode(object(m.Params))
	if err == nil {
		return nil
	}
	wrong, ok := errors.AsType[*json.SemanticError](err)
	within, nested := errors.AsType[*stdjson.UnmarshalTypeError](err) // from a type with its own UnmarshalJSON
	if !ok || wrong.Err != nil && !nested {
		return rpc.BadParam("", "the params do not match this method: see the MCP specification")
	}
	path := strings.ReplaceAll(string(wrong.JSONPointer), "/", ".")
	if nested && within.Field != "" {
		path += "." + within.Field
	}
	return rpc.BadParam(path[1:], "has the wrong type")
}

// code gives every error of the SDK a code, since the SDK gives none to unexpected errors
// (modelcontextprotocol/go-sdk#976). It also shortens messages that may quote a client.
func code(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err == nil {
			return result, nil
		}
		return nil, wireError(errorOf(err))
	}
}

// errorOf converts an error of the SDK to an [rpc.Error].
func errorOf(err error) *rpc.Error {
	e := &rpc.Error{Code: rpc.InvalidRequest, Message: rpc.Shorten(err.Error(), maxEcho)}
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || wire.Code == 0 {
		e.Message = "invalid request: " + e.Message
		return e
	}
	e.Code = rpc.Code(wire.Code)
	if len(wire.Data) > 0 {
		e.Data = wire.Data
	}
	return e
}

// maxEcho is the maximum length, in characters, of an error of the SDK or of text from a
// client in an answer.
const maxEcho = 300

// checkKnown rejects a method that the SDK does not know. The SDK would answer it with plain
// text (modelcontextprotocol/go-sdk#976).
func checkKnown(m rpc.Message) *rpc.Error {
	if paramsOf[m.Method] != nil {
		return nil
	}
	return &rpc.Error{Code: rpc.MethodNotFound, Message: fmt.Sprintf(
		"method %q not found: this version of MCP has no method of that name", rpc.Shorten(m.Method, maxEcho))}
}

// errNoSession is the answer to a request that needs a session and has none. The SDK's error
// has no code (modelcontextprotocol/go-sdk#976).
var errNoSession = invalidRequest("there is no session: send initialize first, or name the protocol version in _meta")

// needsSession reports whether the SDK accepts a request only after initialize.
func needsSession(method string) bool {
	return method != "server/discover" && !slices.Contains(removed, method)
}

// removed lists the methods that the versions without sessions do not have. The SDK accepts
// them before initialize.
var removed = []string{"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}
