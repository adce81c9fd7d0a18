package gates_test

import (
	"fmt"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/gates"
)

func ExampleGates_Evaluate() {
	policy := gates.Parse([]byte(`{"gates": [{"id": "owned", "type": "count", "op": "==", "value": 0, "severity": "error",
		"where": {"all": [
			{"field": "requirement", "op": "in", "value": ["critical", "mandatory"]},
			{"field": "owner", "op": "exists", "value": false}
		]}}]}`))
	entries := []*catalog.Entry{
		catalog.NewEntry(catalog.Instruction{ID: "a", Requirement: catalog.Mandatory, Owner: "me"}, catalog.Origin{}),
		catalog.NewEntry(catalog.Instruction{ID: "b", Requirement: catalog.Mandatory}, catalog.Origin{}),
	}
	evaluation := policy.Evaluate(gates.NewTable(catalog.NewSnapshot(entries, nil)), time.Now())
	for _, r := range evaluation.Results {
		fmt.Printf("%s: passed %t, %d %s %s: %s\n", r.ID, r.Passed, r.Count, r.Op, r.Value, r.Offenders)
	}
	// Output:
	// owned: passed false, 1 == 0: [b]
}
