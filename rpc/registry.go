package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Registry holds the toolsets and calls their methods. It is safe for concurrent use
// after the last call to [Registry.Add].
type Registry struct {
	log      *slog.Logger
	now      func() time.Time
	memory   *Memory
	toolsets []*Toolset
	methods  map[string]*Method
	metrics  map[string]*metric

	recording sync.Mutex
	recorded  map[string]*metric // of requests that call no method
}

// NewRegistry returns a registry without toolsets. It logs panics, and handler errors
// that callers do not see, to log. It measures durations with now.
func NewRegistry(log *slog.Logger, now func() time.Time) *Registry {
	return &Registry{
		log:     log,
		now:     now,
		memory:  NewMemory(math.MaxInt64),
		methods: map[string]*Method{},
		metrics: map[string]*metric{},

		recorded: map[string]*metric{},
	}
}

// Bound limits the memory used by requests of protocols. Without it there is no limit.
// Call it before the first request.
func (r *Registry) Bound(m *Memory) { r.memory = m }

// Memory returns the limit on the memory used by requests. A protocol reserves memory for
// the params of a request, calls the method with a reservation for the answer in the
// context, and then releases both.
func (r *Registry) Memory() *Memory { return r.memory }

// Add adds toolsets. Its error names every declaration that is incomplete, repeated or
// without a schema, and everything that two toolsets claim.
func (r *Registry) Add(toolsets ...Toolset) error {
	var problems []error
	for _, t := range toolsets {
		for _, err := range r.addToolset(&t) {
			problems = append(problems, fmt.Errorf("toolset %s: %w", t.Name, err))
		}
	}
	return errors.Join(problems...)
}

func (r *Registry) addToolset(t *Toolset) (problems []error) {
	if t.Name == "" || t.Contract.Version == "" || t.Contract.Schemas == nil {
		return []error{errors.New("needs a name and a contract with a version and schemas")}
	}
	problems = r.conflicts(t)
	r.toolsets = append(r.toolsets, t)
	for _, m := range t.Methods {
		m.toolset = t
		if err := r.addMethod(m); err != nil {
			problems = append(problems, fmt.Errorf("method %q: %w", m.Name, err))
		}
	}
	return problems
}

func (r *Registry) addMethod(m Method) error {
	if err := m.complete(); err != nil {
		return err
	}
	if first, twice := r.methods[m.Name]; twice {
		return fmt.Errorf("declared twice: toolset %s has it, too", first.toolset.Name)
	}
	contract, ok := m.toolset.Contract.Schemas.Method(m.Name)
	if !ok {
		return errors.New("has no schema")
	}
	m.contract = contract
	if other, taken := r.tool(m.ToolName()); taken {
		return fmt.Errorf("the tool %s is claimed by %s of toolset %s, too", m.ToolName(), other.Name, other.toolset.Name)
	}
	r.methods[m.Name] = &m
	r.metrics[m.Name] = &metric{}
	return nil
}

// tool returns the method with the given tool name.
func (r *Registry) tool(name string) (*Method, bool) {
	for _, m := range r.methods {
		if m.ToolName() == name {
			return m, true
		}
	}
	return nil, false
}

// conflicts returns an error if t was added already, and one for each URI scheme and
// prompt name that another toolset also claims.
func (r *Registry) conflicts(t *Toolset) (problems []error) {
	for _, other := range r.toolsets {
		if other.Name == t.Name {
			problems = append(problems, errors.New("added twice"))
		}
		for _, scheme := range shared(t.schemes(), other.schemes()) {
			problems = append(problems, fmt.Errorf("the URI scheme %s is claimed by toolset %s, too", scheme, other.Name))
		}
		for _, name := range shared(t.promptNames(), other.promptNames()) {
			problems = append(problems, fmt.Errorf("the prompt %s is claimed by toolset %s, too", name, other.Name))
		}
	}
	return problems
}

func shared(a, b []string) []string {
	return slices.DeleteFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// Start starts the toolsets in the order in which they were added. It stops at the first
// one that fails; the error names it.
func (r *Registry) Start(ctx context.Context) error {
	for _, t := range r.toolsets {
		if t.Start == nil {
			continue
		}
		if err := t.Start(ctx); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return nil
}

// Close closes every toolset, the last one first, and returns all errors.
func (r *Registry) Close() error {
	var problems []error
	for _, t := range slices.Backward(r.toolsets) {
		if t.Close != nil {
			problems = append(problems, t.Close())
		}
	}
	return errors.Join(problems...)
}

// Toolsets returns the toolsets in the order in which they were added. The
// caller must not change them.
func (r *Registry) Toolsets() []*Toolset { return r.toolsets }

// Health returns the health of a toolset, whose Health must not be nil. It recovers from
// a panic, logs it and reports it as a failure.
func (r *Registry) Health(ctx context.Context, t *Toolset) (health Health) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("health panicked", "toolset", t.Name, "panic", p, "stack", string(debug.Stack()))
			health = Health{Failed: true}
		}
	}()
	return t.Health(ctx)
}

