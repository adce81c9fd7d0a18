package gates

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/sum"
)

// team returns a small catalog: entries a to f, each without a different field.
func team() []*catalog.Entry {
	days := 30
	instructions := []catalog.Instruction{
		{ID: "a", Title: "Secrets", Body: "Keep them out.", Priority: 1, Requirement: catalog.Critical, Owner: "ann",
			Categories: []string{"go", "security"}, NextReviewDue: "2025-05-31T00:00:00Z", ReviewIntervalDays: &days, UsageCount: 7},
		{ID: "b", Title: "Errors", Body: "Wrap them.", Priority: 20, Requirement: catalog.Mandatory, Categories: []string{"go"},
			NextReviewDue: "2025-06-02T00:00:00Z", ApprovedHash: "made up"},
		{ID: "c", Title: "Errors", Body: "Wrap them all.", Priority: 50, Requirement: catalog.Mandatory, Owner: "bob", ApprovedHash: strings.Repeat("0", 64)},
		{ID: "d", Title: "Old", Body: "Was so.", Priority: 50, Requirement: catalog.Deprecated, DeprecatedBy: "a", LastReviewedAt: "2025-01-01T12:00:00Z"},
		{ID: "e", Title: "Older", Body: strings.Repeat("x", 9), Priority: 100, Requirement: catalog.Deprecated, DeprecatedBy: "d"},
		{ID: "f", Title: "Oldest", Body: "Gone.", Priority: 100, Status: catalog.StatusDeprecated, Requirement: catalog.Optional, DeprecatedBy: "nobody"},
	}
	entries := make([]*catalog.Entry, len(instructions))
	for i, instruction := range instructions {
		entries[i] = catalog.NewEntry(instruction, catalog.Origin{})
	}
	approved := entries[0].Instruction()
	approved.ApprovedHash, approved.ApprovedBy = string(sum.ApprovalHash(entries[0])), "eve"
	entries[0] = catalog.NewEntry(approved, catalog.Origin{})
	return entries
}

func count(where string) string {
	return `{"gates": [{"id": "g", "type": "count", "where": ` + where + `, "op": "<", "value": 0, "severity": "warn"}]}`
}

