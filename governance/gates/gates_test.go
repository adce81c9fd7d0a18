package gates

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas"
	"instruction-catalog/schemas/strict"
)

// now is the time at which the tests evaluate gates.
var now = time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)

// evaluate evaluates the gates in the content of a file over entries.
func evaluate(file []byte, entries []*catalog.Entry) Evaluation {
	return Parse(file).Evaluate(NewTable(catalog.NewSnapshot(entries, nil)), now)
}

// five returns one critical, two mandatory, one recommended and one deprecated entry.
func five() (entries []*catalog.Entry) {
	for _, i := range []catalog.Instruction{
		{ID: "a", Requirement: catalog.Critical, Priority: 1},
		{ID: "b", Requirement: catalog.Mandatory, Priority: 20},
		{ID: "c", Requirement: catalog.Mandatory, Priority: 50},
		{ID: "d", Requirement: catalog.Recommended, Priority: 50},
		{ID: "e", Requirement: catalog.Deprecated, Priority: 100},
	} {
		entries = append(entries, catalog.NewEntry(i, catalog.Origin{}))
	}
	return entries
}

func TestCounting(t *testing.T) {
	t.Parallel()
	tests := []struct {
		where string
		want  int64
	}{
		{`{}`, 5},
		{`{"requirement": "critical"}`, 1},
		{`{"requirement": "mandatory"}`, 2},
		{`{"requirement": "optional"}`, 0},
		{`{"priorityGt": 0}`, 5},
		{`{"priorityGt": 1}`, 4},
		{`{"priorityGt": 50}`, 1},
		{`{"priorityGt": 100}`, 0},
		{`{"requirement": "mandatory", "priorityGt": 20}`, 1},
		{`{"requirement": "critical", "priorityGt": 20}`, 0},
	}
	for _, test := range tests {
		file := `{"gates": [{"id": "g", "type": "count", "where": ` + test.where + `, "op": "==", "value": 2, "severity": "warn"}]}`
		got := evaluate([]byte(file), five()).Results[0]
		want := Result{ID: "g", Passed: test.want == 2, Count: test.want, Op: "==", Value: "2", Severity: SeverityWarn}
		got.Offenders, got.isOld, got.line = nil, false, 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("where %s:\n got %+v\nwant %+v", test.where, got, want)
		}
	}
}

