package source

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// modified is the modification time of the test files.
var modified = time.Date(2025, 1, 2, 3, 4, 5, 678e6, time.UTC)

const modifiedStamp = `"2025-01-02T03:04:05.678Z"`

// jsonWith returns a file that needs no normalisation, with one member replaced. If
// source is "", the member is removed.
func jsonWith(name, source string) string {
	members := map[string]string{
		"id": `"x"`, "title": `"T"`, "body": `"B"`, "priority": `10`, "audience": `"group"`,
		"requirement": `"optional"`, "categories": `["c"]`, "schemaVersion": `"2"`,
	}
	members[name] = source
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if members[name] != "" {
			lines = append(lines, `"`+name+`": `+members[name])
		}
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}\n"
}

func markdownWith(front string) string { return "---\n" + front + "\n---\nBody\n" }

// fieldFiles holds files with each case of a field. The tests of package format write
// them.
func fieldFiles(t testing.TB) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile("../format/testdata/fields.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// A load reports its progress up to the total: in files for a folder, in bytes for a
// bundle.
func TestLoadTellsProgress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "a", "b/b.md": "b", "c.txt": "none"})
	content := strings.Repeat(minimal("a")+"\n", 9)
	for path, want := range map[string]int{dir: 2, writeBundle(t, "b.jsonl", content): len(content)} {
		var mu sync.Mutex
		most := 0
		ctx := WithProgress(t.Context(), func(done, total int) {
			mu.Lock()
			defer mu.Unlock()
			if most = max(most, done); total != want {
				t.Errorf("%d of %d, want %d", done, total, want)
			}
		})
		if _, err := New(path).Load(ctx); err != nil || most != want {
			t.Errorf("got to %d of %d, %v", most, want, err)
		}
	}
}
