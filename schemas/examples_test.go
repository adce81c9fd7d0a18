package schemas_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/schemas"
)

// eachExample runs a test for every example of every method.
func eachExample(t *testing.T, test func(t *testing.T, m *schemas.Method, e schemas.Example)) {
	for _, name := range schemas.V1().Methods() {
		m := method(t, name)
		for _, e := range m.Examples() {
			t.Run(name+"/"+e.Name, func(t *testing.T) {
				t.Parallel()
				test(t, m, e)
			})
		}
	}
}

func TestExamplesFitTheSchemas(t *testing.T) {
	t.Parallel()
	eachExample(t, func(t *testing.T, m *schemas.Method, e schemas.Example) {
		if e.Name == "" || e.Description == "" {
			t.Error("it has no name or no description")
		}
		if found := validate(t, m.Params, string(e.Params)); found != nil {
			t.Errorf("params: %q", found)
		}
		if found := validate(t, m.Result, string(e.Result)); found != nil {
			t.Errorf("result: %q", found)
		}
	})
}

// TestEveryVariantHasAnExample checks that each variant of a result has an example.
func TestEveryVariantHasAnExample(t *testing.T) {
	t.Parallel()
	for _, name := range schemas.V1().Methods() {
		m := method(t, name)
		variants, _ := m.Result.Tree()["oneOf"].([]any)
		for _, v := range variants {
			variant := v.(map[string]any)
			if !slices.ContainsFunc(m.Examples(), func(e schemas.Example) bool { return hasAll(t, e.Result, variant["required"].([]any)) }) {
				t.Errorf("%s: there is no example of %v", name, variant["title"])
			}
		}
	}
}

func hasAll(t *testing.T, result json.RawMessage, names []any) bool {
	object := decode[map[string]any](t, result)
	return !slices.ContainsFunc(names, func(name any) bool { return object[name.(string)] == nil })
}

func decode[T any](t testing.TB, data json.RawMessage) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// entry holds the members of an entry that the examples show.
type entry struct {
	ID          string
	Body        string
	Priority    int
	Requirement string
	SourceHash  string
	RiskScore   int
}

// answer holds the members that results of the instructions methods share.
type answer struct {
	Hash                    string
	Count                   *int
	Item                    *entry
	Items                   []entry
	Added, Updated, Changed []entry
	Removed                 []string
	NextCursor              string
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// catalogHash returns the hash of a catalog with the given body hashes by id.
func catalogHash(sourceHashes map[string]string) string {
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(sourceHashes)) {
		parts = append(parts, id+":"+sourceHashes[id])
	}
	return hashOf(strings.Join(parts, "|"))
}

// exampleCatalog returns the sourceHash of each entry in the catalog that all examples
// use.
func exampleCatalog(t testing.TB) map[string]string {
	t.Helper()
	for _, e := range method(t, "instructions/list").Examples() {
		if e.Name == "everything" {
			return hashes(decode[answer](t, e.Result).Items)
		}
	}
	t.Fatal("there is no example that lists everything")
	return nil
}

func hashes(entries []entry) map[string]string {
	out := map[string]string{}
	for _, e := range entries {
		out[e.ID] = e.SourceHash
	}
	return out
}

// TestExamplesAreTrue checks that the hashes in the examples match the bodies and the
// catalog in the examples.
func TestExamplesAreTrue(t *testing.T) {
	t.Parallel()
	catalog := exampleCatalog(t)
	if len(catalog) == 0 {
		t.Fatal("the example catalog is empty")
	}
	want := catalogHash(catalog)
	eachExample(t, func(t *testing.T, m *schemas.Method, e schemas.Example) {
		a := decode[struct {
			answer
			Items json.RawMessage // other methods use another type
		}](t, e.Result)
		if a.Hash != "" && a.Hash != want {
			t.Errorf("hash is %s, that of the example catalog is %s", a.Hash, want)
		}
		if !strings.HasPrefix(m.Name, "instructions/") {
			return
		}
		full := decode[answer](t, e.Result)
		if full.Item != nil {
			full.Items = append(full.Items, *full.Item)
		}
		for _, shown := range slices.Concat(full.Items, full.Added, full.Updated, full.Changed) {
			checkEntry(t, shown, catalog)
		}
		if full.Count != nil && full.NextCursor == "" && !strings.Contains(string(e.Params), "cursor") && *full.Count != len(full.Items) {
			t.Errorf("count is %d, there are %d items", *full.Count, len(full.Items))
		}
	})
}