// TestWhere checks which entries a condition chooses: they are the offenders of a gate that
// requires fewer than 0.
func TestWhere(t *testing.T) {
	t.Parallel()
	for where, want := range map[string]string{
		`{"field": "owner", "op": "eq", "value": "ann"}`:                                                      "a",
		`{"field": "owner", "op": "ne", "value": "ann"}`:                                                      "bcdef", // a missing value is different
		`{"field": "owner", "op": "exists", "value": true}`:                                                   "ac",
		`{"field": "owner", "op": "exists", "value": false}`:                                                  "bdef",
		`{"field": "owner", "op": "in", "value": ["bob", "ann", "eve"]}`:                                      "ac",
		`{"field": "owner", "op": "contains", "value": "n"}`:                                                  "a",
		`{"field": "owner", "op": "matches", "value": ".*"}`:                                                  "ac", // a missing value does not match
		`{"field": "title", "op": "matches", "value": "^(?i:old)"}`:                                           "def",
		`{"field": "title", "op": "contains", "value": "rr"}`:                                                 "bc",
		`{"field": "body", "op": "contains", "value": "Wrap"}`:                                                "bc",
		`{"field": "requirement", "op": "eq", "value": "mandatory"}`:                                          "bc",
		`{"field": "requirement", "op": "in", "value": ["critical", "deprecated"]}`:                           "ade",
		`{"field": "requirement", "op": "matches", "value": "^.{8}$"}`:                                        "af",
		`{"field": "status", "op": "ne", "value": "deprecated"}`:                                              "abcde",
		`{"field": "priority", "op": "lt", "value": 20}`:                                                      "a",
		`{"field": "priority", "op": "le", "value": 20}`:                                                      "ab",
		`{"field": "priority", "op": "gt", "value": 50}`:                                                      "ef",
		`{"field": "priority", "op": "ge", "value": 49.5}`:                                                    "cdef",
		`{"field": "priority", "op": "in", "value": [1, 100]}`:                                                "aef",
		`{"field": "priority", "op": "ne", "value": 50}`:                                                      "abef",
		`{"field": "usageCount", "op": "ge", "value": 0}`:                                                     "a",
		`{"field": "usageCount", "op": "ne", "value": 7}`:                                                     "bcdef",
		`{"field": "reviewIntervalDays", "op": "eq", "value": 30}`:                                            "a",
		`{"field": "categories", "op": "contains", "value": "go"}`:                                            "ab",
		`{"field": "categories", "op": "contains", "value": "g"}`:                                             "",
		`{"field": "categories", "op": "exists", "value": false}`:                                             "cdef",
		`{"field": "extensions", "op": "exists", "value": false}`:                                             "abcdef",
		`{"field": "nextReviewDue", "op": "olderThan", "value": "0d"}`:                                        "a",
		`{"field": "nextReviewDue", "op": "olderThan", "value": "1d"}`:                                        "", // not a second more
		`{"field": "nextReviewDue", "op": "lt", "value": "2025-06-02"}`:                                       "a",
		`{"field": "nextReviewDue", "op": "eq", "value": "2025-06-02T02:00:00+02:00"}`:                        "b",
		`{"field": "nextReviewDue", "op": "ge", "value": "2025-05-31T00:00:00.000Z"}`:                         "ab",
		`{"field": "lastReviewedAt", "op": "olderThan", "value": "90d"}`:                                      "d",
		`{"field": "successor", "op": "eq", "value": "living"}`:                                               "d",
		`{"field": "successor", "op": "eq", "value": "dead"}`:                                                 "ef",
		`{"field": "successor", "op": "eq", "value": "none"}`:                                                 "abc",
		`{"field": "bodyTokens", "op": "gt", "value": 2}`:                                                     "abce",
		`{"field": "bodyTokens", "op": "eq", "value": 3}`:                                                     "be",
		`{"field": "approval", "op": "eq", "value": "current"}`:                                               "a",
		`{"field": "approval", "op": "eq", "value": "stale"}`:                                                 "bc",
		`{"field": "approval", "op": "eq", "value": "none"}`:                                                  "def",
		`{"requirement": "mandatory", "priorityGt": 20}`:                                                      "c",
		`{"all": [{"requirement": "mandatory"}, {"field": "owner", "op": "exists", "value": true}]}`:          "c",
		`{"any": [{"field": "id", "op": "eq", "value": "a"}, {"field": "id", "op": "eq", "value": "f"}]}`:     "af",
		`{"not": [{"field": "id", "op": "eq", "value": "a"}, {"field": "id", "op": "eq", "value": "f"}]}`:     "bcde",
		`{"all": [{"any": [{"priorityGt": 20}]}, {"not": [{"field": "title", "op": "eq", "value": "Old"}]}]}`: "cef",
		`{"not": [{}]}`: "",
	} {
		got := evaluate([]byte(count(where)), team()).Results[0]
		ids := ""
		for _, id := range got.Offenders {
			ids += string(id)
		}
		if ids != want || got.Error != "" {
			// No count is less than 0, so the gate must have failed.
			t.Errorf("%s: chooses %q, want %q; error %q", where, ids, want, got.Error)
		}
	}
}