func (m *Method) complete() error {
	switch {
	case m.Name == "" || m.Title == "" || m.Summary == "" || m.Doc == "" || m.Since == "":
		return errors.New("needs a name, a title, a summary, documentation and the version that introduced it")
	case m.Effect == 0 || m.Effect > Deletes:
		return errors.New("needs an effect")
	case !slices.Contains([]Stability{Experimental, Stable, Deprecated}, m.Stability):
		return errors.New("needs a stability")
	case m.handle == nil:
		return errors.New("needs a handler: make it with Declare")
	case m.Lane >= Open:
		return errors.New("needs a lane")
	}
	return nil
}

// Methods returns all methods, sorted by name.
func (r *Registry) Methods() []*Method {
	names := slices.Sorted(maps.Keys(r.methods))
	methods := make([]*Method, len(names))
	for i, name := range names {
		methods[i] = r.methods[name]
	}
	return methods
}

// Method returns the method with the given name.
func (r *Registry) Method(name string) (*Method, bool) {
	m, ok := r.methods[name]
	return m, ok
}

// Call calls a method. Missing params (nil or null) are treated as an empty object. Call
// recovers from panics: it always returns a result or an [*Error].
func (r *Registry) Call(ctx context.Context, name string, params json.RawMessage) (JSON, *Error) {
	m, ok := r.methods[name]
	if !ok {
		return nil, unknownMethod(name)
	}
	answer, failure := r.call(ctx, m, call{params: params})
	return answer.Result, failure
}

// CallTool calls a method for an agent. It sets missing arguments to the defaults of the
// [Tool] and passes its budget to the handler.
func (r *Registry) CallTool(ctx context.Context, m *Method, arguments json.RawMessage) (Answer, *Error) {
	return r.call(m.Tool.Budget.budgeted(ctx, arguments), m, call{params: arguments, agent: true})
}

// call is one call of a method.
type call struct {
	params json.RawMessage
	agent  bool // the caller is an agent: it gets a text, and defaults apply
}

// call calls a method, and counts and times the call. It converts a failure with
// [Toolset.Errors].
func (r *Registry) call(ctx context.Context, m *Method, c call) (Answer, *Error) {
	start := r.now()
	answer, failure := r.attempt(ctx, m, c)
	if failure != nil && m.toolset.Errors != nil {
		failure = r.shaped(ctx, m, failure)
	}
	r.metrics[m.Name].record(r.now().Sub(start), failure != nil)
	return answer, failure
}

// shaped converts a failure with [Toolset.Errors], which must not be nil.
func (r *Registry) shaped(ctx context.Context, m *Method, failure *Error) (shaped *Error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("the shape of an error panicked", "method", m.Name, "panic", p, "stack", string(debug.Stack()))
			shaped = hidden()
		}
	}()
	return m.toolset.Errors(ctx, m.Name, failure)
}

// attempt calls a method and turns every panic and error into an error for the caller.
func (r *Registry) attempt(ctx context.Context, m *Method, c call) (answer Answer, failure *Error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("method panicked", "method", m.Name, "panic", p, "stack", string(debug.Stack()))
			answer, failure = Answer{}, hidden()
		}
	}()
	if c.params, failure = m.prepare(ctx, c.params); failure != nil {
		return Answer{}, failure
	}
	params := []json.RawMessage{c.params}
	if c.agent && m.Tool.Defaults != nil {
		params = []json.RawMessage{m.Tool.Defaults, c.params}
	}
	value, text, err := m.handle(ctx, params)
	if err != nil {
		return Answer{}, r.explain(m, err)
	}
	if answer, err = m.answer(ctx, c.agent, value, text); err != nil {
		return Answer{}, r.explain(m, err)
	}
	return answer, nil
}

// prepare checks the params against the schema and sets the method's UserParam, if any,
// to the caller's user.
func (m *Method) prepare(ctx context.Context, params json.RawMessage) (json.RawMessage, *Error) {
	if len(params) == 0 || string(params) == "null" {
		params = json.RawMessage("{}")
	}
	if m.UserParam == "" && !m.ChecksParams && m.contract.Params.Fits(params) {
		return params, nil // the usual case; Fits may be false for valid params
	}
	if failure := CheckNames(params); failure != nil {
		return nil, failure
	}
	if m.UserParam != "" {
		var failure *Error
		if params, failure = m.authorize(CallerOf(ctx).User, params); failure != nil {
			return nil, failure
		}
	}
	return m.check(params)
}

// check returns the params if they are valid under the schema. It does not check them
// if the method does so itself.
func (m *Method) check(params json.RawMessage) (json.RawMessage, *Error) {
	if m.ChecksParams {
		return params, nil
	}
	if params[0] == '[' {
		return nil, errPositional()
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

func errPositional() *Error {
	return BadParam("", "this method takes its params by name: pass an object, not an array")
}

func (r *Registry) explain(m *Method, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if !errors.Is(err, context.Canceled) { // cancelled calls are not logged
		r.log.Error("method failed", "method", m.Name, "error", err)
	}
	return hidden()
}

func hidden() *Error { return Failed("the call failed inside the server; its log has the details") }
