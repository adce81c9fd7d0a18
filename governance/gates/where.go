package gates

import (
	"encoding/json"
	"fmt"
	"slices"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas"
	"instruction-catalog/schemas/strict"
)

// where is the choice of entries in a gate, as decoded: {}, the two members of the first
// version, one condition, or a list of choices under all, any or not.
type where struct {
	Requirement *catalog.Requirement `json:"requirement"`
	PriorityGt  *int                 `json:"priorityGt"`

	Field *string         `json:"field"`
	Op    *string         `json:"op"`
	Value json.RawMessage `json:"value"`

	All []where `json:"all"`
	Any []where `json:"any"`
	Not []where `json:"not"`
}

// isOld reports whether the choice has only members of the first version.
func (w where) isOld() bool {
	return w.Field == nil && w.Op == nil && w.Value == nil && w.All == nil && w.Any == nil && w.Not == nil
}

// predicate reports whether the entry at index i is chosen.
type predicate func(i int) bool

// moment is the input of an evaluation: the columns, and the current time.
type moment struct {
	columns map[string]*column
	now     float64 // in the form of instants
}

// condition is a compiled where.
type condition func(moment) predicate

func everything(moment) predicate { return func(int) bool { return true } }

const (
	// maxNesting is the maximum nesting depth of all, any and not.
	maxNesting = 10
	// maxConditions is the maximum number of conditions in the gates of a file.
	maxConditions = 10_000
)

// compiler compiles conditions. It collects the fields that they use, and their problems.
type compiler struct {
	fields     map[string]bool
	conditions int // number of conditions of all gates so far
	issues     []schemas.Issue
}

func (c *compiler) problem(path, format string, args ...any) condition {
	c.issues = append(c.issues, schemas.Issue{Path: path, Message: fmt.Sprintf(format, args...)})
	return everything
}

// where compiles the choice at path, which is nested depth levels deep.
func (c *compiler) where(w where, path string, depth int) condition {
	if c.conditions++; c.conditions > maxConditions {
		return c.problem(path, "is one too many: the gates of a file have at most %d conditions", maxConditions)
	}
	isOld, isCondition := w.Requirement != nil || w.PriorityGt != nil, w.Field != nil || w.Op != nil || w.Value != nil
	forms := 0
	for _, has := range []bool{isOld, isCondition, w.All != nil, w.Any != nil, w.Not != nil} {
		if has {
			forms++
		}
	}
	switch {
	case forms > 1:
		return c.problem(path, "must be one of: requirement and priorityGt; field, op and value; all; any; not")
	case isCondition:
		return c.condition(w, path)
	case w.All != nil:
		return c.list(w.All, path+".all", depth, allOf)
	case w.Any != nil:
		return c.list(w.Any, path+".any", depth, anyOf)
	case w.Not != nil:
		return c.list(w.Not, path+".not", depth, noneOf)
	}
	return c.old(w)
}

func (c *compiler) list(parts []where, path string, depth int, join func([]predicate) predicate) condition {
	if depth == maxNesting {
		return c.problem(path, "is nested deeper than %d levels: make it flatter", maxNesting)
	}
	conditions := make([]condition, len(parts))
	for i, part := range parts {
		conditions[i] = c.where(part, fmt.Sprintf("%s[%d]", path, i), depth+1)
	}
	return func(m moment) predicate {
		predicates := make([]predicate, len(conditions))
		for i, condition := range conditions {
			predicates[i] = condition(m)
		}
		return join(predicates)
	}
}

func allOf(parts []predicate) predicate {
	return func(i int) bool {
		for _, holds := range parts {
			if !holds(i) {
				return false
			}
		}
		return true
	}
}

func anyOf(parts []predicate) predicate {
	return func(i int) bool {
		for _, holds := range parts {
			if holds(i) {
				return true
			}
		}
		return false
	}
}

func noneOf(parts []predicate) predicate { return not(anyOf(parts)) }

func not(holds predicate) predicate { return func(i int) bool { return !holds(i) } }

// both returns the conjunction of two predicates.
func both(a, b predicate) predicate { return func(i int) bool { return a(i) && b(i) } }

// old compiles requirement and priorityGt, and {}, which chooses all entries.
func (c *compiler) old(w where) condition {
	var parts []condition
	if w.Requirement != nil {
		parts = append(parts, c.on(fields["requirement"], is(string(*w.Requirement))))
	}
	if w.PriorityGt != nil {
		least := float64(*w.PriorityGt)
		parts = append(parts, c.on(fields["priority"], ofNumbers(func(n float64) bool { return n > least })))
	}
	switch len(parts) {
	case 0:
		return everything
	case 1:
		return parts[0]
	}
	return func(m moment) predicate { return both(parts[0](m), parts[1](m)) }
}

// on returns a condition that applies test to the values of a field.
func (c *compiler) on(f field, test func(*column, moment) predicate) condition {
	c.fields[f.name] = true
	return func(m moment) predicate { return test(m.columns[f.name], m) }
}

// knownField returns the field called name. If there is none, it records a problem at path
// and returns false.
func (c *compiler) knownField(name, path string) (field, bool) {
	f, ok := fields[name]
	if !ok {
		c.problem(path, "must be a field of an entry, or one of %s, %s and %s, and not %q", successor, bodyTokens, approval, strict.Excerpt(name))
	}
	return f, ok
}

// condition compiles {field, op, value}.
func (c *compiler) condition(w where, path string) condition {
	if w.Field == nil || w.Op == nil || w.Value == nil {
		for name, missing := range map[string]bool{"field": w.Field == nil, "op": w.Op == nil, "value": w.Value == nil} {
			if missing {
				c.problem(path+"."+name, "is required")
			}
		}
		return everything
	}
	f, ok := c.knownField(*w.Field, path+".field")
	switch {
	case !ok:
		return everything
	case !slices.Contains(allOps, *w.Op):
		return c.problem(path+".op", "must be one of: %s", commas(allOps))
	case !f.takes(*w.Op):
		return c.problem(path+".op", "must be one of: %s, as %s is %s", commas(ops[f.kind]), f.name, kinds[f.kind])
	}
	test, err := testOf(f, *w.Op, w.Value)
	if err != nil {
		return c.problem(path+".value", "%s", err)
	}
	return c.on(f, test)
}
