package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"instruction-catalog/schemas"
)

// Info describes the server in its OpenRPC document.
type Info struct {
	Title, Description string
	Version            string // of the contract
}

// Registry holds the methods and calls them. It is complete once [Registry.Add]
// has returned for the last time, and from then on safe for concurrent use.
type Registry struct {
	contract *schemas.Set
	info     Info
	log      *slog.Logger
	now      func() time.Time
	methods  map[string]*Method
	metrics  map[string]*metric
}

// NewRegistry returns a registry without methods. Panics and hidden errors of
// handlers go to log; now tells the time.
func NewRegistry(contract *schemas.Set, info Info, log *slog.Logger, now func() time.Time) *Registry {
	return &Registry{
		contract: contract,
		info:     info,
		log:      log,
		now:      now,
		methods:  map[string]*Method{},
		metrics:  map[string]*metric{},
	}
}

// Add takes up methods. Its error names every declaration that is incomplete,
// made twice, without a schema, or at odds with its schema.
func (r *Registry) Add(methods ...Method) error {
	var problems []error
	for _, m := range methods {
		if err := r.add(m); err != nil {
			problems = append(problems, fmt.Errorf("method %q: %w", m.Name, err))
		}
	}
	return errors.Join(problems...)
}

func (r *Registry) add(m Method) error {
	if err := m.complete(); err != nil {
		return err
	}
	if _, twice := r.methods[m.Name]; twice {
		return errors.New("declared twice")
	}
	contract, ok := r.contract.Method(m.Name)
	if !ok {
		return errors.New("has no schema")
	}
	m.contract = contract
	if err := m.conforms(); err != nil {
		return err
	}
	r.methods[m.Name] = &m
	r.metrics[m.Name] = &metric{}
	return nil
}

func (m *Method) complete() error {
	switch {
	case m.Name == "" || m.Title == "" || m.Summary == "" || m.Doc == "" || m.Since == "":
		return errors.New("needs a name, a title, a summary, documentation and the version it came with")
	case m.Effect == 0 || m.Effect > Writes:
		return errors.New("needs an effect")
	case !slices.Contains([]Stability{Experimental, Stable, Deprecated}, m.Stability):
		return errors.New("needs a stability")
	case m.handle == nil:
		return errors.New("needs a handler: make it with Declare")
	case m.Tool.Within > 0 && m.Effect != Reads:
		return errors.New("may be called several times for one answer, by Tool.Within, and so may do nothing but read")
	case m.Listen != nil && m.Slow:
		return errors.New("may not be slow and have somebody listen: the line that was heard is gone when it is called")
	case !encodable(m.result):
		return fmt.Errorf("its result %s has parts that encode themselves: its fields need names, and no options but omitempty", m.result)
	}
	return nil
}

// Methods returns every method, by name.
func (r *Registry) Methods() []*Method {
	names := slices.Sorted(maps.Keys(r.methods))
	methods := make([]*Method, len(names))
	for i, name := range names {
		methods[i] = r.methods[name]
	}
	return methods
}

// Method finds a method by name.
func (r *Registry) Method(name string) (*Method, bool) {
	m, ok := r.methods[name]
	return m, ok
}

// Call calls a method. Absent params (nil or null) count as an empty object.
// Whatever happens, the answer is a result or an [*Error], never a panic.
func (r *Registry) Call(ctx context.Context, name string, params json.RawMessage) (JSON, *Error) {
	return r.CallFitting(ctx, name, params, func(JSON) json.RawMessage { return nil })
}

// CallFitting is [Registry.Call] for a caller who may want less of an answer: the
// method is called again with the params that refit returns, until it returns
// nil. However often that is, it counts as one call. The method must be one that
// [Reads].
func (r *Registry) CallFitting(ctx context.Context, name string, params json.RawMessage, refit func(JSON) json.RawMessage) (JSON, *Error) {
	m, ok := r.methods[name]
	if !ok {
		return nil, unknownMethod(name)
	}
	start := r.now()
	result, err := r.call(ctx, m, params, nil)
	for err == nil {
		if params = refit(result); params == nil {
			break
		}
		result, err = r.call(ctx, m, params, nil)
	}
	r.metrics[name].record(r.now().Sub(start), err != nil)
	return result, err
}

// CallChecked is [Registry.Call] with params that fit the schema of the method
// and so are not checked: those of the [Message] that says so.
func (r *Registry) CallChecked(ctx context.Context, checked Checked, params json.RawMessage) (JSON, *Error) {
	start := r.now()
	result, err := r.call(ctx, checked.Method, params, &checked)
	r.metrics[checked.Method.Name].record(r.now().Sub(start), err != nil)
	return result, err
}

func (r *Registry) call(ctx context.Context, m *Method, params json.RawMessage, checked *Checked) (result JSON, failure *Error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("method panicked", "method", m.Name, "panic", p, "stack", string(debug.Stack()))
			result, failure = nil, hidden()
		}
	}()
	var heard Listener
	if checked != nil {
		heard = checked.heard
	} else if params, failure = m.check(params); failure != nil {
		return nil, failure
	}
	value, err := m.handle(ctx, params, heard)
	if err != nil {
		return nil, r.explain(m, err)
	}
	encoded, err := Encode(value)
	if err != nil {
		return nil, r.explain(m, err)
	}
	return encoded, nil
}

// check returns the params as an object that is valid under the schema.
func (m *Method) check(params json.RawMessage) (json.RawMessage, *Error) {
	if len(params) == 0 || string(params) == "null" {
		params = json.RawMessage("{}")
	}
	if m.contract.Params.Fits(params) {
		return params, nil // nearly always; what does not fit for certain is looked at closely
	}
	if params[0] == '[' {
		return nil, BadParam("", "this method takes its params by name: pass an object, not an array")
	}
	if depth, _ := Measure(params); depth > MaxDepth {
		return nil, BadParam("", fmt.Sprintf("nested deeper than %d levels", MaxDepth))
	}
	issues, err := m.contract.Params.Validate(params)
	if err != nil {
		return nil, BadParam("", "no JSON value")
	}
	if len(issues) > 0 {
		return nil, BadParams(issues...)
	}
	return params, nil
}

func (r *Registry) explain(m *Method, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	r.log.Error("method failed", "method", m.Name, "error", err)
	return hidden()
}

func hidden() *Error { return Failed("the call failed inside the server; its log has the details") }