// TestLines checks that a result has the line at which its gate begins.
func TestLines(t *testing.T) {
	t.Parallel()
	file := "\ufeff{\"gates\": [\n  {\"id\": \"a\"}, 1,\r\n  \"[\",\n\n  {\"id\": \"a\"}]}"
	var lines []int
	for _, r := range evaluate([]byte(file), five()).Results {
		lines = append(lines, r.Line())
	}
	if want := []int{2, 2, 3, 5}; !slices.Equal(lines, want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
}

func TestComparisons(t *testing.T) {
	t.Parallel()
	passes := map[Op][3]bool{ // with one entry less than the value, as many, and one more
		">=": {true, true, false},
		">":  {true, false, false},
		"<=": {false, true, true},
		"<":  {false, false, true},
		"==": {false, true, false},
		"!=": {true, false, true},
	}
	for op, want := range passes {
		for i, value := range []int{4, 5, 6} {
			file := fmt.Sprintf(`{"gates": [{"id": "g", "type": "count", "where": {}, "op": %q, "value": %d, "severity": "error"}]}`, op, value)
			if got := evaluate([]byte(file), five()).Results[0]; got.Passed != want[i] || got.Error != "" {
				t.Errorf("5 %s %d: %+v, want passed %t", op, value, got, want[i])
			}
		}
	}
	if got, want := slices.Sorted(maps.Keys(passes)), enumOfGate(t, "op"); !slices.Equal(got, want) {
		t.Errorf("the table has %v, the schema %v", got, want)
	}
}

// enumOfGate returns the values that the schema allows for a member of a gate.
func enumOfGate(t *testing.T, member string) []Op {
	t.Helper()
	var bundle struct {
		Definitions struct {
			Gate struct {
				Properties map[string]struct{ Enum []Op }
			}
		}
	}
	if err := json.Unmarshal(schemaOfGate(), &bundle); err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(slices.Values(bundle.Definitions.Gate.Properties[member].Enum))
}

// TestBrokenGate checks that an invalid gate fails, says why, and does not affect the
// others.
func TestBrokenGate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, gate string
		id         ID
		says       []string
	}{
		{"misspelt op", `{"id": "g", "type": "count", "where": {}, "op": "=>", "value": 0, "severity": "warn"}`, "g", []string{"op", ">=", "!="}},
		{"empty op", `{"id": "g", "type": "count", "where": {}, "op": "", "value": 0, "severity": "warn"}`, "g", []string{"op", ">="}},
		{"op is a number", `{"id": "g", "type": "count", "where": {}, "op": 1, "value": 0, "severity": "warn"}`, "g", []string{"op", "string"}},
		{"no op", `{"id": "g", "type": "count", "where": {}, "value": 0, "severity": "warn"}`, "g", []string{"op is required"}},
		{"unknown type", `{"id": "g", "type": "total", "where": {}, "op": ">=", "value": 0, "severity": "warn"}`, "g", []string{"type", "count"}},
		{"no type", `{"id": "g", "where": {}, "op": ">=", "value": 0, "severity": "warn"}`, "g", []string{"type is required"}},
		{"unknown where key", `{"id": "g", "type": "count", "where": {"owner": "x"}, "op": ">=", "value": 0, "severity": "warn"}`, "g", []string{"where.owner", "requirement", "priorityGt"}},
		{"where in capitals", `{"id": "g", "type": "count", "WHERE": {}, "op": ">=", "value": 0, "severity": "warn"}`, "g", []string{"WHERE"}},
		{"where key in capitals", `{"id": "g", "type": "count", "where": {"Requirement": "critical"}, "op": ">=", "value": 0, "severity": "warn"}`, "g", []string{"where.Requirement"}},
		{"where null", `{"id": "g", "type": "count", "where": null, "op": ">=", "value": 0, "severity": "warn"}`, "g", []string{"where must be an object"}},
		{"unknown requirement", `{"id": "g", "type": "count", "where": {"requirement": "MUST"}, "op": ">=", "value": 0, "severity": "warn"}`, "g", []string{"where.requirement", "mandatory"}},
		{"empty requirement", `{"id": "g", "type": "count", "where": {"requirement": ""}, "op": ">=", "value": 0, "severity": "warn"}`, "g", []string{"where.requirement", "mandatory"}},
		{"priority is a string", `{"id": "g", "type": "count", "where": {"priorityGt": "5"}, "op": ">=", "value": 0, "severity": "warn"}`, "g", []string{"where.priorityGt", "integer"}},
		{"unknown severity", `{"id": "g", "type": "count", "where": {}, "op": ">=", "value": 0, "severity": "warning"}`, "g", []string{"severity", "error, warn"}},
		{"no severity", `{"id": "g", "type": "count", "where": {}, "op": ">=", "value": 0}`, "g", []string{"severity is required"}},
		{"value is a string", `{"id": "g", "type": "count", "where": {}, "op": ">=", "value": "0", "severity": "warn"}`, "g", []string{"value", "integer"}},
		{"value has a fraction", `{"id": "g", "type": "count", "where": {}, "op": ">=", "value": 0.5, "severity": "warn"}`, "g", []string{"value", "integer"}},
		{"value is written as a fraction", `{"id": "g", "type": "count", "where": {}, "op": ">=", "value": 1.0, "severity": "warn"}`, "g", []string{"plain integer"}},
		{"value is enormous", `{"id": "g", "type": "count", "where": {}, "op": "<", "value": 1e300, "severity": "warn"}`, "g", []string{"plain integer"}},
		{"value is out of range", `{"id": "g", "type": "count", "where": {}, "op": "<", "value": 9223372036854775808, "severity": "warn"}`, "g", []string{"plain integer"}},
		{"value has a vast exponent", `{"id": "g", "type": "count", "where": {}, "op": ">=", "value": 1e-999999999, "severity": "warn"}`, "g", []string{"value"}},
		{"unknown member", `{"id": "g", "type": "count", "where": {}, "op": ">=", "value": 0, "severity": "warn", "enabled": false}`, "g", []string{"enabled"}},
		{"no id", `{"type": "count", "where": {}, "op": ">=", "value": 0, "severity": "warn"}`, "gates[1]", []string{"id is required"}},
		{"empty id", `{"id": "", "type": "count", "where": {}, "op": ">=", "value": 0, "severity": "warn"}`, "gates[1]", []string{"id must not be empty"}},
		{"id is a number", `{"id": 7, "type": "count", "where": {}, "op": ">=", "value": 0, "severity": "warn"}`, "gates[1]", []string{"id must be a string"}},
		{"taken id", `{"id": "first", "type": "count", "where": {}, "op": ">=", "value": 0, "severity": "warn"}`, "first", []string{`"first"`, "of its own"}},
		{"member twice by case", `{"id": "g", "type": "count", "where": {}, "op": ">=", "Op": "<", "value": 0, "severity": "warn"}`, "g", []string{"Op is not known here"}},
		{"value out of range", `{"id": "g", "type": "count", "where": {}, "op": "<", "value": 1e999, "severity": "warn"}`, "g", []string{"value is a number too long or too large"}},
		{"no object", `"count"`, "gates[1]", []string{"the gate must be an object"}},
		{"null", `null`, "gates[1]", []string{"the gate must be an object"}},
		{"nested", `[{"id": "g", "type": "count", "where": {}, "op": ">=", "value": 0, "severity": "warn"}]`, "gates[1]", []string{"the gate must be an object"}},
	}
	const first = `{"id": "first", "type": "count", "where": {}, "op": ">", "value": 0, "severity": "warn"}`
	const last = `{"id": "last", "type": "count", "where": {}, "op": ">", "value": 9, "severity": "warn"}`
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := evaluate([]byte(`{"gates": [`+first+`,`+test.gate+`,`+last+`]}`), five())
			if want := (Summary{Errors: 1, Warnings: 1, Total: 3}); e.Summary != want {
				t.Errorf("summary %+v, want %+v", e.Summary, want)
			}
			if len(e.Results) != 3 {
				t.Fatalf("%d results, want 3", len(e.Results))
			}
			if !e.Results[0].Passed || e.Results[2].Error != "" {
				t.Errorf("the other gates suffer: %+v", e.Results)
			}
			got := e.Results[1]
			if got.ID != test.id || got.Passed || got.Severity != SeverityError {
				t.Errorf("got %+v, want a failed gate %q of severity error", got, test.id)
			}
			for _, want := range test.says {
				if !strings.Contains(got.Error, want) {
					t.Errorf("error %q does not say %q", got.Error, want)
				}
			}
			checkContract(t, "gates/evaluate", answered(e))
		})
	}
}

