package gates

import (
	"encoding/json"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// FuzzEvaluate checks, for any bytes, that a gate passes only if a plain reading of the
// file says so, and that every other gate counts as failed.
func FuzzEvaluate(f *testing.F) {
	const gate = `{"id": "g", "type": "count", "where": {"requirement": "mandatory", "priorityGt": 20}, "op": "==", "value": 1, "severity": "warn"}`
	for _, seed := range []string{
		`{"gates": [` + gate + `]}`,
		`{"gates": [` + gate + `,` + gate + `]}`,
		"\xEF\xBB\xBF" + `{"gates": [` + strings.Replace(gate, "==", "=>", 1) + `, 1]}`,
		`{"gates": [` + strings.Replace(gate, "1", "1.0", 1) + `]}`,
		`{"gates": [` + strings.Replace(gate, `"op"`, `"Op": "!=", "op"`, 1) + `]}`,
		`{"gates": [` + strings.Replace(gate, "priorityGt", "priority", 1) + `]} []`,
		`{"gates": [], "gates": [` + gate + `]}`,
		`{"gates": null}`, `[]`, ``, "\xff",
		`{"gates": [{"id": "g", "type": "ratio", "where": {"field": "owner", "op": "ne", "value": "ann"}, "of": {"not": [{"field": "requirement", "op": "in", "value": ["optional"]}]}, "op": ">", "value": 0.5, "severity": "warn"}]}`,
		`{"gates": [{"id": "g", "type": "sum", "field": "priority", "where": {"field": "title", "op": "matches", "value": "^Old"}, "op": "<=", "value": 1e3, "severity": "warn"}]}`,
		`{"gates": [{"id": "g", "type": "max", "field": "bodyTokens", "where": {"field": "nextReviewDue", "op": "olderThan", "value": "0d"}, "op": "!=", "value": 0, "severity": "warn"}]}`,
		`{"gates": [{"id": "g", "type": "min", "field": "usageCount", "where": {"any": [{"field": "successor", "op": "eq", "value": "dead"}, {"field": "approval", "op": "ne", "value": "stale"}]}, "op": ">=", "value": 1, "severity": "warn"}]}`,
		`{"gates": [{"id": "g", "type": "distinct", "field": "categories", "where": {"field": "categories", "op": "contains", "value": "go"}, "op": "==", "value": 2, "severity": "warn"}]}`,
		`{"gates": [{"id": "g", "type": "unique", "field": "title", "where": {"all": [{"field": "priority", "op": "lt", "value": 60}, {"field": "lastReviewedAt", "op": "exists", "value": false}]}, "op": "==", "value": 2, "severity": "warn"}]}`,
		`{"gates": [{"id": "g", "type": "count", "where": {"field": "nextReviewDue", "op": "ge", "value": "2025-06-01"}, "op": "==", "value": 1, "severity": "warn"}]}`,
	} {
		f.Add([]byte(seed))
	}
	entries := team()
	table := NewTable(catalog.NewSnapshot(entries, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		e := Parse(data).Evaluate(table, now)
		failed := 0
		for i, r := range e.Results {
			if r.Passed && !plainlyPasses(data, i, entries) {
				t.Errorf("result %d passed: %+v", i, r)
			}
			if !r.Passed {
				failed++
			}
			if r.Error != "" && (r.Passed || r.Severity != SeverityError || r.ID == "") {
				t.Errorf("result %d is broken and not failed: %+v", i, r)
			}
		}
		if s := e.Summary; s.Errors+s.Warnings != failed || s.Total != len(e.Results) {
			t.Errorf("summary %+v of %d results, %d failed", s, len(e.Results), failed)
		}
		if len(e.Results) == 0 && !plainlyEmpty(data) {
			t.Error("nothing failed although the file is not one without gates")
		}
		checkContract(t, "gates/evaluate", answered(e))
	})
}

func plainlyEmpty(data []byte) bool {
	var file map[string][]any
	err := json.Unmarshal(files.TrimByteOrderMark(data), &file)
	return err == nil && len(file) == 1 && file["gates"] != nil && len(file["gates"]) == 0
}
