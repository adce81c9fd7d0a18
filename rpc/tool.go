package rpc

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
)

// Tool says how a method looks to an agent, where that differs from how it
// looks to a program. The zero Tool is a method that agents are offered only
// when all methods are.
type Tool struct {
	// Name is what agents call it, where a specification says so; "" for the
	// method's name with underscores, instructions_get for instructions/get.
	Name string
	// Default: an agent is offered this method unless the server is told
	// otherwise.
	Default bool
	// Never: it is not offered to agents whatever the server is told, since it is of
	// use to bare clients only.
	Never bool
	// Defaults is an object: what an agent's call means by the params that it
	// leaves out. They must fit the schema of the params.
	Defaults json.RawMessage
	// Unshown are params, and members of the result, that a model has no use for.
	// It is not shown them, and a call may have them all the same.
	Unshown []string
	// Additive: although the method updates, it destroys nothing.
	Additive bool
	// TextOnly: an agent gets the text alone, since the result beside it would say
	// the same at length once more.
	TextOnly bool
	// Budget is how long the answer to an agent may be. The handler keeps to
	// it; see [BudgetOf].
	Budget Budget
}

// Budget bounds the answer to an agent that has not said how much it wants.
type Budget struct {
	Bytes       int      // as [Answer.Size] counts them; 0 for any number
	UnlessGiven []string // params with which an agent does say how much
}

// ToolName returns the name under which agents call the method.
func (m *Method) ToolName() string {
	if m.Tool.Name != "" {
		return m.Tool.Name
	}
	return strings.NewReplacer("/", "_", ".", "_").Replace(m.Name)
}

// Size is about how many bytes the answer has when it is sent: text and result
// as JSON, and what is around them.
func (a Answer) Size() int {
	const around = 360
	text, _ := json.Marshal(a.Text) // a string always can be
	result, err := json.Marshal(json.RawMessage(a.Result.Bytes()))
	if err != nil {
		return 0 // it is not JSON, and will not be sent
	}
	return len(text) + len(result) + around
}

// budgetKey is the key of a budget in a context.
type budgetKey struct{}

// withBudget returns a context whose calls are to be answered in so many bytes.
func withBudget(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, budgetKey{}, bytes)
}

// BudgetOf returns how many bytes the [Answer] to a call with this context may
// have, 0 for any number.
func BudgetOf(ctx context.Context) int {
	bytes, _ := ctx.Value(budgetKey{}).(int)
	return bytes
}

// budgeted returns the context of a call with these arguments.
func (b Budget) budgeted(ctx context.Context, arguments json.RawMessage) context.Context {
	if b.Bytes == 0 {
		return ctx
	}
	var given map[string]json.RawMessage
	_ = json.Unmarshal(arguments, &given) // what is not an object is refused later
	for _, name := range b.UnlessGiven {
		if _, ok := given[name]; ok {
			return ctx
		}
	}
	return withBudget(ctx, b.Bytes)
}

// progressKey is the key of a [Progress] in a context.
type progressKey struct{}

// Progress takes how much of a call is done. Total is 0 where it is not known.
type Progress func(done, total int)

// WithProgress returns a context whose calls report to p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// ProgressOf returns whom a call with this context reports to: somebody, even
// where nobody listens.
func ProgressOf(ctx context.Context) Progress {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok {
		return p
	}
	return func(int, int) {}
}

// Answer is the answer to an agent's call.
type Answer struct {
	Result JSON
	Text   string         // how a model reads the result
	Meta   map[string]any // what an [Annotated] result has to say beside it
}

// Annotated is implemented by results about which there is something to say that
// is no part of them, and that only agents have a place for. Meta is called once
// for each answer to an agent, and may be nil.
type Annotated interface {
	Meta() map[string]any
}

// Sized is implemented by results that may be large, so that there is room for them
// before they are encoded: as JSON they have at most total bytes, about made of which
// are made for it. The others are there anyway.
type Sized interface {
	Size() (total, made int)
}

// answer encodes a result, for which it reserves memory: before if the result is
// [Sized], else after.
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

// reserveResult reserves memory for a result of total bytes, of which made are not in
// memory anyway.
func reserveResult(ctx context.Context, agent bool, total, made int) *Error {
	if agent {
		return reserveAnswer(ctx, agentFactor*total)
	}
	return reserveAnswer(ctx, made)
}

// addForAgent adds what only an agent gets.
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

// held returns how many bytes a value takes by itself. The pieces of one that has many
// belong to the catalog, except for short ones between them.
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

// Grouped writes a whole number as texts for people and models have it, with a
// comma before every three digits: 1,234.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
