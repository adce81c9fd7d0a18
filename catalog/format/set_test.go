package format

import (
	"errors"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
)

// TestSet checks that a field is set in the way in which the file writes it, and that no
// other byte changes.
func TestSet(t *testing.T) {
	t.Parallel()
	body := func(text string) Values { return Values{Body: &text} }
	description := func(text string) Values { return Values{Description: &text} }
	globs := func(globs ...string) Values { return Values{Globs: &globs} }
	load := func(load catalog.LoadMode) Values { return Values{Load: &load} }
	for name, tt := range map[string]struct {
		path, before string
		values       Values
		after        string // "" if it cannot be set
	}{
		"body":                         {"a.md", "\ufeff---\r\nowner: us # ours\r\n---\r\nA\r\n", body("B\r\n"), "\ufeff---\r\nowner: us # ours\r\n---\r\nB\r\n"},
		"body alone":                   {"a.md", "A\n", body("B\n"), "B\n"},
		"body, json":                   {"a.json", `{"id":"a", "title":"T", "body":"A"}`, body("B \"b\"\n"), `{"id":"a", "title":"T", "body":"B \"b\"\n"}`},
		"body of a command":            {".gemini/commands/a.toml", "prompt = \"A\"\n", body("B"), ""},
		"description":                  {"a.md", "---\nsemanticSummary: 'A' # ours\n---\nT\n", description("B"), "---\nsemanticSummary: 'B' # ours\n---\nT\n"},
		"description, other name":      {"a.md", "---\ndescription: A\n---\nT\n", description("B: b"), "---\ndescription: \"B: b\"\n---\nT\n"},
		"description, new":             {"a.md", "T\n", description("B"), "---\nsemanticSummary: \"B\"\n---\nT\n"},
		"description, toml":            {"a.md", "+++\nowner = 'us'\n+++\nT\n", description("B"), "+++\nsemanticSummary = \"B\"\nowner = 'us'\n+++\nT\n"},
		"description, json":            {"a.json", "{\n  \"id\": \"a\", \"title\": \"T\", \"body\": \"A\"}", description("B"), "{\n  \"semanticSummary\": \"B\",\n  \"id\": \"a\", \"title\": \"T\", \"body\": \"A\"}"},
		"description, CRLF":            {"a.md", "---\r\nowner: us\r\n---\r\nT\r\n", description("B"), "---\r\nowner: us\r\nsemanticSummary: B\r\n---\r\nT\r\n"},
		"description of a rule":        {".cursor/rules/a.mdc", "---\ndescription: A\nglobs: *.go\n---\nT\n", description("B: b"), "---\ndescription: B: b\nglobs: *.go\n---\nT\n"},
		"globs":                        {"a.md", "---\nappliesTo:\n  - \"*.go\" # ours\n---\nT\n", globs("*.go", "*.ts"), "---\nappliesTo:\n  - \"*.go\" # ours\n  - \"*.ts\"\n---\nT\n"},
		"globs, a text":                {"a.md", "---\nglobs: \"*.go\"\n---\nT\n", globs("*.go", "*.ts"), "---\nglobs: \"*.go,*.ts\"\n---\nT\n"},
		"globs, none left":             {"a.md", "---\nowner: us\nappliesTo: [\"*.go\"]\n---\nT\n", globs(), "---\nowner: us\n---\nT\n"},
		"globs, none left in json":     {"a.json", `{"id":"a", "title":"T", "body":"A", "appliesTo":["*.go"]}`, globs(), ""},
		"globs, bare":                  {".cursor/rules/a.mdc", "---\nglobs: *.go\nowner: us\n---\nT\n", globs("**/*.go", "**/*.ts"), "---\nglobs: *.go,**/*.ts\nowner: us\n---\nT\n"},
		"globs below a folder":         {"web/.cursor/rules/a.mdc", "---\nglobs: src/**\n---\nT\n", globs("web/lib/**"), "---\nglobs: lib/**\n---\nT\n"},
		"globs of another folder":      {"web/.cursor/rules/a.mdc", "---\nglobs: src/**\n---\nT\n", globs("lib/**"), ""},
		"globs of Copilot":             {".github/instructions/a.instructions.md", "---\napplyTo: '*.go'\n---\nT\n", globs("*.go", "*.ts"), "---\napplyTo: '*.go,*.ts'\n---\nT\n"},
		"globs of Copilot, new":        {".github/instructions/a.instructions.md", "---\ndescription: A\n---\nT\n", globs("*.go", "*.ts"), "---\ndescription: A\napplyTo: \"*.go,*.ts\"\n---\nT\n"},
		"globs of a file without any":  {"AGENTS.md", "T\n", globs("*.go"), ""},
		"load":                         {"a.md", "---\nload: manual\n---\nT\n", load(catalog.LoadAlways), "---\nload: always\n---\nT\n"},
		"load that follows from globs": {"a.md", "T\n", load(catalog.LoadGlob), "T\n"},
		"load of an agent's file":      {".kiro/steering/a.md", "---\ninclusion: manual\n---\nT\n", load(catalog.LoadAlways), ""},
	} {
		f := File{Path: tt.path, Data: []byte(tt.before)}
		if place, ok := agents.At(tt.path); ok {
			f.Place = &place
		}
		got, err := Set(f, tt.values)
		if string(got) != tt.after || (err == nil) != (tt.after != "") || err != nil && !errors.Is(err, ErrSet) {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, tt.after)
		}
	}
	if _, err := Set(File{Path: "a.json", Data: []byte("{")}, body("B")); err == nil {
		t.Error("a file that is no entry is taken")
	}
}
