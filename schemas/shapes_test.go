package schemas_test

import (
	"strings"
	"testing"

	"instruction-catalog/schemas"
)

// fit says whether a value fits a schema.
type fit struct {
	value string
	ok    bool
}

func checkFits(t *testing.T, name string, schema *schemas.Schema, fits []fit) {
	t.Helper()
	for _, f := range fits {
		if found := validate(t, schema, f.value); (found == nil) != f.ok {
			t.Errorf("%s %.200s: fits %v, want %v (%q)", name, f.value, found == nil, f.ok, found)
		}
	}
}

func TestParamsThatFit(t *testing.T) {
	t.Parallel()
	tests := map[string][]fit{
		"health/check":             {{`{}`, true}, {`{"detail":true}`, true}, {`{"detail":null}`, false}},
		"instructions/check":       {{`{"path":"a.md"}`, true}, {`{"path":"a.md","text":""}`, true}, {`{"path":""}`, false}, {`{"text":"x"}`, false}},
		"instructions/get":         {{`{"id":"Mixed.Case"}`, true}, {`{"id":""}`, false}, {`{"id":"` + strings.Repeat("x", 513) + `"}`, false}},
		"usage/track":              {{`{"id":"a"}`, true}, {`{}`, false}},
		"usage/hotset":             {{`{}`, true}, {`{"limit":1000}`, true}, {`{"limit":0}`, true}, {`{"limit":"9"}`, false}},
		"metrics/snapshot":         {{`{}`, true}, {`{"detail":false}`, true}, {`{"details":true}`, false}},
		"integrity/verify":         {{`{}`, true}, {`{"detail":true}`, true}, {`[true]`, false}},
		"gates/evaluate":           {{`{}`, true}, {`{"detail":true}`, false}},
		"rpc.discover":             {{`{}`, true}, {`{"version":1}`, false}},
		"prompt/review":            {{`{"prompt":"` + strings.Repeat("x", 20_000) + `"}`, true}, {`{}`, false}, {`{"prompt":null}`, false}},
		"instructions/list":        {{`{"category":"","cursor":"x"}`, true}, {`{"fields":["nothing"]}`, false}, {`{"q":"x"}`, false}},
		"instructions/search":      {{`{"q":""}`, true}, {`{}`, false}, {`{"q":"x","load":"always"}`, false}},
		"instructions/subscribe":   {{`{}`, true}, {`{"ids":[]}`, false}},
		"instructions/unsubscribe": {{`{}`, true}, {`{"ids":[]}`, false}},
		"instructions/diff": {
			{`{"since":"","limit":1}`, false}, {`{"since":"x","limit":1,"cursor":"y"}`, true},
			{`{}`, true}, {`{"known":[]}`, true}, {`{"clientHash":""}`, true},
			{`{"clientHash":"` + strings.Repeat("x", 129) + `"}`, false},
			{`{"known":[{"id":"a","sourceHash":"` + strings.Repeat("x", 129) + `"}]}`, false},
		},
	}
	for _, name := range schemas.V1().Methods() {
		if tests[name] == nil {
			t.Errorf("%s: no params are tried", name)
		}
		checkFits(t, name, method(t, name).Params, tests[name])
	}
}

// TestResultsThatFit checks values that the examples do not cover, and values that must
// not fit.
func TestResultsThatFit(t *testing.T) {
	t.Parallel()
	hash := `"hash":"` + strings.Repeat("0a", 32) + `"`
	const at = `"2025-01-01T00:00:00Z"`
	tests := map[string][]fit{
		"health/check": {
			{`{"status":"ok","timestamp":` + at + `,"version":"1"}`, true},
			{`{"status":"bad","timestamp":` + at + `,"version":"1"}`, false},
			{`{"status":"ok","timestamp":"2025-01-01T00:00:00+01:00","version":"1"}`, false},
			{`{"status":"ok","timestamp":"2025-13-01T00:00:00Z","version":"1"}`, false},
		},
		"instructions/get":  {{`{"notFound":true,` + hash + `}`, false}, {`{` + hash + `}`, false}},
		"instructions/diff": {{`{"upToDate":true}`, false}, {`{` + hash + `,"added":[],"updated":[]}`, false}, {`{` + hash + `,"changed":[]}`, true}},
		"integrity/verify": {
			{`{` + hash + `,"count":1,"issueCount":1,"issues":[{"id":"a","expected":"sha1:x","actual":""}]}`, true},
			{`{` + hash + `,"count":1,"issueCount":1,"issues":[{"id":"a","expected":"","actual":""}]}`, false},
			{`{` + hash + `,"count":1,"issueCount":1,"issues":[{"id":"a","expected":"x","actual":"y"}]}`, false},
			{`{` + hash + `,"count":0,"issueCount":0,"issues":[],"diagnostics":[{"path":"a","line":0,"severity":"note","message":"m"}]}`, false},
		},
		"usage/hotset":  {{`{` + hash + `,"count":0,"limit":101,"items":[]}`, false}},
		"prompt/review": {{`{"issues":[],"summary":{"counts":{"fatal":1},"highestSeverity":"info"},"length":0}`, false}},
		"gates/evaluate": {
			{`{"generatedAt":` + at + `,"results":[],"summary":{"errors":0,"warnings":0,"total":0}}`, true},
			{`{"generatedAt":` + at + `,"results":[],"summary":{"errors":0,"warnings":0,"total":0},"notConfigured":true}`, false},
			{`{"generatedAt":` + at + `,"results":[{"id":"a","passed":false,"count":0,"op":"","value":-1,"severity":"error","error":"e"}],"summary":{"errors":1,"warnings":0,"total":1}}`, true},
		},
		"rpc.discover": {{`{"openrpc":"2.0.0","info":{"title":"a","version":"1"},"methods":[{"name":"a","params":[],"result":{}}]}`, false}},
	}
	for name, fits := range tests {
		checkFits(t, name, method(t, name).Result, fits)
	}
}

