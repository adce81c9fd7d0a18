package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// entryMembers are the members of the reference's InstructionEntry that an entry of a
// minimal file has.
const entryMembers = "audience body categories createdAt id priority requirement riskScore schemaVersion sourceHash title updatedAt"

// TestReferenceClients compares the members of each answer with those that the
// reference documents. A client that was written for the reference and requests nothing
// else must get no others. Additions of this contract appear only on request.
func TestReferenceClients(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "plain.json"), `{"id":"plain","title":"Plain","body":"Plain.\n","priority":50,"audience":"all",
		"requirement":"mandatory","categories":["x"],"schemaVersion":"1","createdAt":"2025-01-01T00:00:00.000Z","updatedAt":"2025-01-01T00:00:00.000Z",
		"sourceHash":"drifted"}`)
	writeFile(t, filepath.Join(dir, "gates.json"), `{"gates":[{"id":"g","type":"count","where":{},"op":">=","value":1,"severity":"error"}]}`)
	tests := []struct {
		method, params string
		place          string // the object with the members, as a path in the result
		want           string
	}{
		{"health/check", `{}`, "", "status timestamp version"},
		{"instructions/list", `{}`, "", "count hash items"},
		{"instructions/list", `{}`, "items", entryMembers},
		{"instructions/list", `{"category":"none"}`, "", "count hash items"},
		{"instructions/get", `{"id":"plain"}`, "", "hash item"},
		{"instructions/get", `{"id":"plain"}`, "item", entryMembers},
		{"instructions/get", `{"id":"nothing"}`, "", "notFound"},
		{"instructions/search", `{"q":"plain"}`, "", "count hash items"},
		{"instructions/search", `{"q":"plain"}`, "items", entryMembers},
		// Requested members are added.
		{"instructions/get", `{"id":"plain","bodyLimit":3}`, "", "bodyLength hash item"},
		{"instructions/get", `{"id":"plain","bodyLimit":3}`, "item", entryMembers},
		{"instructions/search", `{"q":"plain","snippet":false}`, "items", entryMembers},
		{"instructions/search", `{"q":"plain","snippet":true,"fields":["id"]}`, "", "count hash items"},
		{"instructions/search", `{"q":"plain","snippet":true,"fields":["id"]}`, "items", "id snippet"},
		{"instructions/diff", `{}`, "", "changed hash"},
		{"instructions/diff", `{}`, "changed", entryMembers},
		{"instructions/diff", `{"known":[]}`, "", "added hash removed updated"},
		{"instructions/diff", `{"known":[]}`, "added", entryMembers},
		{"instructions/diff", `{"known":[{"id":"plain","sourceHash":"old"}]}`, "updated", entryMembers},
		{"instructions/diff", `{"clientHash":"$HASH"}`, "", "hash upToDate"},
		{"integrity/verify", `{}`, "", "count hash issueCount issues"},
		{"integrity/verify", `{}`, "issues", "actual expected id"},
		{"usage/track", `{"id":"nothing"}`, "", "notFound"},
		{"usage/track", `{"id":"plain"}`, "", "id lastUsedAt usageCount"},
		{"usage/hotset", `{}`, "", "count hash items limit"},
		{"usage/hotset", `{}`, "items", "id lastUsedAt usageCount"},
		{"instructions/get", `{"id":"plain"}`, "item", "audience body categories createdAt id lastUsedAt priority requirement riskScore schemaVersion sourceHash title updatedAt usageCount"},
		{"gates/evaluate", `{}`, "", "generatedAt results summary"},
		{"gates/evaluate", `{}`, "results", "count id op passed severity value"},
		{"gates/evaluate", `{}`, "summary", "errors total warnings"},
		{"metrics/snapshot", `{}`, "", "generatedAt methods"},
		{"metrics/snapshot", `{}`, "methods", "avgMs count maxMs method"},
		// Two additions to prompt/review are always present: length, and the category
		// of an issue, which the reference announces.
		{"prompt/review", `{"prompt":"x"}`, "", "issues length summary"},
		{"prompt/review", `{"prompt":"x"}`, "summary", "counts highestSeverity"},
		{"prompt/review", `{"prompt":"It is TODO: so"}`, "issues", "category description match remediation ruleId severity"},
	}
	s := p.serve(t, dir)
	values := map[string]string{}
	for _, tt := range tests {
		answer := s.call(tt.method, fill(tt.params, "", values))
		if got := membersOf(t, answer.line, ""); got != "id jsonrpc result" {
			t.Fatalf("%s %s: the response has %q: %s", tt.method, tt.params, got, answer.line)
		}
		if got := membersOf(t, answer.Result, tt.place); got != tt.want {
			t.Errorf("%s %s: %s has the members %q, want %q", tt.method, tt.params, tt.place, got, tt.want)
		}
		keep(t, answer.Result, "", values)
	}
	// Params may be missing or null if none is required.
	for _, line := range []string{`{"jsonrpc":"2.0","id":1,"method":"instructions/list"}`, `{"jsonrpc":"2.0","id":1,"method":"instructions/list","params":null}`} {
		s.send(line + "\n")
		if answer := s.receive(); membersOf(t, answer.Result, "") != "count hash items" {
			t.Errorf("%s: %s", line, answer.line)
		}
	}
}

// membersOf returns the sorted member names of a JSON object, or of the object at a
// place in it: a member, or its first element if that is a list.
func membersOf(t *testing.T, raw []byte, place string) string {
	t.Helper()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if place == "" {
		return strings.Join(slices.Sorted(maps.Keys(object)), " ")
	}
	inner := object[place]
	if strings.HasPrefix(string(inner), "[") {
		var array []json.RawMessage
		if err := json.Unmarshal(inner, &array); err != nil || len(array) == 0 {
			t.Fatalf("%s is an array without elements: %s", place, raw)
		}
		inner = array[0]
	}
	return membersOf(t, inner, "")
}
