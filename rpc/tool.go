package rpc

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
)

// Tool describes how a method is offered to agents, where that differs from how programs
// call it. A method with the zero Tool is offered only if the server offers all methods.
type Tool struct {
	// Name is the tool's name, if a specification defines it. If it is "", the name is
	// the method's with underscores in place of slashes and dots: instructions_get for
	// instructions/get.
	Name string
	// Default means that agents are offered this method unless the server's
	// configuration says otherwise.
	Default bool
	// Never means that agents are never offered this method, because it is useful only
	// to clients that call methods directly.
	Never bool
	// Defaults is a JSON object with the default params for calls by agents. It must fit
	// the schema of the params. Nil means no defaults.
	Defaults json.RawMessage
	// Unshown names params, and members of the result, that a model does not need. The
	// tool's schemas omit them. A call may pass such a param anyway.
	Unshown []string
	// Additive means that the method's updates do not destroy anything.
	Additive bool
	// TextOnly means that an agent gets only the text, because the structured result
	// would only repeat it at greater length.
	TextOnly bool
	// Budget limits the length of the answer to an agent. The handler must enforce it;
	// see [BudgetOf].
	Budget Budget
}

// Budget limits the length of the answer to an agent whose call does not limit it.
type Budget struct {
	Bytes       int      // as computed by [Answer.Size]; 0 for no limit
	UnlessGiven []string // params that limit the answer; a call with one of them has no budget
}

// ToolName returns the name by which agents call the method.
func (m *Method) ToolName() string {
	if m.Tool.Name != "" {
		return m.Tool.Name
	}
	return strings.NewReplacer("/", "_", ".", "_").Replace(m.Name)
}

// Size estimates the length of the answer as sent, in bytes: text and result as JSON, and
// the message around them. It returns 0 if the result is not JSON.
func (a Answer) Size() int {
	const around = 360
	text, _ := json.Marshal(a.Text) // encoding a string cannot fail
	result, err := json.Marshal(json.RawMessage(a.Result.Bytes()))
	if err != nil {
		return 0 // the result is not JSON and will not be sent
	}
	return len(text) + len(result) + around
}

// budgetKey is the context key of a budget.
type budgetKey struct{}

// withBudget returns a context whose calls must be answered within the given number of
// bytes.
func withBudget(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, budgetKey{}, bytes)
}

// BudgetOf returns the maximum length in bytes of the [Answer] to a call with this
// context, or 0 if there is no limit.
func BudgetOf(ctx context.Context) int {
	bytes, _ := ctx.Value(budgetKey{}).(int)
	return bytes
}

// budgeted returns the context for a call with these arguments. It contains the budget
// unless an argument limits the answer.
func (b Budget) budgeted(ctx context.Context, arguments json.RawMessage) context.Context {
	if b.Bytes == 0 {
		return ctx
	}
	var given map[string]json.RawMessage
	_ = json.Unmarshal(arguments, &given) // arguments that are not an object are rejected later
	for _, name := range b.UnlessGiven {
		if _, ok := given[name]; ok {
			return ctx
		}
	}
	return withBudget(ctx, b.Bytes)
}

// progressKey is the context key of a [Progress].
type progressKey struct{}

// Progress reports how much of a call is done. total is 0 if it is not known.
type Progress func(done, total int)

// WithProgress returns a context whose calls report to p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// ProgressOf returns the function to which a call with this context reports its progress.
// It is never nil.
func ProgressOf(ctx context.Context) Progress {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok {
		return p
	}
	return func(int, int) {}
}

// Answer is the answer to an agent's call.
type Answer struct {
	Result JSON
	Text   string         // the result as text for a model
	Meta   map[string]any // the metadata of an [Annotated] result
}

// Annotated is implemented by results with metadata that is not part of the result. Only
// answers to agents have a place for it. Meta is called once for each answer to an agent
// and may return nil.
type Annotated interface {
	Meta() map[string]any
}

// Sized is implemented by results that may be large, so that memory is reserved before
// they are encoded. total is an upper bound on the length of the JSON in bytes. made is
// the approximate number of these bytes that encoding allocates; the other bytes are in
// memory already.
type Sized interface {
	Size() (total, made int)
}

// answer encodes a result. It reserves memory for the result before encoding if the
// result is [Sized], otherwise after.
func (m *Method) answer(ctx context.Context, agent bool, value any, text func() string) (a Answer, err error) {
	sized, isSized := value.(Sized)
	if isSized {
		total, made := sized.Size()
		if failure := reserveResult(ctx, agent, total, made); failure != nil {
			return a, failure
		}
	}
	if a.Result, err = Encode(value); err != nil {
		return a, err
	}
	if !isSized {
		if failure := reserveResult(ctx, agent, a.Result.Len(), a.Result.held()); failure != nil {
			return a, failure
		}
	}
	if agent {
		m.addForAgent(&a, value, text)
	}
	return a, nil
}

// reserveResult reserves memory for a result of total bytes, of which made bytes are
// newly allocated.
func reserveResult(ctx context.Context, agent bool, total, made int) *Error {
	if agent {
		return reserveAnswer(ctx, agentFactor*total)
	}
	return reserveAnswer(ctx, made)
}

// addForAgent adds the text and the metadata, which only agents get.
func (m *Method) addForAgent(a *Answer, value any, text func() string) {
	if annotated, ok := value.(Annotated); ok {
		a.Meta = annotated.Meta()
	}
	if m.hasText {
		a.Text = text()
	} else {
		a.Text = string(a.Result.Bytes())
	}
}

// held returns how many bytes of memory a value occupies itself. If it has several
// pieces, the long ones belong to the catalog and do not count.
func (j JSON) held() int {
	if len(j) == 1 {
		return len(j[0])
	}
	const header, short = 24, 256
	n := header * cap(j)
	for _, piece := range j {
		if len(piece) < short {
			n += len(piece)
		}
	}
	return n
}

// Grouped formats an integer for people and models, with a comma before every three
// digits: 1,234.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
