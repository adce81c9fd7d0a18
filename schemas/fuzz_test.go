package schemas_test

import (
	"encoding/json"
	"slices"
	"testing"

	"instruction-catalog/schemas"
)

// FuzzValidate checks that Validate returns an error exactly for invalid JSON, and
// otherwise a short, sorted list of issues with messages.
func FuzzValidate(f *testing.F) {
	for _, name := range schemas.V1().Methods() {
		for _, e := range method(f, name).Examples() {
			f.Add([]byte(e.Params))
			f.Add([]byte(e.Result))
		}
	}
	for _, seed := range []string{
		``, `null`, `[]`, `{"limit":1e999999999}`, `{"limit":-1E+400}`, `{"known":[{"id":1},[],null]}`,
		`{"gates":[{"where":{"priorityGt":1e400}}]}`, `{"a":{"b":[{"":"\u0000\ud800"}]}}`, "{\"\xff\":1}",
		`{"version":"1","categories":[{"rules":[{}]}]}`, `{"fields":["id","id"]} x`,
	} {
		f.Add([]byte(seed))
	}
	every := everySchema(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, schema := range every {
			found, err := schema.Validate(data)
			if (err != nil) == json.Valid(data) {
				t.Fatalf("%s: error %v, but is valid JSON: %v", name, err, json.Valid(data))
			}
			checkIssues(t, name, found)
		}
	})
}

func checkIssues(t *testing.T, name string, found issues) {
	if len(found) > schemas.MaxIssues {
		t.Fatalf("%s: %d issues", name, len(found))
	}
	sorted := slices.IsSortedFunc(found, func(a, b schemas.Issue) int {
		return slices.Compare([]string{a.Path, a.Message}, []string{b.Path, b.Message})
	})
	if !sorted {
		t.Fatalf("%s: the issues are not sorted: %q", name, found)
	}
	for _, issue := range found {
		if issue.Message == "" {
			t.Fatalf("%s: %q has no message", name, issue.Path)
		}
	}
}