func checkEntry(t *testing.T, e entry, catalog map[string]string) {
	if catalog[e.ID] == "" {
		t.Errorf("%s is not in the example catalog", e.ID)
	}
	if e.Body == "" {
		return // a projection
	}
	if e.SourceHash != hashOf(e.Body) || e.SourceHash != catalog[e.ID] {
		t.Errorf("%s: sourceHash is %s, that of the body is %s", e.ID, e.SourceHash, hashOf(e.Body))
	}
	weight := map[string]int{"critical": 60, "mandatory": 50, "recommended": 20, "optional": 5, "deprecated": -30}
	if want := 100 - e.Priority + weight[e.Requirement]; e.RiskScore != want {
		t.Errorf("%s: riskScore is %d, want %d", e.ID, e.RiskScore, want)
	}
}

// TestExampleDiffsLeadToTheCatalog checks that applying the example diffs to the
// client's state yields the catalog.
func TestExampleDiffsLeadToTheCatalog(t *testing.T) {
	t.Parallel()
	catalog := exampleCatalog(t)
	tried := 0
	for _, e := range method(t, "instructions/diff").Examples() {
		params := decode[struct {
			ClientHash string
			Known      []entry
		}](t, e.Params)
		if params.Known == nil {
			continue
		}
		tried++
		client := hashes(params.Known)
		if params.ClientHash != "" && params.ClientHash != catalogHash(client) {
			t.Errorf("%s: clientHash is not that of what is known", e.Name)
		}
		a := decode[answer](t, e.Result)
		maps.Copy(client, hashes(slices.Concat(a.Added, a.Updated)))
		for _, id := range a.Removed {
			delete(client, id)
		}
		if !maps.Equal(client, catalog) {
			t.Errorf("%s: the client then holds %v", e.Name, client)
		}
	}
	if tried == 0 {
		t.Error("there is no example with known")
	}
}

func TestExampleReviewsCountRight(t *testing.T) {
	t.Parallel()
	for _, e := range method(t, "prompt/review").Examples() {
		prompt := decode[struct{ Prompt string }](t, e.Params).Prompt
		result := decode[struct {
			Issues []struct{ Severity, Match string }
			Length int
		}](t, e.Result)
		if result.Length != len(prompt) {
			t.Errorf("%s: length is %d, want %d", e.Name, result.Length, len(prompt))
		}
		for _, issue := range result.Issues {
			for part := range strings.SplitSeq(issue.Match, "…") { // a secret shows only its two ends
				if !strings.Contains(prompt, part) {
					t.Errorf("%s: the prompt does not contain %q", e.Name, part)
				}
			}
		}
	}
}

func TestExampleGatesAddUp(t *testing.T) {
	t.Parallel()
	for _, e := range method(t, "gates/evaluate").Examples() {
		result := decode[struct {
			Results []struct {
				Passed   bool
				Severity string
			}
			Summary struct{ Errors, Warnings, Total int }
		}](t, e.Result)
		failed := map[string]int{}
		for _, r := range result.Results {
			if !r.Passed {
				failed[r.Severity]++
			}
		}
		s := result.Summary
		if cmp.Or(s.Errors-failed["error"], s.Warnings-failed["warn"], s.Total-len(result.Results)) != 0 {
			t.Errorf("%s: the summary %+v does not fit the results", e.Name, s)
		}
	}
}
