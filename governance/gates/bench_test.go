package gates

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
)

// BenchmarkGate evaluates one gate over 5,000 entries whose fields are already cached.
func BenchmarkGate(b *testing.B) {
	table := NewTable(catalog.NewSnapshot(manyEntries(5000), nil))
	for _, bench := range []struct{ name, gate string }{
		{"old", `"type": "count", "where": {"requirement": "mandatory", "priorityGt": 50}`},
		{"eq", `"type": "count", "where": {"field": "owner", "op": "eq", "value": "team-3"}`},
		{"in", `"type": "count", "where": {"field": "requirement", "op": "in", "value": ["critical", "mandatory"]}`},
		{"contains", `"type": "count", "where": {"field": "title", "op": "contains", "value": "99"}`},
		{"item", `"type": "count", "where": {"field": "categories", "op": "contains", "value": "go"}`},
		{"olderThan", `"type": "count", "where": {"field": "nextReviewDue", "op": "olderThan", "value": "90d"}`},
		{"owned", `"type": "count", "where": {"all": [{"field": "requirement", "op": "in", "value": ["critical", "mandatory"]}, {"field": "owner", "op": "exists", "value": false}]}`},
		{"successor", `"type": "count", "where": {"all": [{"any": [{"field": "requirement", "op": "eq", "value": "deprecated"}, {"field": "status", "op": "eq", "value": "deprecated"}]}, {"field": "successor", "op": "ne", "value": "living"}]}`},
		{"ratio", `"type": "ratio", "where": {"field": "owner", "op": "exists", "value": true}, "of": {"field": "priority", "op": "le", "value": 50}`},
		{"max", `"type": "max", "field": "bodyTokens", "where": {}`},
		{"distinct", `"type": "distinct", "field": "owner", "where": {}`},
		{"unique", `"type": "unique", "field": "title", "where": {}`},
		{"approval", `"type": "count", "where": {"field": "approval", "op": "ne", "value": "current"}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			policy := Parse([]byte(`{"gates": [{"id": "g", "severity": "warn", "op": ">=", "value": 0, ` + bench.gate + `}]}`))
			policy.Evaluate(table, now) // caches the fields of the gate
			for b.Loop() {
				if e := policy.Evaluate(table, now); e.Results[0].Error != "" {
					b.Fatal(e)
				}
			}
		})
	}
}

// BenchmarkFirstGate evaluates a gate over a catalog with no cached fields.
func BenchmarkFirstGate(b *testing.B) {
	s := catalog.NewSnapshot(manyEntries(5000), nil)
	policy := Parse([]byte(`{"gates": [{"id": "g", "severity": "warn", "op": ">=", "value": 0, "type": "unique", "field": "title", "where": {"field": "owner", "op": "exists", "value": true}}]}`))
	for b.Loop() {
		policy.Evaluate(NewTable(s), now)
	}
}

func manyEntries(n int) []*catalog.Entry {
	entries := make([]*catalog.Entry, n)
	body := strings.Repeat("Do this, and then that. ", 80)
	for i := range entries {
		entries[i] = catalog.NewEntry(catalog.Instruction{
			ID: catalog.ID(fmt.Sprintf("entry-%05d", i)), Title: fmt.Sprintf("Entry number %d", i), Body: body,
			Requirement: catalog.Requirements()[i%5], Priority: 1 + i%100, Owner: fmt.Sprintf("team-%d", i%7),
			Categories: []string{"go", "testing"}, DeprecatedBy: "entry-00000",
			NextReviewDue: catalog.NewTimestamp(now.Add(time.Duration(i-2500) * time.Hour)),
		}, catalog.Origin{})
	}
	return entries
}