func TestGatesThatFit(t *testing.T) {
	t.Parallel()
	const gate = `{"id":"g","type":"count","where":{"requirement":"critical","priorityGt":50},"op":">=","value":1,"severity":"error"}`
	edit := func(from, to string) string {
		if !strings.Contains(gate, from) {
			t.Fatalf("the gate does not contain %s", from)
		}
		return strings.Replace(gate, from, to, 1)
	}
	fits := []fit{
		{gate, true},
		{edit(`"requirement":"critical","priorityGt":50`, ``), true},
		{edit(`"op"`, `"description":"d","op"`), true},
		{edit(`>=`, `=>`), false},
		{edit(`count`, `total`), false},
		{edit(`"count"`, `"ratio","of":{}`), true},
		{edit(`"requirement":"critical","priorityGt":50`, `"all":[{"not":[{"field":"owner","op":"exists","value":true}]}]`), true},
		{edit(`"requirement":"critical","priorityGt":50`, `"all":[]`), false},
		{edit(`"requirement":"critical","priorityGt":50`, `"any":[{"field":"owner","op":"is","value":"x"}]`), false},
		{edit(`"value":1`, `"value":-1`), false},
		{edit(`"value":1`, `"value":1.5`), false},
		{edit(`"error"`, `"fatal"`), false},
		{edit(`priorityGt`, `priorityLt`), false},
		{edit(`critical`, `MUST`), false},
		{edit(`"where":{"requirement":"critical","priorityGt":50},`, ``), false},
		{edit(`"id":"g"`, `"id":""`), false},
		{edit(`"id":"g"`, `"id":"g","name":"x"`), false},
	}
	checkFits(t, "gate", file(t, "gate"), fits)
	for i := range fits {
		fits[i].value = `{"gates":[` + fits[i].value + `]}`
	}
	checkFits(t, "gates", file(t, "gates"), append(fits, fit{`{}`, false}, fit{`{"gates":[],"version":1}`, false}, fit{`{"gates":[]}`, true}))
}

func TestIssuesOfFiles(t *testing.T) {
	t.Parallel()
	rule := func(text string) string {
		return `{"version":"1","categories":[{"id":"c","rules":[{"id":"r","severity":"high","description":"d"` + text + `}]}]}`
	}
	tests := []struct {
		file, value string
		want        issues
	}{
		{"prompt-criteria", rule(`,"pattern":"x"`), nil},
		{"prompt-criteria", rule(`,"mustContain":"x","remediation":"y"`), nil},
		{"prompt-criteria", rule(``), issues{{"categories[0].rules[0]", "must have exactly one of: pattern, mustContain"}}},
		{"prompt-criteria", rule(`,"mustContain":"x","pattern":"x"`), issues{{"categories[0].rules[0]", "must have exactly one of: pattern, mustContain"}}},
		{"prompt-criteria", `{"version":"1","categories":[{"id":"c","rules":[{"severity":"bad"}]}]}`, issues{
			{"categories[0].rules[0]", "must have exactly one of: pattern, mustContain"},
			{"categories[0].rules[0].description", "is required"},
			{"categories[0].rules[0].id", "is required"},
			{"categories[0].rules[0].severity", "must be one of: critical, high, medium, low, info"},
		}},
		{"gate", `{"id":"g","type":"count","where":{"prio":1},"op":"=>","value":1,"severity":"error"}`, issues{
			{"op", "must be one of: >=, >, <=, <, ==, !="},
			{"where.prio", "is not known here; known are: all, any, field, not, op, priorityGt, requirement, value"},
		}},
		{"gates", `{"gates":[{"id":"g"}]}`, issues{
			{"gates[0].op", "is required"}, {"gates[0].severity", "is required"}, {"gates[0].type", "is required"},
			{"gates[0].value", "is required"}, {"gates[0].where", "is required"},
		}},
	}
	for _, tt := range tests {
		if got := validate(t, file(t, tt.file), tt.value); asJSON(t, got) != asJSON(t, tt.want) {
			t.Errorf("%s %s:\n got %q\nwant %q", tt.file, tt.value, got, tt.want)
		}
	}
}
