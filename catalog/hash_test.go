package catalog

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestEntryHash checks that changing any field changes the hash of the entry and the
// revision of the catalog, except for the usage fields and the computed fields.
func TestEntryHash(t *testing.T) {
	t.Parallel()
	base := Instruction{
		ID: "a", Title: "A", Body: "Body.", Rationale: "r", Priority: 7, Audience: Everybody, Requirement: Mandatory,
		Categories: []string{"c"}, PrimaryCategory: "c", SchemaVersion: "3", DeprecatedBy: "d", CreatedAt: "c", UpdatedAt: "u",
		UsageCount: 5, LastUsedAt: "l", ReviewIntervalDays: new(1), TeamIDs: []string{"t"}, AppliesTo: []string{"*"},
		ChangeLog: json.RawMessage(`[1]`), Extensions: json.RawMessage(`{"x":1}`),
	}
	hash, revision := hashes(base, Origin{})
	unseen := map[string]bool{"UsageCount": true, "LastUsedAt": true, "SourceHash": true, "RiskScore": true} // the last two are computed
	for n := range reflect.TypeFor[Instruction]().NumField() {
		changed := base
		name := reflect.TypeFor[Instruction]().Field(n).Name
		change(t, reflect.ValueOf(&changed).Elem().Field(n))
		got, now := hashes(changed, Origin{})
		if (got == hash) != unseen[name] || (now == revision) != unseen[name] {
			t.Errorf("%s: entryHash %.8s after %.8s, revision %.8s after %.8s", name, got, hash, now, revision)
		}
	}
}

func hashes(i Instruction, from Origin) (entryHash, revision Fingerprint) {
	s := NewSnapshot([]*Entry{NewEntry(i, from)}, nil)
	return s.entries[0].Hash(), s.Revision()
}

// change sets a field to another value.
func change(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Interface().(type) {
	case json.RawMessage:
		v.SetBytes([]byte(`[{}]`))
	case []string:
		v.Set(reflect.ValueOf([]string{"changed"}))
	case *int:
		v.Set(reflect.ValueOf(new(2)))
	default:
		switch v.Kind() {
		case reflect.String:
			v.SetString("changed")
		case reflect.Int, reflect.Int64:
			v.SetInt(v.Int() + 1)
		default:
			t.Fatalf("the test knows no other value of a %s", v.Type())
		}
	}
}

// TestEntryHashOfCopies checks that the hash of an entry does not depend on its path or
// on times taken from the file system.
func TestEntryHashOfCopies(t *testing.T) {
	t.Parallel()
	i := Instruction{ID: "a", Title: "A", Body: "B", CreatedAt: "2025", UpdatedAt: "2025"}
	copied := i
	copied.CreatedAt, copied.UpdatedAt = "2026", "2026"
	here, _ := hashes(i, Origin{Path: "a.md", CreatedWithFile: true, UpdatedWithFile: true})
	there, _ := hashes(copied, Origin{Path: "x/b.md", CreatedWithFile: true, UpdatedWithFile: true})
	if here != there {
		t.Error("the hash sees the time of a file, or its path")
	}
	half, _ := hashes(copied, Origin{CreatedWithFile: true})
	if half == there {
		t.Error("the hash does not see a time that the file says")
	}
	whole := NewEntry(i, Origin{})
	if part := whole.Part(0, 1); part.Hash() != whole.Hash() {
		t.Error("a part has another hash")
	}
}

// BenchmarkRevision measures the first call of Revision with 5,000 entries.
func BenchmarkRevision(b *testing.B) {
	i := entry("a").Instruction()
	for len(i.Body) < 3000 {
		i.Body += "A line of an instruction, and what it says.\n"
	}
	for b.Loop() {
		b.StopTimer()
		entries := make([]*Entry, 5000)
		for n := range entries {
			entries[n] = NewEntry(i, Origin{})
			entries[n].ID += ID(string(rune('a'+n%26)) + string(rune('a'+n/26%26)) + string(rune('a'+n/676)))
		}
		s := NewSnapshot(entries, nil)
		b.StartTimer()
		s.Revision()
	}
}