// TestFigures checks the figure and the offenders of each type.
func TestFigures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		gate      string // without id and severity
		figure    float64
		count     int64
		offenders string
	}{
		{`"type": "count", "where": {}, "op": "==", "value": 5`, 6, 6, "abcdef"},
		{`"type": "count", "where": {}, "op": ">=", "value": 7`, 6, 6, ""}, // a count that is too low has no offenders
		{`"type": "ratio", "where": {"field": "owner", "op": "exists", "value": true}, "of": {"requirement": "mandatory"}, "op": ">=", "value": 0.75`, 0.5, 1, "b"},
		{`"type": "ratio", "where": {"field": "owner", "op": "exists", "value": true}, "of": {}, "op": "<", "value": 0.1`, 1.0 / 3, 2, "ac"},
		{`"type": "sum", "field": "priority", "where": {"requirement": "mandatory"}, "op": "<=", "value": 69.5`, 70, 2, "bc"},
		{`"type": "sum", "field": "usageCount", "where": {}, "op": "==", "value": 8`, 7, 6, ""},
		{`"type": "sum", "field": "riskScore", "where": {"field": "id", "op": "eq", "value": "e"}, "op": ">", "value": -30`, -30, 1, ""},
		{`"type": "sum", "field": "priority", "where": {"field": "id", "op": "eq", "value": "nobody"}, "op": "!=", "value": 0`, 0, 0, ""},
		{`"type": "min", "field": "priority", "where": {}, "op": ">=", "value": 21`, 1, 6, "ab"},
		{`"type": "max", "field": "bodyTokens", "where": {}, "op": "<", "value": 3`, 4, 6, "abce"},
		{`"type": "max", "field": "usageCount", "where": {}, "op": "<", "value": 5`, 7, 6, "a"},
		{`"type": "distinct", "field": "title", "where": {}, "op": "<", "value": 5`, 5, 6, "abcdef"},
		{`"type": "distinct", "field": "owner", "where": {}, "op": ">", "value": 2`, 2, 6, ""},
		{`"type": "distinct", "field": "categories", "where": {}, "op": "==", "value": 1`, 2, 6, "ab"},
		{`"type": "unique", "field": "title", "where": {}, "op": "==", "value": 0`, 2, 2, "bc"},
		{`"type": "unique", "field": "priority", "where": {"priorityGt": 50}, "op": "==", "value": 0`, 2, 2, "ef"},
		{`"type": "unique", "field": "owner", "where": {}, "op": ">", "value": 0`, 0, 0, ""},
	} {
		e := evaluate([]byte(`{"gates": [{"id": "g", "severity": "warn", `+tt.gate+`}]}`), team())
		got := e.Results[0]
		figure := float64(got.Count)
		if got.Actual != nil {
			figure = *got.Actual
		}
		ids := ""
		for _, id := range got.Offenders {
			ids += string(id)
		}
		if got.Error != "" || got.Passed || figure != tt.figure || got.Count != tt.count || ids != tt.offenders {
			t.Errorf("%s:\n got %v of %d, %q, passed %t, error %q\nwant %v of %d, %q", tt.gate, figure, got.Count, ids, got.Passed, got.Error, tt.figure, tt.count, tt.offenders)
		}
		checkContract(t, "gates/evaluate", answered(e))
	}
}

// TestOffendersAreCapped checks that a result lists at most twenty offenders but counts
// all, and that a gate that passed lists none.
func TestOffendersAreCapped(t *testing.T) {
	t.Parallel()
	var entries []*catalog.Entry
	for i := range 25 {
		entries = append(entries, catalog.NewEntry(catalog.Instruction{ID: catalog.ID(fmt.Sprintf("e%02d", 24-i)), Priority: 50}, catalog.Origin{}))
	}
	got := evaluate([]byte(count(`{"field": "owner", "op": "exists", "value": false}`)), entries).Results[0]
	if len(got.Offenders) != MaxOffenders || !slices.IsSorted(got.Offenders) || got.Offenders[0] != "e00" || got.Count != 25 {
		t.Errorf("got %d of %d: %v", len(got.Offenders), got.Count, got.Offenders)
	}
	passes := strings.Replace(count(`{"field": "owner", "op": "exists", "value": false}`), `"<"`, `">="`, 1)
	if got := evaluate([]byte(passes), entries).Results[0]; !got.Passed || got.Offenders != nil {
		t.Errorf("passed: %+v", got)
	}
}

