package instructions_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

type known struct {
	ID         string `json:"id"`
	SourceHash string `json:"sourceHash"`
}

// diffParams returns the params of a diff. If k is nil, known is omitted.
func diffParams(t *testing.T, clientHash string, k []known) string {
	t.Helper()
	params := map[string]any{}
	if clientHash != "" {
		params["clientHash"] = clientHash
	}
	if k != nil {
		params["known"] = k
	}
	encoded, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// TestDiffForms checks which of the three forms is returned, and its members.
func TestDiffForms(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "A.", "b.md": "B."})
	list := c.call("instructions/list", `{}`)
	a, b := known{"a", list.Items[0].SourceHash}, known{"b", list.Items[1].SourceHash}
	const upToDate, precise, changed = "upToDate hash", "hash added updated removed", "hash changed"
	tests := []struct {
		name       string
		clientHash string
		known      []known
		form       string
		changes    string // ids that were added, changed and removed
	}{
		{"nothing", "", nil, changed, "a b||"},
		{"the hash", list.Hash, nil, upToDate, "||"},
		{"the hash in capitals is another", strings.ToUpper(list.Hash), nil, changed, "a b||"},
		{"another hash", "x", nil, changed, "a b||"},
		{"no entries", "", []known{}, precise, "a b||"},
		{"no entries and the hash", list.Hash, []known{}, precise, "a b||"},
		{"all", "", []known{a, b}, precise, "||"},
		{"all and the hash", list.Hash, []known{b, a}, upToDate, "||"},
		{"all and another hash", "x", []known{a, b}, precise, "||"},
		{"a part", "", []known{a}, precise, "b||"},
		{"a part and the hash", list.Hash, []known{a}, precise, "b||"},
		{"older", "", []known{a, {"b", "old"}}, precise, "|b|"},
		{"unknown", "", []known{{"z", ""}, a, {"y", "x"}, b, {"z", ""}}, precise, "||y z"},
		{"no valid ids", "", []known{a, b, {"A", a.SourceHash}, {"../a", ""}}, precise, "||../a A"},
		{"twice, first right", "", []known{a, {"a", "old"}, b}, precise, "||"},
		{"twice, first old", "", []known{{"a", "old"}, a, b}, precise, "|a|"},
		{"everything at once", list.Hash, []known{{"b", "old"}, {"c", ""}}, precise, "a|b|c"},
	}
	for _, tt := range tests {
		params := diffParams(t, tt.clientHash, tt.known)
		raw, got := c.raw("instructions/diff", params), c.call("instructions/diff", params)
		if form := members(t, json.RawMessage(raw)); form != tt.form || got.Hash != list.Hash || got.UpToDate != (form == upToDate) {
			t.Errorf("%s: %s, hash %.12s, upToDate %v", tt.name, form, got.Hash, got.UpToDate)
		}
		changes := ids(append(got.Changed, got.Added...)) + "|" + ids(got.Updated) + "|" + strings.Join(got.Removed, " ")
		if changes != tt.changes {
			t.Errorf("%s: %s, want %s", tt.name, changes, tt.changes)
		}
		if tt.form == precise && (got.Added == nil || got.Updated == nil || got.Removed == nil) {
			t.Errorf("%s: an empty array is written as null: %s", tt.name, raw)
		}
	}
}

// TestDiffYieldsTheCatalog applies diffs to clients in various states and checks that
// each then holds the catalog and that the next diff is empty.
func TestDiffYieldsTheCatalog(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("e%d.md", i)] = fmt.Sprint("Body ", i)
	}
	c := open(t, files)
	catalog := map[string]string{}
	for _, e := range c.call("instructions/list", `{}`).Items {
		catalog[e.ID] = e.SourceHash
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		client := map[string]string{}
		for i := range 16 { // four of them are in no catalog
			switch id := fmt.Sprintf("e%d", i); random.IntN(3) {
			case 0:
				client[id] = catalog[id]
			case 1:
				client[id] = "old"
			}
		}
		got := c.call("instructions/diff", diffParams(t, "", knownOf(client)))
		apply(t, client, got)
		if !maps.Equal(client, catalog) {
			t.Fatalf("after the diff %+v the client holds %v", got, client)
		}
		if again := c.call("instructions/diff", diffParams(t, got.Hash, knownOf(client))); !again.UpToDate {
			t.Fatalf("the client holds the catalog, and is told %+v", again)
		}
	}
}

func knownOf(client map[string]string) []known {
	all := []known{}
	for _, id := range slices.Sorted(maps.Keys(client)) {
		all = append(all, known{id, client[id]})
	}
	return all
}

// apply applies a diff to a client. It fails if an added entry exists already, or if an
// updated or removed entry does not.
func apply(t *testing.T, client map[string]string, r result) {
	t.Helper()
	for _, e := range r.Added {
		if _, there := client[e.ID]; there {
			t.Errorf("%s is added and was known", e.ID)
		}
		client[e.ID] = e.SourceHash
	}
	for _, e := range r.Updated {
		if old, there := client[e.ID]; !there || old == e.SourceHash {
			t.Errorf("%s is updated and was not known, or the same", e.ID)
		}
		client[e.ID] = e.SourceHash
	}
	for _, id := range r.Removed {
		if _, there := client[id]; !there {
			t.Errorf("%s is removed and was not known", id)
		}
		delete(client, id)
	}
}
