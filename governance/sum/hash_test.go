package sum

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"instruction-catalog/catalog"
)

func instruction() catalog.Instruction {
	return catalog.Instruction{
		ID: "wrap-errors", Title: "Wrap errors", Body: "Wrap <errors>.\n", Priority: 20,
		Audience: "individual", Requirement: "mandatory", Categories: []string{"errors", "go"}, SchemaVersion: "7",
		CreatedAt: "2025-01-01T00:00:00.000Z", UpdatedAt: "2025-02-01T00:00:00.000Z",
	}
}

func entry(i catalog.Instruction) *catalog.Entry { return catalog.NewEntry(i, catalog.Origin{}) }

// TestHashCoversEveryField checks that the hash covers new fields of the model without
// further work.
func TestHashCoversEveryField(t *testing.T) {
	t.Parallel()
	covered := fields{}
	for _, name := range catalog.Fields() {
		covered[string(name)] = json.RawMessage(`"x"`)
	}
	all := covered.hash()
	covered.remove(ungoverned)
	if len(covered) != len(catalog.Fields())-len(ungoverned) {
		t.Errorf("one of %q is no field of an instruction", ungoverned)
	}
	if covered.hash() == all {
		t.Error("what is removed does not change the hash")
	}
	for name := range maps.Clone(covered) {
		before := covered.hash()
		covered[name] = json.RawMessage(`"y"`)
		if covered.hash() == before {
			t.Errorf("another %s has the same hash", name)
		}
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	extensions := func(text string) func(*catalog.Instruction) {
		return func(i *catalog.Instruction) { i.Extensions = json.RawMessage(text) }
	}
	for _, test := range []struct {
		name string
		a, b func(*catalog.Instruction)
		same bool
	}{
		{"times", func(i *catalog.Instruction) {}, func(i *catalog.Instruction) { i.CreatedAt, i.UpdatedAt = "1999-01-01T00:00:00.000Z", "" }, true},
		{"use", func(i *catalog.Instruction) {}, func(i *catalog.Instruction) { i.UsageCount, i.LastUsedAt = 5, "1999-01-01T00:00:00.000Z" }, true},
		{"body", func(i *catalog.Instruction) {}, func(i *catalog.Instruction) { i.Body += " " }, false},
		{"priority", func(i *catalog.Instruction) {}, func(i *catalog.Instruction) { i.Priority++ }, false},
		{"layout", extensions(`{"a":{"x":1,"y":[1,2]},"b":"é"}`), extensions(`{ "b" : "\u00E9", "a":{"y":[1, 2],"x":1} }`), true},
		{"order of a list", extensions(`{"a":[1,2]}`), extensions(`{"a":[2,1]}`), false},
		{"unknown field", extensions(`{"a":true}`), extensions(`{"a":false}`), false},
		{"case of a name", extensions(`{"a":true}`), extensions(`{"A":true}`), false},
		{"large numbers", extensions(`{"a":9007199254740992}`), extensions(`{"a":9007199254740993}`), false},
		{"a member twice", extensions(`{"a":1,"a":2}`), extensions(`{"a":2,"a":1}`), false},
		{"a member twice, laid out", extensions(`{"a":1,"a":2}`), extensions(`{"a": 1, "a": 2}`), true},
		{"half characters", extensions(`{"a":"\ud800"}`), extensions(`{"a":"\ud801"}`), false},
	} {
		a, b := instruction(), instruction()
		test.a(&a)
		test.b(&b)
		if same := Hash(entry(a)) == Hash(entry(b)); same != test.same {
			t.Errorf("%s: the same hash: %v, want %v", test.name, same, test.same)
		}
	}
}

// TestHashCoversScope checks that the hash covers the scope of an agent's rule, although
// that is not a field of the entry.
func TestHashCoversScope(t *testing.T) {
	t.Parallel()
	var hashes []catalog.Fingerprint
	for _, scope := range []*catalog.Scope{nil, {Folder: "a"}, {Folder: "b"}, {Globs: []string{"*.go"}}} {
		hashes = append(hashes, Hash(catalog.NewEntry(instruction(), catalog.Origin{Path: "x.md", Scope: scope})))
	}
	slices.Sort(hashes)
	if len(slices.Compact(hashes)) != 4 {
		t.Error("two scopes have the same hash")
	}
	if Hash(entry(instruction())) != Hash(catalog.NewEntry(instruction(), catalog.Origin{Path: "y.json", UpdatedWithFile: true})) {
		t.Error("the file changes the hash")
	}
}

func TestApprovalHash(t *testing.T) {
	t.Parallel()
	e := entry(instruction())
	if ApprovalHash(e) != Hash(e) {
		t.Error("without an approval, the hashes differ")
	}
	f := fieldsOf(e)
	for _, name := range approval {
		f[name] = json.RawMessage(`"x"`)
	}
	if f.hash() == Hash(e) {
		t.Error("an approval does not change the hash of an entry")
	}
	f.remove(approval)
	if f.hash() != Hash(e) {
		t.Error("an approval changes the hash that it is of")
	}
}

func TestFileHash(t *testing.T) {
	t.Parallel()
	hash := FileHash([]byte(`{"gates":[{"id":"a","value":1}]}`))
	for text, same := range map[string]bool{
		"\uFEFF{ \"gates\": [ {\"value\":1,\r\n\"id\":\"a\"} ] }\n": true,
		`{"gates":[{"id":"a","value":2}]}`:                          false,
		`{"gates":[]}`:                                              false,
		`{`:                                                         false,
		``:                                                          false,
	} {
		if got := FileHash([]byte(text)) == hash; got != same {
			t.Errorf("%q: the same hash: %v, want %v", text, got, same)
		}
	}
}
