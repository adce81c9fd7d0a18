package format

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// modified is the modification time of the test files.
var modified = time.Date(2025, 1, 2, 3, 4, 5, 678e6, time.UTC)

const modifiedStamp = `"2025-01-02T03:04:05.678Z"`

// interpretText decodes a file.
func interpretText(path, content string) Outcome {
	return Decode(File{Path: path, Modified: modified, Data: []byte(content)})
}

// said returns the diagnostics without their paths, one per line.
func said(r Outcome) string {
	var lines []string
	for _, d := range r.Diagnostics {
		lines = append(lines, strings.TrimPrefix(d.String(), d.Path+":"))
	}
	return strings.Join(lines, "\n")
}

// saidAbout is said without line numbers.
func saidAbout(r Outcome) string {
	var lines []string
	for _, d := range r.Diagnostics {
		d.Line = 0
		lines = append(lines, strings.TrimPrefix(d.String(), d.Path+": "))
	}
	return strings.Join(lines, "\n")
}

// served returns a field of the entry as JSON, or "" if there is no entry or field.
func served(t *testing.T, r Outcome, name string) string {
	t.Helper()
	if r.Entry == nil {
		return ""
	}
	encoded, err := json.Marshal(r.Entry.Instruction())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &fields); err != nil {
		t.Fatal(err)
	}
	return string(fields[name])
}

// jsonWith returns a file that needs no normalisation, with one member replaced. If
// source is "", the member is omitted.
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