// TestOldGatesAnswerAsBefore checks that OnlyAsked omits the offenders of gates that the
// first version could contain.
func TestOldGatesAnswerAsBefore(t *testing.T) {
	t.Parallel()
	e := evaluate([]byte(`{"gates": [
		{"id": "old", "type": "count", "where": {"requirement": "mandatory"}, "op": "==", "value": 0, "severity": "warn"},
		{"id": "new", "type": "count", "where": {"field": "requirement", "op": "eq", "value": "mandatory"}, "op": "==", "value": 0, "severity": "warn"}
	]}`), team())
	if len(e.Results[0].Offenders) != 2 || len(e.Results[1].Offenders) != 2 {
		t.Errorf("got %+v", e)
	}
	const want = `{"results":[` +
		`{"id":"old","passed":false,"count":2,"op":"==","value":0,"severity":"warn"},` +
		`{"id":"new","passed":false,"count":2,"op":"==","value":0,"severity":"warn","offenders":["b","c"]}],` +
		`"summary":{"errors":0,"warnings":2,"total":2}}`
	if got := asJSON(t, e.OnlyAsked()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// TestGatesThatFailClosed checks that a gate that is invalid or cannot be computed fails
// with severity error, and that the error says what to do.
func TestGatesThatFailClosed(t *testing.T) {
	t.Parallel()
	where := func(w string) string { return `"type": "count", "where": ` + w + `, "op": ">=", "value": 0` }
	condition := func(field, op, value string) string {
		return where(fmt.Sprintf(`{"all": [{"field": %q, "op": %q, "value": %s}]}`, field, op, value))
	}
	for _, tt := range []struct{ gate, says string }{
		{condition("colour", "eq", `"x"`), `where.all[0].field must be a field of an entry, or one of successor, bodyTokens and approval, and not "colour"`},
		{condition("Owner", "eq", `"x"`), `"Owner"`},
		{condition("owner", "is", `"x"`), "where.all[0].op must be one of: eq, ne,"},
		{condition("owner", "lt", `"x"`), "where.all[0].op must be one of: eq, ne, in, contains, matches, exists, as owner is a text"},
		{condition("requirement", "gt", `"mandatory"`), "as requirement is one of a few words"},
		{condition("categories", "eq", `"go"`), "must be one of: contains, exists, as categories is a list"},
		{condition("extensions", "contains", `"go"`), "must be one of: exists"},
		{condition("priority", "contains", `"5"`), "as priority is a number"},
		{condition("priority", "eq", `"5"`), "where.all[0].value must be a number"},
		{condition("priority", "eq", `true`), "where.all[0].value must be a number"},
		{condition("priority", "in", `[]`), "a list with at least one value"},
		{condition("priority", "in", `[1, "2"]`), "a list in which each must be a number"},
		{condition("priority", "in", `[null]`), "a list in which each must be a number"},
		{condition("priority", "in", `5`), "must be a list"},
		{condition("owner", "eq", `5`), "must be a string"},
		{condition("owner", "eq", `null`), "where.all[0].value must be"},
		{condition("owner", "eq", `""`), "must not be empty: exists with false"},
		{condition("owner", "eq", `["x"]`), "must be a string"},
		{condition("owner", "eq", `{}`), "where.all[0].value must be"},
		{condition("owner", "contains", `""`), "must not be empty"},
		{condition("owner", "exists", `"yes"`), "must be true or false"},
		{condition("owner", "exists", `null`), "where.all[0].value must be"},
		{condition("title", "matches", `"("`), "regular expression"},
		{condition("title", "matches", `"(?<=a)b"`), "regular expression"},
		{condition("requirement", "eq", `"MUST"`), "must be one of: critical, mandatory, recommended, optional, deprecated"},
		{condition("requirement", "ne", `"MUST"`), "must be one of: critical"},
		{condition("requirement", "in", `["critical", "must"]`), "each must be one of: critical"},
		{condition("successor", "eq", `"alive"`), "must be one of: living, dead, none"},
		{condition("approval", "eq", `"fresh"`), "must be one of: current, stale, none"},
		{condition("updatedAt", "lt", `"soon"`), "must be a time, such as 2025-01-31"},
		{condition("updatedAt", "lt", `5`), "must be a time"},
		{condition("updatedAt", "olderThan", `90`), "must be a number of days"},
		{condition("updatedAt", "olderThan", `"90"`), `such as "90d"`},
		{condition("updatedAt", "olderThan", `"-1d"`), `such as "90d"`},
		{condition("updatedAt", "olderThan", `"9999999d"`), `such as "90d"`},
		{condition("updatedAt", "olderThan", `"3m"`), `such as "90d"`},
		{condition("owner", "olderThan", `"90d"`), "as owner is a text"},
		{where(`{"field": "owner", "op": "eq"}`), "where.value is required"},
		{where(`{"field": "owner", "value": "x"}`), "where.op is required"},
		{where(`{"op": "eq", "value": "x"}`), "where.field is required"},
		{where(`{"value": null}`), "where.value must be"},
		{where(`{"all": []}`), "where.all must not be empty"},
		{where(`{"all": {}}`), "where.all must be an array"},
		{where(`{"all": null}`), "where.all must be an array"},
		{where(`{"all": [1]}`), "where.all[0] must be an object"},
		{where(`{"all": [{}], "any": [{}]}`), "where must be one of: requirement and priorityGt; field, op and value; all; any; not"},
		{where(`{"not": [{}], "priorityGt": 5}`), "where must be one of:"},
		{where(`{"field": "owner", "op": "eq", "value": "x", "requirement": "critical"}`), "where must be one of:"},
		{where(`{"none": [{}]}`), "where.none is not known here"},
		{where(`{"all": [{"field": "owner", "op": "eq", "value": "x", "case": true}]}`), "where.all[0].case is not known here"},
		{where(strings.Repeat(`{"not": [`, maxNesting+1) + `{}` + strings.Repeat(`]}`, maxNesting+1)), "nested deeper than 10 levels"},
		{where(`{"any": [` + strings.Repeat(`{},`, maxConditions) + `{}]}`), "at most 10000 conditions"},
		{`"type": "count", "where": {}, "op": ">=", "value": 0, "of": {}`, "of does not belong to a gate of type count"},
		{`"type": "count", "where": {}, "op": ">=", "value": 0, "field": "priority"`, "field does not belong to a gate of type count"},
		{`"type": "count", "where": {}, "op": ">=", "value": 0.5`, "value must be an integer, without a fraction"},
		{`"type": "unique", "field": "title", "where": {}, "op": "==", "value": 0.5`, "value must be an integer, without a fraction"},
		{`"type": "distinct", "field": "title", "where": {}, "op": ">=", "value": -1`, "value must be at least 0"},
		{`"type": "ratio", "where": {}, "op": ">=", "value": 0`, "of is required of a gate of type ratio"},
		{`"type": "ratio", "where": {}, "of": {}, "field": "priority", "op": ">=", "value": 0`, "field does not belong"},
		{`"type": "ratio", "where": {}, "of": {}, "op": "<=", "value": 90`, "value must be at most 1"},
		{`"type": "ratio", "where": {}, "of": {}, "op": "<=", "value": "0.9"`, "value must be a number, not a string"},
		{`"type": "ratio", "where": {}, "of": {"colour": 1}, "op": "<=", "value": 1`, "of.colour is not known here"},
		{`"type": "ratio", "where": {}, "of": {"field": "owner", "op": "eq", "value": "nobody"}, "op": ">=", "value": 0`, "no entry to compute it from"},
		{`"type": "min", "field": "usageCount", "where": {"requirement": "optional"}, "op": ">=", "value": 0`, "no entry to compute it from"},
		{`"type": "max", "field": "priority", "where": {"field": "owner", "op": "eq", "value": "nobody"}, "op": "<=", "value": 100`, "no entry to compute it from"},
		{`"type": "sum", "where": {}, "op": ">=", "value": 0`, "field is required of a gate of type sum"},
		{`"type": "sum", "field": "colour", "where": {}, "op": ">=", "value": 0`, "field must be a field of an entry"},
		{`"type": "max", "field": "updatedAt", "where": {}, "op": ">=", "value": 0`, "updatedAt is a time"},
		{`"type": "unique", "field": "categories", "where": {}, "op": ">=", "value": 0`, "categories is a list"},
		{`"type": "distinct", "field": "extensions", "where": {}, "op": ">=", "value": 0`, "extensions is no single value"},
		{`"type": "median", "field": "priority", "where": {}, "op": ">=", "value": 0`, "type must be one of: count, ratio, sum, min, max, distinct, unique"},
	} {
		e := evaluate([]byte(`{"gates": [{"id": "g", "severity": "warn", `+tt.gate+`}]}`), team())
		got := e.Results[0]
		if got.Passed || got.Severity != SeverityError || !strings.Contains(got.Error, tt.says) || got.Offenders != nil {
			t.Errorf("%.200s:\n got %+v\nwant an error that says %q", tt.gate, got, tt.says)
		}
		checkContract(t, "gates/evaluate", answered(e))
	}
}

// TestEveryField checks that gates know each field of an entry exactly once, and no others.
func TestEveryField(t *testing.T) {
	t.Parallel()
	for _, name := range catalog.Fields() {
		if _, ok := fields[string(name)]; !ok {
			t.Errorf("no gate can name %s", name)
		}
	}
	if got, want := len(fields), len(catalog.Fields())+3; got != want {
		t.Errorf("gates know %d fields, want %d: those of an entry, and three derived", got, want)
	}
	for name, f := range fields {
		if ops[f.kind] == nil || kinds[f.kind] == "" || f.kind == word && len(f.words) < 3 {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestTableIsReused checks that a field is read once per snapshot, and that a later gate
// can use further fields.
func TestTableIsReused(t *testing.T) {
	t.Parallel()
	table := NewTable(catalog.NewSnapshot(team(), nil))
	first := Parse([]byte(count(`{"field": "owner", "op": "eq", "value": "ann"}`)))
	second := Parse([]byte(count(`{"all": [{"field": "owner", "op": "eq", "value": "bob"}, {"field": "body", "op": "contains", "value": "all"}]}`)))
	for range 2 {
		if got := first.Evaluate(table, now).Results[0].Offenders; !slices.Equal(got, []catalog.ID{"a"}) {
			t.Errorf("got %v", got)
		}
		if got := second.Evaluate(table, now).Results[0].Offenders; !slices.Equal(got, []catalog.ID{"c"}) {
			t.Errorf("got %v", got)
		}
	}
	if len(table.columns) != 1 {
		t.Errorf("%d columns are kept, want that of the owner", len(table.columns))
	}
}

// TestSchemaKnowsTheLanguage checks that the values that the schema lists can be evaluated.
func TestSchemaKnowsTheLanguage(t *testing.T) {
	t.Parallel()
	var bundle struct {
		Definitions struct {
			Gate, Where struct {
				Properties map[string]struct{ Enum []string }
			}
		}
	}
	if err := json.Unmarshal(schemaOfGate(), &bundle); err != nil {
		t.Fatal(err)
	}
	if got := bundle.Definitions.Where.Properties["op"].Enum; !slices.Equal(got, allOps) {
		t.Errorf("ops: the schema has %v, want %v", got, allOps)
	}
	types := texts([]Type{TypeCount, TypeRatio, TypeSum, TypeMin, TypeMax, TypeDistinct, TypeUnique})
	if got := bundle.Definitions.Gate.Properties["type"].Enum; !slices.Equal(got, types) {
		t.Errorf("types: the schema has %v, want %v", got, types)
	}
}
