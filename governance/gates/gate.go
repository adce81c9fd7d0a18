package gates

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas"
	"instruction-catalog/schemas/strict"
)

// ID identifies a gate within its file.
type ID string

// Severity is the severity of a failed gate.
type Severity string

// The severities of a gate.
const (
	SeverityError Severity = "error" // the catalog must not be used in this state
	SeverityWarn  Severity = "warn"  // a person should review it
)

// Type is the figure that a gate computes over the entries that it chooses.
type Type string

// The types of a gate.
const (
	TypeCount    Type = "count"    // the number of entries
	TypeRatio    Type = "ratio"    // the share, from 0 to 1, of the entries matching "of" that also match "where"
	TypeSum      Type = "sum"      // the sum of the field
	TypeMin      Type = "min"      // the smallest value of the field
	TypeMax      Type = "max"      // the largest value of the field
	TypeDistinct Type = "distinct" // the number of distinct values of the field
	TypeUnique   Type = "unique"   // the number of entries that share their value of the field with another entry
)

// hasFraction reports whether the figure may be other than an integer.
func (t Type) hasFraction() bool {
	return t == TypeRatio || t == TypeSum || t == TypeMin || t == TypeMax
}

// Op compares the figure of a gate with its value: one of >=, >, <=, <, == and !=.
type Op string

var comparisons = map[Op]func(figure, value float64) bool{
	">=": func(figure, value float64) bool { return figure >= value },
	">":  func(figure, value float64) bool { return figure > value },
	"<=": func(figure, value float64) bool { return figure <= value },
	"<":  func(figure, value float64) bool { return figure < value },
	"==": func(figure, value float64) bool { return figure == value },
	"!=": func(figure, value float64) bool { return figure != value },
}

// Result is the outcome of one gate. The gate passed if "figure op value" holds, where the
// figure is Actual, or Count if Actual is nil.
//
// A gate with an Error could not be evaluated. It counts as failed with severity error,
// whatever severity the file gives it. Op and Value are set as far as they could be read.
type Result struct {
	ID          ID           `json:"id"`
	Passed      bool         `json:"passed"`
	Count       int64        `json:"count"` // number of entries that the gate is about; for a ratio, those matching both "where" and "of"
	Op          Op           `json:"op"`
	Value       json.Number  `json:"value"`
	Severity    Severity     `json:"severity"`
	Description string       `json:"description,omitempty"`
	Error       string       `json:"error,omitempty"`     // what is wrong with the gate, and what is allowed
	Actual      *float64     `json:"actual,omitempty"`    // the computed figure; nil if the figure is Count
	Offenders   []catalog.ID `json:"offenders,omitempty"` // the first entries that made it fail, sorted by id

	isOld bool // whether the first version of gates.json could contain the gate
	line  int  // see Line
}

// Line returns the line of the file, from 1, at which the gate begins, or 0 if the file as
// a whole is invalid.
func (r Result) Line() int { return r.line }

// gate is a gate as decoded from the file.
type gate struct {
	ID          ID              `json:"id"`
	Description string          `json:"description"`
	Type        Type            `json:"type"`
	Where       where           `json:"where"`
	Of          *where          `json:"of"`
	Field       *string         `json:"field"`
	Op          Op              `json:"op"`
	Value       json.RawMessage `json:"value"`
	Severity    Severity        `json:"severity"`
}

// compiled is a gate that can be evaluated, or the result of one that cannot.
type compiled struct {
	result    Result // the result before evaluation, or the final result if it has an Error
	kind      Type
	where, of condition
	field     string
	value     float64
}

// compile compiles a gate from its text. If the gate is invalid, it returns a result with
// an Error and as many members as could be read.
func (c *compiler) compile(raw json.RawMessage) compiled {
	var g gate
	c.issues = nil
	decoding := json.Unmarshal(raw, &g) // continues after a member of the wrong type
	issues, err := strict.Schema("gate").Validate(raw)
	out := compiled{kind: g.Type}
	out.result = Result{
		ID: g.ID, Op: g.Op, Severity: g.Severity, Description: g.Description,
		isOld: g.Type == TypeCount && g.Where.isOld() && g.Field == nil && g.Of == nil,
	}
	out.result.Value, out.value = g.figure()
	c.issues = g.reworded(issues)
	if err == nil && len(c.issues) == 0 && decoding != nil {
		err = errPlainInteger
	}
	if err == nil && len(c.issues) == 0 {
		c.members(g, &out)
		err = g.plainInteger()
	}
	if len(c.issues) > 0 {
		err = explain(c.issues)
	}
	if err != nil {
		out.result.Severity, out.result.Error = SeverityError, err.Error()
	}
	return out
}