// TestBrokenGateShowsWhatItSays checks that the result of a broken gate has the members
// that could be read.
func TestBrokenGateShowsWhatItSays(t *testing.T) {
	t.Parallel()
	file := `{"gates": [{"id": "g", "description": "why", "type": "count", "where": {}, "op": "=>", "value": 3, "severity": "warn"}]}`
	got := evaluate([]byte(file), five()).Results[0]
	got.Error, got.isOld = "", false
	if want := (Result{ID: "g", Op: "=>", Value: "3", Severity: SeverityError, Description: "why", line: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestBrokenFile checks that a file that is invalid as a whole becomes one failed gate.
func TestBrokenFile(t *testing.T) {
	t.Parallel()
	const gate = `{"id": "g", "type": "count", "where": {}, "op": ">=", "value": 0, "severity": "warn"}`
	tests := []struct{ name, file, says string }{
		{"empty", ``, "line 1"},
		{"blank", "\n\n", "JSON"},
		{"null", `null`, "object"},
		{"array", `[` + gate + `]`, "object"},
		{"truncated", "{\n\"gates\": [", "line 2"},
		{"trailing data", `{"gates": [` + gate + `]} {}`, "JSON"},
		{"comment", `{"gates": [] /* none */}`, "JSON"},
		{"no gates", `{}`, `"gates"`},
		{"gates null", `{"gates": null}`, "array"},
		{"gates an object", `{"gates": {"g": ` + gate + `}}`, "array"},
		{"Gates", `{"Gates": [` + gate + `]}`, `"gates"`},
		{"unknown members", `{"gates": [` + gate + `], "version": 1, "owner": "x"}`, `["owner" "version"]`},
		{"gates twice", `{"gates": [` + gate + `], "gates": []}`, `"gates" appears twice`},
		{"gates twice by case", `{"gates": [], "GATES": []}`, `["GATES"]`},
		{"member twice", `{"gates": [{"id": "g", "id": "h"}]}`, `"id" appears twice`},
		{"member twice by escape", `{"gates": [{"op": ">=", "\u006fp": "<"}]}`, `"op" appears twice`},
		{"invalid UTF-8", "{\"gates\": [],\n\"\xff\": 1}", "line 2"},
		{"invalid UTF-8 in a description", `{"gates": [{"id": "g", "description": "` + "\xc3" + `"}]}`, "UTF-8"},
		{"two byte order marks", "\xEF\xBB\xBF\xEF\xBB\xBF{}", "JSON"},
		{"nested deeply", `{"gates": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "nested"},
		{"too many gates", `{"gates": [` + strings.Repeat(`0,`, maxGates) + `0]}`, "1001 gates"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			requireBrokenFile(t, evaluate([]byte(test.file), five()), test.says)
		})
	}
}

func requireBrokenFile(t *testing.T, e Evaluation, says string) {
	t.Helper()
	if want := (Summary{Errors: 1, Total: 1}); e.Summary != want || len(e.Results) != 1 {
		t.Fatalf("got %+v, want one failed gate", e)
	}
	got := e.Results[0]
	if got.ID != catalog.GatesFile || got.Passed || got.Severity != SeverityError || !strings.Contains(got.Error, says) {
		t.Errorf("got %+v, want an error that says %q", got, says)
	}
	checkContract(t, "gates/evaluate", answered(e))
}

func TestGatesJSON(t *testing.T) {
	t.Parallel()
	e := evaluate([]byte("\xEF\xBB\xBF"+`{"gates": [
		{"id": "some", "description": "there is <one>", "type": "count", "where": {"requirement": "critical"}, "op": ">=", "value": 1, "severity": "error"},
		{"id": "few", "type": "count", "where": {}, "op": "<", "value": 3, "severity": "warn"},
		{"id": "none", "type": "count", "where": {}, "op": "==", "value": 0, "severity": "error"}
	]}`), five())
	const want = `{"results":[` +
		`{"id":"some","passed":true,"count":1,"op":"\u003e=","value":1,"severity":"error","description":"there is \u003cone\u003e"},` +
		`{"id":"few","passed":false,"count":5,"op":"\u003c","value":3,"severity":"warn"},` +
		`{"id":"none","passed":false,"count":5,"op":"==","value":0,"severity":"error"}],` +
		`"summary":{"errors":1,"warnings":1,"total":3}}`
	if got := asJSON(t, e.OnlyAsked()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	checkContract(t, "gates/evaluate", answered(e))

	const none = `{"results":[],"summary":{"errors":0,"warnings":0,"total":0}}`
	if got := asJSON(t, evaluate([]byte(`{"gates": []}`), five())); got != none {
		t.Errorf("\n got %s\nwant %s", got, none)
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	requireBrokenFile(t, Broken(errors.New("it cannot be read")).Evaluate(NewTable(catalog.NewSnapshot(five(), nil)), now), "cannot be read")
	requireBrokenFile(t, evaluate([]byte("gates: []"), five()), "not JSON")
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// answered returns an evaluation as it is served.
func answered(e Evaluation) any {
	return struct {
		GeneratedAt catalog.Timestamp `json:"generatedAt"`
		Evaluation
	}{"2025-01-01T00:00:00.000Z", e}
}

// checkContract validates a result against the schema of the method that serves it.
func checkContract(t *testing.T, method string, result any) {
	t.Helper()
	m, ok := schemas.V1().Method(method)
	if !ok {
		t.Fatalf("there is no schema of %s", method)
	}
	data := asJSON(t, result)
	issues, err := m.Result.Validate([]byte(data))
	if err != nil || len(issues) > 0 {
		t.Errorf("%s breaks its contract: %v %v\n%s", method, issues, err, data)
	}
}

func schemaOfGate() []byte { return strict.Schema("gate").Bundled() }
