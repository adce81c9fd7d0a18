package gates_test

import (
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/gates"
)

func ExampleEvaluateIn() {
	file := `{"gates": [{"id": "has-critical", "type": "count", "where": {"requirement": "critical"},
		"op": ">=", "value": 1, "severity": "error"}]}`
	entries := []*catalog.Entry{catalog.NewEntry(catalog.Instruction{ID: "a", Requirement: catalog.Mandatory}, catalog.Origin{})}
	evaluation := gates.EvaluateIn([]byte(file), catalog.NewSnapshot(entries, nil))
	for _, r := range evaluation.Results {
		fmt.Printf("%s: passed %t, %d %s %d\n", r.ID, r.Passed, r.Count, r.Op, r.Value)
	}
	// Output:
	// has-critical: passed false, 0 >= 1
}