var errPlainInteger = errors.New("a number cannot be read: write each as a plain integer, such as 3")

// members compiles the conditions of a gate and the members that its type requires.
func (c *compiler) members(g gate, out *compiled) {
	out.where = c.where(g.Where, "where", 0)
	if c.belongs("of", g.Of != nil, g.Type == TypeRatio, g.Type) {
		out.of = c.where(*g.Of, "of", 0)
	}
	if !c.belongs("field", g.Field != nil, slices.Contains([]Type{TypeSum, TypeMin, TypeMax, TypeDistinct, TypeUnique}, g.Type), g.Type) {
		return
	}
	f, ok := c.knownField(*g.Field, "field")
	if !ok {
		return
	}
	takes := []kind{number}
	switch g.Type {
	case TypeDistinct:
		takes = []kind{text, word, number, instant, list}
	case TypeUnique:
		takes = []kind{text, word, number, instant}
	}
	if !slices.Contains(takes, f.kind) {
		c.problem("field", "must be another one: %s is %s, of which a gate of type %s computes nothing", f.name, kinds[f.kind], g.Type)
		return
	}
	out.field = f.name
	c.fields[f.name] = true
}

// belongs reports whether a member is present and valid for type t. It records a problem if
// the member is missing or not allowed.
func (c *compiler) belongs(name string, has, wanted bool, t Type) bool {
	switch {
	case has && !wanted:
		c.problem(name, "does not belong to a gate of type %s", t)
	case wanted && !has:
		c.problem(name, "is required of a gate of type %s", t)
	}
	return has && wanted
}

// figure returns the value that the gate compares with, or 0 if it cannot be read.
func (g gate) figure() (shown json.Number, value float64) {
	if n, err := strconv.ParseInt(string(g.Value), 10, 64); err == nil {
		return json.Number(strconv.FormatInt(n, 10)), float64(n)
	}
	n, err := strconv.ParseFloat(string(g.Value), 64)
	if err != nil || !g.Type.hasFraction() {
		return "0", 0
	}
	return json.Number(g.Value), n
}

// reworded returns the issues that the schema found, with those about the type of value
// replaced by one worded for the type of the gate.
func (g gate) reworded(issues []schemas.Issue) []schemas.Issue {
	ofType := func(i schemas.Issue) bool { return i.Path == "value" && strings.HasPrefix(i.Message, "must be ") }
	issues = slices.DeleteFunc(issues, ofType)
	if slices.ContainsFunc(issues, func(i schemas.Issue) bool { return i.Path == "value" }) {
		return issues // value is missing or cannot be read
	}
	if problem := g.valueProblem(); problem != "" {
		issues = append(issues, schemas.Issue{Path: "value", Message: problem})
	}
	return issues
}

// valueProblem describes what is wrong with the value. It returns "" if nothing is wrong.
func (g gate) valueProblem() string {
	if len(g.Value) == 0 { // the gate is not an object
		return ""
	}
	wanted := "an integer"
	if g.Type.hasFraction() {
		wanted = "a number"
	}
	switch n, err := strconv.ParseFloat(string(g.Value), 64); {
	case err != nil:
		return "must be " + wanted + ", not " + typeNames[g.Value[0]]
	case !g.Type.hasFraction() && n != math.Trunc(n):
		return "must be an integer, without a fraction"
	case n < 0 && (!g.Type.hasFraction() || g.Type == TypeRatio):
		return "must be at least 0"
	case n > 1 && g.Type == TypeRatio:
		return "must be at most 1, which is all of them"
	}
	return ""
}

// typeNames maps the first byte of a JSON value to the name of its type.
var typeNames = map[byte]string{'"': "a string", 't': "a boolean", 'f': "a boolean", 'n': "null", '[': "an array", '{': "an object"}

// plainInteger returns an error if the gate needs an integer and the value is not written
// as one.
func (g gate) plainInteger() error {
	if _, err := strconv.ParseInt(string(g.Value), 10, 64); err != nil && !g.Type.hasFraction() {
		return errPlainInteger
	}
	return nil
}

func explain(issues []schemas.Issue) error {
	slices.SortStableFunc(issues, func(a, b schemas.Issue) int { return strings.Compare(a.Path, b.Path) })
	texts := make([]string, len(issues))
	for i, issue := range issues {
		texts[i] = strict.Sentence(issue, "the gate")
	}
	return errors.New(strings.Join(texts, "; "))
}
