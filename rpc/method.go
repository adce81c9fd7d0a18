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

// Effect says what a call of a method leaves behind. The zero Effect is
// invalid, so that the choice cannot be forgotten.
type Effect uint8

// The effects.
const (
	_       Effect = iota
	Reads          // nothing
	Counts         // a count of use
	Creates        // something new that outlives the process
	Updates        // a change to something that outlives the process
	Deletes        // something that outlived the process is gone
)

func (e Effect) String() string {
	return [...]string{"", "reads", "counts", "creates", "updates", "deletes"}[min(e, Deletes)]
}

// Lane says which other calls of a session a call may run beside.
type Lane uint8

// The lanes.
const (
	// Inline calls are answered before the next message is looked at: for
	// answers from memory.
	Inline Lane = iota
	// Ordered calls of one toolset run one after the other, beside everything
	// else, and can be cancelled: for what waits for a disk or a database.
	Ordered
	// Concurrent calls run beside everything and hold nothing up: for what may
	// take long.
	Concurrent
	// Yielding calls are answered as inline ones until they call [Yield]. What follows
	// is then answered before them: for what rarely has to wait for another process.
	Yielding
	// Open calls are answered when the client, or the end of the session, ends
	// them. Only a [Protocol] has such; no method does.
	Open
)

func (l Lane) String() string {
	return [...]string{"inline", "ordered", "concurrent", "yielding", "open"}[min(l, Open)]
}

// Stability says how far a caller may rely on a method.
type Stability string

// The stabilities.
const (
	Experimental Stability = "experimental" // may change without notice
	Stable       Stability = "stable"       // changes only as the contract's versioning allows
	Deprecated   Stability = "deprecated"   // works, and will go
)

// Method is a method of the contract, declared once: dispatch, metrics,
// documentation and discovery all come from this value. Make one with
// [Declare].
type Method struct {
	Name       string // "instructions/get"
	Title      string // for a menu, "Get an instruction"
	Summary    string // one line
	Doc        string // what a caller needs to know beyond the schema, in Markdown
	Since      string // the contract version that introduced it, "1.0"
	Stability  Stability
	Effect     Effect
	Repeatable bool // the same call made twice leaves behind what one does
	Lane       Lane
	Tool       Tool // how it looks to an agent

	// UserParam names the param for the user of a call, if the caller's user decides
	// that. It is filled with [Caller.User] and left out of every schema that is
	// shown; a different value is an error. "" for none.
	UserParam string

	// ChecksParams says that the handler checks the params, by rules that a schema
	// cannot say; the schema is shown and not enforced. P is then
	// [json.RawMessage], and may be any JSON value.
	ChecksParams bool

	params, result reflect.Type
	handle         func(ctx context.Context, params []json.RawMessage) (value any, text func() string, err error)
	hasText        bool
	contract       *schemas.Method
	toolset        *Toolset
}

// Declare completes the declaration m with a handler. P and R are structs
// whose JSON members are exactly the properties of the method's schema; the
// registry refuses anything else. The handler gets params that are valid
// under the schema. It returns an [*Error] to say something to the caller; any
// other error is logged and hidden behind [InternalError].
//
// Text is how the result reads to a model; nil where it reads as JSON. It must
// not fail: what cannot be answered, the handler says.
func Declare[P, R any](m Method, handle func(context.Context, P) (R, error), text func(P, R) string) Method {
	m.params, m.result = reflect.TypeFor[P](), reflect.TypeFor[R]()
	m.hasText = text != nil
	m.handle = func(ctx context.Context, raws []json.RawMessage) (any, func() string, error) {
		var params P
		for _, raw := range raws { // later members replace those before them
			if err := jsonv2.Unmarshal(raw, &params, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
				return nil, nil, fmt.Errorf("params that fit the schema do not fit %T: %w", params, err)
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

// Schema returns the method's part of the contract.
func (m *Method) Schema() *schemas.Method { return m.contract }
