package gates

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/strict"
	"instruction-catalog/schemas"
)

// ID names a gate within its file.
type ID string

// Severity says what it means that a gate failed.
type Severity string

// The severities of a gate.
const (
	SeverityError Severity = "error" // the catalog must not be used like this
	SeverityWarn  Severity = "warn"  // somebody should look at it
)

// Op compares the number of entries that a gate counts with its value: one of
// >=, >, <=, <, == and !=.
type Op string

var comparisons = map[Op]func(count, value int64) bool{
	">=": func(count, value int64) bool { return count >= value },
	">":  func(count, value int64) bool { return count > value },
	"<=": func(count, value int64) bool { return count <= value },
	"<":  func(count, value int64) bool { return count < value },
	"==": func(count, value int64) bool { return count == value },
	"!=": func(count, value int64) bool { return count != value },
}

// Result is the outcome of one gate: it passed if "count op value" holds.
//
// A gate with an Error could not be evaluated. It has failed with severity
// error, whatever severity it asks for, and shows Op and Value as far as they
// could be read.
type Result struct {
	ID          ID       `json:"id"`
	Passed      bool     `json:"passed"`
	Count       int64    `json:"count"`
	Op          Op       `json:"op"`
	Value       int64    `json:"value"`
	Severity    Severity `json:"severity"`
	Description string   `json:"description,omitempty"`
	Error       string   `json:"error,omitempty"` // what is wrong with the gate, and what is allowed
}

// gate is a gate as the file has it.
type gate struct {
	ID          ID       `json:"id"`
	Description string   `json:"description"`
	Where       where    `json:"where"`
	Op          Op       `json:"op"`
	Value       int64    `json:"value"`
	Severity    Severity `json:"severity"`
}

// where says which entries are counted. Its zero value counts all of them:
// priorities begin at 1.
type where struct {
	Requirement catalog.Requirement `json:"requirement"`
	PriorityGt  int                 `json:"priorityGt"`
}

func (w where) holds(e *catalog.Entry) bool {
	return (w.Requirement == "" || e.Requirement == w.Requirement) && e.Priority > w.PriorityGt
}

// parseGate returns the gate; where it is not as the schema asks, with as many
// of its members as can be shown.
func parseGate(raw json.RawMessage) (gate, error) {
	var g gate
	decoding := json.Unmarshal(raw, &g) // goes on past a member of the wrong type
	issues, err := strict.Schema("gate").Validate(raw)
	if err != nil {
		return g, err
	}
	if len(issues) > 0 {
		return g, explain(issues)
	}
	if decoding != nil {
		return g, errors.New("a number cannot be read: write each as a plain integer, such as 3")
	}
	if comparisons[g.Op] == nil {
		return g, fmt.Errorf("op %q is in the schema, but cannot be evaluated", g.Op)
	}
	return g, nil
}

// evaluate counts the entries that a gate without fault asks for.
func (g gate) evaluate(entries []*catalog.Entry) Result {
	result := g.result()
	for _, e := range entries {
		if g.Where.holds(e) {
			result.Count++
		}
	}
	result.Passed = comparisons[g.Op](result.Count, g.Value)
	return result
}

func explain(issues []schemas.Issue) error {
	texts := make([]string, len(issues))
	for i, issue := range issues {
		texts[i] = strict.Sentence(issue, "the gate")
	}
	return errors.New(strings.Join(texts, "; "))
}

// result is that of the gate before anything was counted.
func (g gate) result() Result {
	return Result{ID: g.ID, Op: g.Op, Value: g.Value, Severity: g.Severity, Description: g.Description}
}

// broken is the result of a gate that cannot be evaluated; without an id, its
// place in the file names it.
func (g gate) broken(index int, problem error) Result {
	result := g.result()
	result.ID = cmp.Or(g.ID, ID(fmt.Sprintf("gates[%d]", index)))
	result.Severity = SeverityError
	result.Error = problem.Error()
	return result
}

// brokenFile is the one result of a file whose gates cannot be told apart.
func brokenFile(problem error) Result {
	return Result{ID: File, Severity: SeverityError, Error: problem.Error()}
}
