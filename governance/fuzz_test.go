package governance

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// Whatever the bytes, a gate passes only where a plain reading of the file
// says so, and every gate that does not pass is counted as failed.
func FuzzEvaluateGates(f *testing.F) {
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
			if r.Error != "" && (r.Passed || r.Severity != GateError || r.ID == "") {
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

// Criteria are refused or work: a match has text, a missing text has none, and
// no prompt within the limit is refused.
func FuzzCriteria(f *testing.F) {
	f.Add([]byte(sample), "things AKIA0123456789ABCDEF!! todo")
	f.Add([]byte(oneRule(`"pattern": "a|(?s:.)+b\\b", "severity": "low", "description": "d"`)), "xx\nb\xff")
	f.Add([]byte(oneRule(`"pattern": "(?-i)\\x00|^", "severity": "low", "description": "d"`)), "\x00")
	f.Add([]byte(oneRule(`"mustContain": "\\pL{2}(?:a*)+", "severity": "low", "description": "d"`)), "é")
	f.Add([]byte(`{"version": "1", "categories": [{"id": "c", "rules": [1, {}]}, 2]}`), "")
	f.Add([]byte(oneRule(`"pattern": "a", "PATTERN": "b"`)+"]"), "a")
	f.Fuzz(func(t *testing.T, file []byte, prompt string) {
		c, err := ParseCriteria(file)
		if (c == nil) == (err == nil) {
			t.Fatalf("got %v, %v: want one of them", c, err)
		}
		if err != nil {
			return
		}
		review, err := c.Review(prompt)
		if (err != nil) != (len(prompt) > MaxPrompt) {
			t.Errorf("%d bytes: %v", len(prompt), err)
		}
		for _, issue := range review.Issues {
			i := slices.IndexFunc(c.rules, func(r *rule) bool { return r.id == issue.RuleID })
			if required := c.rules[i].required; required == (issue.Match != "") {
				t.Errorf("issue %+v of a rule with required %t", issue, required)
			}
		}
		if err == nil {
			checkContract(t, "prompt/review", review)
		}
	})
}
