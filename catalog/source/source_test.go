package source

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// modified is the modification time of the files of the tests.
var modified = time.Date(2025, 1, 2, 3, 4, 5, 678e6, time.UTC)

const modifiedStamp = `"2025-01-02T03:04:05.678Z"`

// interpretText interprets a file.
func interpretText(path, content string) outcome {
	return interpret(document{path: path, modified: modified, data: []byte(content)})
}

// said returns the diagnostics without their paths, one a line.
func said(r outcome) string {
	var lines []string
	for _, d := range r.diagnostics {
		lines = append(lines, strings.TrimPrefix(d.String(), d.Path+":"))
	}
	return strings.Join(lines, "\n")
}

// saidAbout is said without the lines of the file.
func saidAbout(r outcome) string {
	var lines []string
	for _, d := range r.diagnostics {
		d.Line = 0
		lines = append(lines, strings.TrimPrefix(d.String(), d.Path+": "))
	}
	return strings.Join(lines, "\n")
}

// served returns what the entry has in a field, as JSON, or "" if nothing.
func served(t *testing.T, r outcome, name string) string {
	t.Helper()
	if r.entry == nil {
		return ""
	}
	encoded, err := json.Marshal(r.entry.Instruction())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &fields); err != nil {
		t.Fatal(err)
	}
	return string(fields[name])
}

// jsonWith is a file that needs no normalising, with one member replaced or,
// for a source of "", left out.
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

// A load tells its progress to the end: of a folder in files, of a bundle in bytes.
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
