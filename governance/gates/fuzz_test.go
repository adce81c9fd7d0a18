package gates

import (
	"encoding/json"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// Whatever the bytes, a gate passes only where a plain reading of the file
// says so, and every gate that does not pass is counted as failed.
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
	} {
		f.Add([]byte(seed))
	}
	entries := five()
	f.Fuzz(func(t *testing.T, data []byte) {
		e := evaluate(data, entries)
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

// plainlyPasses reads the file without the types and the schema of the package
// and reports whether its gate at the index holds.
func plainlyPasses(data []byte, index int, entries []*catalog.Entry) bool {
	var file map[string][]map[string]any
	err := json.Unmarshal(files.TrimByteOrderMark(data), &file)
	if _, wrongType := err.(*json.UnmarshalTypeError); err != nil && !wrongType {
		return false
	}
	if len(file) != 1 || index >= len(file["gates"]) {
		return false
	}
	g := file["gates"][index]
	value, ok := g["value"].(float64)
	if g["type"] != "count" || !ok {
		return false
	}
	count := 0.0
	for _, e := range entries {
		if plainlyCounts(g["where"], e) {
			count++
		}
	}
	switch g["op"] {
	case ">=":
		return count >= value
	case ">":
		return count > value
	case "<=":
		return count <= value
	case "<":
		return count < value
	case "==":
		return count == value
	case "!=":
		return count != value
	}
	return false
}

func plainlyCounts(where any, e *catalog.Entry) bool {
	conditions, _ := where.(map[string]any)
	for name, wanted := range conditions {
		switch name {
		case "requirement":
			if wanted != string(e.Requirement) {
				return false
			}
		case "priorityGt":
			if least, ok := wanted.(float64); !ok || float64(e.Priority) <= least {
				return false
			}
		}
	}
	return true
}

func plainlyEmpty(data []byte) bool {
	var file map[string][]any
	err := json.Unmarshal(files.TrimByteOrderMark(data), &file)
	return err == nil && len(file) == 1 && file["gates"] != nil && len(file["gates"]) == 0
}
