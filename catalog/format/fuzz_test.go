package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/schemas"
)

// FuzzJSONEntry checks that any file is either served within the bounds of the contract
// or rejected with a reason, and that its body is the one that encoding/json decodes.
func FuzzJSONEntry(f *testing.F) {
	for _, tt := range jsonFieldCases() {
		f.Add(jsonWith(tt.name, tt.source))
	}
	for _, seed := range scannerSeeds {
		f.Add(seed)
	}
	addGolden(f, ".json")
	f.Fuzz(func(t *testing.T, content string) {
		r := interpretText("dir/x.json", content)
		checkOutcome(t, r)
		content = strings.TrimPrefix(content, "\uFEFF")
		if !utf8.ValidString(content) {
			return
		}
		compareScanner(t, content)
		if r.Entry == nil {
			return
		}
		// Decode to a map, because a struct field for body would also match "Body".
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(content), &members); err != nil {
			t.Fatal(err)
		}
		body, ok := members["body"]
		if !ok { // a misspelt name was read as body
			return
		}
		var want string
		if err := json.Unmarshal(body, &want); err != nil || r.Entry.Body.Text() != want {
			t.Errorf("body %q, want %q (%v)", r.Entry.Body.Text(), want, err)
		}
	})
}

// FuzzMarkdownEntry checks that any file is either served within the bounds of the
// contract or rejected with a reason, and that its body is the end of the file, byte
// for byte.
func FuzzMarkdownEntry(f *testing.F) {
	for _, tt := range markdownFieldCases() {
		f.Add(markdownWith(tt.source))
	}
	addGolden(f, ".md")
	f.Fuzz(func(t *testing.T, content string) {
		r := interpretText("dir/x.md", content)
		checkOutcome(t, r)
		if r.Entry == nil {
			return
		}
		front, ok := strings.CutSuffix(content, r.Entry.Body.Text())
		front = strings.TrimPrefix(front, "\uFEFF")
		lines := strings.Split(strings.TrimRight(front, " \t\r\n"), "\n")
		fenced := strings.TrimRight(lines[0], " \t\r") == "---" && lines[len(lines)-1] == "---" && len(lines) > 1
		if !ok || front != "" && !fenced {
			t.Errorf("body %q of %q", r.Entry.Body.Text(), content)
		}
	})
}

// addGolden adds the files of the golden tests as seeds.
func addGolden(f *testing.F, extension string) {
	names, err := filepath.Glob("../source/testdata/*.txtar")
	if err != nil || len(names) == 0 {
		f.Fatal("no golden files", err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, extension) {
				f.Add(string(file.Data))
			}
		}
	}
}

func checkOutcome(t *testing.T, r Outcome) {
	t.Helper()
	failed := false
	for _, d := range r.Diagnostics {
		failed = failed || d.Severity == catalog.SeverityError
		if strings.ContainsAny(d.Message, "\n\r") || !utf8.ValidString(d.Message) || d.Path == "" || d.Line < 0 {
			t.Errorf("unfit to be shown: %q", d)
		}
	}
	if failed && r.Entry != nil || r.Entry == nil && len(r.Diagnostics) == 0 {
		t.Fatalf("entry %v, said %s", r.Entry, said(r))
	}
	if r.Entry != nil {
		checkEntry(t, r.Entry)
	}
}

// checkEntry checks that an entry is within the bounds of the contract.
func checkEntry(t *testing.T, entry *catalog.Entry) {
	t.Helper()
	e := entry.Instruction()
	length := utf8.RuneCountInString
	for rule, kept := range map[string]bool{
		"id":             e.ID.Valid(),
		"title":          e.Title != "" && length(e.Title) <= catalog.MaxTitle,
		"body":           e.Body != "" && length(e.Body) <= catalog.MaxBody,
		"priority":       e.Priority >= catalog.HighestPriority && e.Priority <= catalog.LowestPriority,
		"audience":       e.Audience.Valid(),
		"requirement":    e.Requirement.Valid(),
		"deprecatedBy":   e.Requirement != catalog.Deprecated || e.DeprecatedBy != "",
		"categories":     e.Categories != nil && len(e.Categories) <= catalog.MaxCategories,
		"unique":         slices.IsSorted(e.Categories) && len(slices.Compact(slices.Clone(e.Categories))) == len(e.Categories),
		"lower case":     strings.ToLower(strings.Join(e.Categories, ",")) == strings.Join(e.Categories, ","),
		"schemaVersion":  len(e.SchemaVersion) == 1 && e.SchemaVersion >= "1" && e.SchemaVersion <= "7",
		"usageCount":     e.UsageCount >= 0,
		"status":         e.Status == "" || e.Status.Valid(),
		"priorityTier":   e.PriorityTier == "" || e.PriorityTier.Valid(),
		"classification": e.Classification == "" || e.Classification.Valid(),
		"review":         e.ReviewIntervalDays == nil || *e.ReviewIntervalDays >= 0,
		"changeLog":      e.ChangeLog == nil || json.Valid(e.ChangeLog) && e.ChangeLog[0] == '[',
		"extensions":     e.Extensions == nil || json.Valid(e.Extensions) && e.Extensions[0] == '{',
	} {
		if !kept {
			t.Errorf("%s: %+v", rule, e)
		}
	}
	checkContract(t, entry)
}

// checkContract checks the entry, as it is served, against the contract.
func checkContract(t *testing.T, e *catalog.Entry) {
	t.Helper()
	object := bytes.TrimSuffix(bytes.Clone(e.Encoded()), []byte("}"))
	object = fmt.Appendf(object, `,"usageCount":%d`, e.UsageCount)
	if e.LastUsedAt != "" {
		object = fmt.Appendf(object, `,"lastUsedAt":%q`, e.LastUsedAt)
	}
	object = append(object, '}')
	issues, err := entrySchema().Validate(object)
	if err != nil || len(issues) > 0 {
		t.Errorf("%v %v: served as %s", err, issues, object)
	}
}

// entrySchema returns the schema of an entry in the contract.
var entrySchema = sync.OnceValue(func() *schemas.Schema {
	schema, ok := schemas.V1().Definition("InstructionEntry")
	if !ok {
		panic("the contract does not define InstructionEntry")
	}
	return schema
})

// FuzzAgentsFile checks that any agent's file is either served or has a diagnostic, and
// that a served entry fits the contract.
func FuzzAgentsFile(f *testing.F) {
	for _, path := range []string{"AGENTS.md", ".cursor/rules/a.mdc", ".claude/rules/a.md", "a/SKILL.md", ".gemini/commands/a.toml", ".clinerules/a.txt"} {
		f.Add(path, "---\nglobs: **/*\nname: a\npaths: [\n\tb\n---\nBody")
		f.Add(path, "prompt = \"\"\"\nx\"\"\"\n[a]\nb = 1979-05-27\n")
		f.Add(path, "+++\nid = 'a'\nstatus = 'x'\n+++\nBody")
	}
	f.Fuzz(func(t *testing.T, path, content string) {
		place, ok := agents.At(path)
		if !ok || path[0] == '/' {
			return
		}
		checkOutcome(t, Decode(File{Path: path, Modified: modified, Data: []byte(content), Place: &place}))
	})
}
