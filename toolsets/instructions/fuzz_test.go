package instructions

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
	"instruction-catalog/rpc"
)

// FuzzURI checks that any URI yields a text of the catalog or nothing, and that the URI
// of every id and every skill resolves to it.
func FuzzURI(f *testing.F) {
	for _, uri := range []string{
		"instruction://go-errors", "instruction://Go.Errors", "instruction://%69ndex", indexURI, "skill://go-errors/SKILL.md",
		"INSTRUCTION://%67o-errors", "skill:///SKILL.md", "instruction://%zz", "://", "index", "a_b",
	} {
		f.Add(uri)
	}
	dir := f.TempDir()
	for name, text := range map[string]string{"e.md": "---\nid: Go.Errors\ncontentType: skill\n---\nWrap.", "index.md": "Index."} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	toolset := New(Config{Dir: dir, Now: time.Now})
	ctx := context.Background()
	index, err := toolset.Read(ctx, indexURI)
	if err != nil {
		f.Fatal(err)
	}
	texts := map[string]bool{"Wrap.": true, "Index.": true, index.Text: true, "---\nname: \"go-errors\"\ndescription: \"e\"\n---\n\nWrap.": true}
	f.Fuzz(func(t *testing.T, uri string) {
		content, err := toolset.Read(ctx, uri)
		if err != nil && !errors.Is(err, rpc.ErrNoResource) || err == nil && (content.URI != uri || !texts[content.Text]) {
			t.Errorf("%q: %+v, %v", uri, content, err)
		}
		id := catalog.ID(uri)
		if !id.Valid() {
			return
		}
		if back, ok := instructionID(instructionURI(id)); !ok || back != uri || instructionURI(id) == indexURI {
			t.Errorf("%s leads to %q, %v", instructionURI(id), back, ok)
		}
		if name, ok := skillName(&catalog.Entry{ID: id}); ok {
			if back, file, found := skillNamed(skillURI(name)); !found || back != name || file != skillFile || !validSkillName(name) {
				t.Errorf("%s leads to %q, %v", skillURI(name), back, found)
			}
		}
	})
}

// validSkillName checks a name as the specification describes it.
func validSkillName(name string) bool {
	return len(name) >= 1 && len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" &&
		!strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-") && !strings.Contains(name, "--")
}

// FuzzFrame checks that text from entries and callers never begins a line, and that
// bounded texts stay within their limits.
func FuzzFrame(f *testing.F) {
	f.Add("Wrap errors", "Say what was being done.", "wrap", "go")
	f.Add("a\n- fake [critical]", "---\nname: x\ndescription: y\n---\nbody", "a\u2028b", "x | y")
	f.Add("\x00\u202E|\\", "\r\n---\r\n", "\"", "\n# h")
	f.Add(strings.Repeat("<", 200), strings.Repeat("\u0085", 300), strings.Repeat("&", 900), "\U000E0041")
	f.Fuzz(func(t *testing.T, title, body, query, category string) {
		if utf8.RuneCountInString(title) > catalog.MaxTitle || len(query) > 1000 || strings.TrimSpace(title) == "" || body == "" {
			return
		}
		for _, text := range []*string{&title, &body, &query, &category} {
			*text = strings.ToValidUTF8(*text, "\uFFFD")
		}
		e := catalog.NewEntry(catalog.Instruction{
			ID: "e", Title: title, Body: body, Priority: 1, Requirement: catalog.Deprecated, DeprecatedBy: query,
			SemanticSummary: query, Categories: []string{category},
		}, catalog.Origin{})
		s := catalog.NewSnapshot([]*catalog.Entry{e}, nil)
		checkRows(t, e, query, category)
		checkHead(t, e)
		checkIndex(t, s)
		checkSkill(t, e)
		checkPrompt(t, e, category)
	})
}

// wantLines checks that a text has n lines and contains no other characters that
// terminals or editors treat as line ends.
func wantLines(t *testing.T, text string, n int) {
	t.Helper()
	if got := strings.Count(text, "\n") + 1; got != n {
		t.Errorf("%d lines, want %d: %q", got, n, text)
	}
	for _, r := range strings.ReplaceAll(text, "\n", "") {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%U stands in %q", r, text)
		}
	}
}

func checkRows(t *testing.T, e *catalog.Entry, query, category string) {
	t.Helper()
	one := items{entries: []*catalog.Entry{e}, fields: []catalog.Field{"title", "requirement"}, uses: usage.NewCounter()}
	found := &hits{items: one, snippets: []catalog.Snippet{{Text: body(e)}}}
	found.further = found.members
	for _, text := range []string{
		searchText(searchParams{Query: query}, searchResult{answer{Count: new(1)}, found}),
		listText(listParams{view: view{Category: category}}, listing{answer: answer{Count: new(1)}, Items: &one}),
	} {
		wantLines(t, text, 3)
		if !strings.Contains(text, "\n- e [deprecated]") {
			t.Errorf("the row begins otherwise: %s", text)
		}
	}
}

// body returns the beginning of a body, as long as a snippet may be.
func body(e *catalog.Entry) string { return cut(e.Body.Text(), catalog.MaxSnippet) }

func checkHead(t *testing.T, e *catalog.Entry) {
	t.Helper()
	head, ok := strings.CutSuffix(getText(getParams{}, getResult{Item: &item{entry: e}, BodyLength: e.Body.Length()}), "\n\n"+e.Body.Text())
	if !ok {
		t.Error("the text does not end with the body")
	}
	lines := 2
	if e.DeprecatedBy != "" {
		lines++
	}
	wantLines(t, head, lines)
}

func checkIndex(t *testing.T, s *catalog.Snapshot) {
	t.Helper()
	text := indexPage(s)
	wantLines(t, text, 8)
	row := strings.Split(text, "\n")[6]
	row = strings.ReplaceAll(row, `\\`, "")
	if cells := strings.Count(row, "|") - strings.Count(row, `\|`); cells != 6 {
		t.Errorf("%d bars: %s", cells, row)
	}
}

func checkSkill(t *testing.T, e *catalog.Entry) {
	t.Helper()
	text, ok := strings.CutPrefix(skillText(e, "e"), "---\n")
	front, rest, found := strings.Cut(text, "\n---\n\n")
	var members map[string]any
	if err := yaml.Unmarshal([]byte(front), &members); err != nil || !ok || !found {
		t.Fatalf("%v: %q", err, text)
	}
	description := skillDescription(e)
	if e.Load != catalog.LoadSkill && len(members) != 2 || members["name"] != "e" || members["description"] != description {
		t.Errorf("%v, want the description %q: %q", members, description, front)
	}
	if n := utf8.RuneCountInString(description); n < 1 || n > maxDescription || !strings.HasSuffix(e.Body.Text(), rest) {
		t.Errorf("a description of %d characters; the rest is %q", n, rest)
	}
}

func checkPrompt(t *testing.T, e *catalog.Entry, category string) {
	t.Helper()
	text := promptPage{selection: selection{category: category}, entries: []*catalog.Entry{e}, of: e.SourceHash}.text()
	if len(text) > maxPrompt || !utf8.ValidString(text) {
		t.Errorf("%d bytes", len(text))
	}
	if head, ok := strings.CutSuffix(text, "\n\n"+strings.Trim(e.Body.Text(), "\r\n")+"\n"); ok {
		wantLines(t, head, 3)
	}
}
