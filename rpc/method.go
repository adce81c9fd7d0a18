package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"instruction-catalog/schemas"
)

// Effect says what a call of a method leaves behind. The zero Effect is
// invalid, so that nobody forgets to decide.
type Effect uint8

// The effects.
const (
	_      Effect = iota
	Reads         // nothing
	Counts        // a count in memory
	Writes        // something that outlives the process
)

func (e Effect) String() string {
	return [...]string{"", "reads", "counts", "writes"}[min(e, Writes)]
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
	Name      string // "instructions/get"
	Title     string // for a menu, "Get an instruction"
	Summary   string // one line
	Doc       string // what a caller needs to know beyond the schema, in Markdown
	Since     string // the contract version that introduced it, "1.0"
	Stability Stability
	Effect    Effect
	Slow      bool // may take long: runs beside other calls and holds none of them up
	Tool      Tool // how it looks to an agent

	// Listen returns who hears what is in an array of the params while they are
	// checked, if it may be long, or nil if nobody can listen now. Params that
	// have a method Hear(Listener) are then told who heard it. Nil for nobody, as
	// it must be where Slow is set.
	Listen func() Listener

	params, result reflect.Type
	handle         func(context.Context, json.RawMessage, Listener) (any, error)
	contract       *schemas.Method
}

// Declare completes the declaration m with a handler. P and R are structs
// whose JSON members are exactly the properties of the method's schema; the
// registry refuses anything else. The handler gets params that are valid
// under the schema. Params that may be long implement [json.Unmarshaler]: they
// are then given the text itself, which has been checked, in no more walks than
// they take. The handler returns an [*Error] to say something to the caller;
// any other error is logged and hidden behind [InternalError].
func Declare[P, R any](m Method, handle func(context.Context, P) (R, error)) Method {
	m.params, m.result = reflect.TypeFor[P](), reflect.TypeFor[R]()
	m.handle = func(ctx context.Context, raw json.RawMessage, heard Listener) (any, error) {
		var params P
		if err := decode(raw, &params); err != nil {
			return nil, fmt.Errorf("params that fit the schema do not fit %T: %w", params, err)
		}
		if told, ok := any(&params).(interface{ Hear(Listener) }); ok && heard != nil {
			told.Hear(heard)
		}
		return handle(ctx, params)
	}
	return m
}

// decode is json.Unmarshal, without its two walks over the text before it calls
// a type that decodes itself: the text has been checked.
func decode(raw json.RawMessage, params any) error {
	if own, ok := params.(json.Unmarshaler); ok {
		return own.UnmarshalJSON(raw)
	}
	return json.Unmarshal(raw, params)
}

// Listener hears an array of params while they are checked; see [Method].
type Listener = schemas.Listener

func (m *Method) listener() Listener {
	if m.Listen == nil {
		return nil
	}
	return m.Listen()
}

// Schema returns the method's part of the contract.
func (m *Method) Schema() *schemas.Method { return m.contract }
