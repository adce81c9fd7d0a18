package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"instruction-catalog/schemas"
)

// Effect is the lasting effect of a call of a method. The zero Effect is invalid, so that
// every method has to state one.
type Effect uint8

// The effects.
const (
	_       Effect = iota
	Reads          // changes nothing
	Counts         // increments a usage count
	Creates        // adds persistent data
	Updates        // changes persistent data
	Deletes        // deletes persistent data
)

func (e Effect) String() string {
	return [...]string{"", "reads", "counts", "creates", "updates", "deletes"}[min(e, Deletes)]
}

// Lane determines which other calls of a session a call may run concurrently with.
type Lane uint8

// The lanes.
const (
	// Inline calls are answered before the next message is handled. Use it for answers
	// from memory.
	Inline Lane = iota
	// Ordered calls of one toolset run one after the other, concurrently with all other
	// calls, and can be cancelled. Use it for calls that wait for a disk or a database.
	// [Toolset.BlockedAfter] limits how long a call that reads waits for earlier calls.
	Ordered
	// Concurrent calls run concurrently with all other calls. Use it for calls that may
	// take long.
	Concurrent
	// Yielding calls run like inline calls until they call [Yield]. From then on, later
	// messages are handled concurrently. Use it for calls that rarely have to wait for
	// another process.
	Yielding
	// Open calls are answered when the client ends them or the session ends. Only a
	// [Protocol] uses this lane; methods must not.
	Open
)

func (l Lane) String() string {
	return [...]string{"inline", "ordered", "concurrent", "yielding", "open"}[min(l, Open)]
}

// Stability states how far a caller may rely on a method.
type Stability string

// The stabilities.
const (
	Experimental Stability = "experimental" // may change without notice
	Stable       Stability = "stable"       // changes only as the contract's versioning allows
	Deprecated   Stability = "deprecated"   // works, but will be removed
)

// Method is the declaration of a method of the contract. Dispatch, metrics, documentation
// and discovery all use this value. Create it with [Declare].
type Method struct {
	Name       string // "instructions/get"
	Title      string // for menus, "Get an instruction"
	Summary    string // one line
	Doc        string // what a caller needs to know beyond the schema, in Markdown
	Since      string // the contract version that introduced it, "1.0"
	Stability  Stability
	Effect     Effect
	Repeatable bool // the method is idempotent: repeating a call has no further effect
	Lane       Lane
	Tool       Tool // how the method is offered to agents

	// UserParam is the name of a param that is set to the authenticated user of the call,
	// [Caller.User], or "" if there is no such param. Schemas that clients see omit the
	// param. A call that passes another user is an error.
	UserParam string

	// ChecksParams means that the handler checks the params, by rules that a schema
	// cannot express. Clients see the schema, but the registry does not enforce it. The
	// handler's type for params is then [json.RawMessage]; it may hold any JSON value.
	ChecksParams bool

	params, result reflect.Type
	handle         func(ctx context.Context, params []json.RawMessage) (value any, text func() string, err error)
	hasText        bool
	contract       *schemas.Method
	toolset        *Toolset
}

// Declare returns the declaration m with a handler. The JSON members of P and R must be
// exactly the properties of the method's schema; [Registry.Conforms] checks this. The
// handler gets params that are valid under the schema, unless m.ChecksParams is set. It
// returns an [*Error] for an error that the caller may see. Any other error is logged,
// and the caller gets an [InternalError] without its message.
//
// text returns the result as text for a model. If text is nil, the model gets the result
// as JSON. text cannot return an error, so the handler must report all errors.
func Declare[P, R any](m Method, handle func(context.Context, P) (R, error), text func(P, R) string) Method {
	m.params, m.result = reflect.TypeFor[P](), reflect.TypeFor[R]()
	m.hasText = text != nil
	m.handle = func(ctx context.Context, raws []json.RawMessage) (any, func() string, error) {
		var params P
		for _, raw := range raws { // members of later objects override earlier ones
			if err := jsonv2.Unmarshal(raw, &params, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
				return nil, nil, fmt.Errorf("params that match the schema do not match %T: %w", params, err)
			}
		}
		result, err := handle(ctx, params)
		return result, func() string { return text(params, result) }, err
	}
	return m
}

// Toolset returns the toolset that the method belongs to. The caller must not
// change it.
func (m *Method) Toolset() *Toolset { return m.toolset }

// Schema returns the schemas of the method from the contract.
func (m *Method) Schema() *schemas.Method { return m.contract }
