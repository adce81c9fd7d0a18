package instructions_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	model "instruction-catalog/catalog"
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/instructions"
)

// rack returns a catalog whose entries can be found under several spellings.
func rack(t *testing.T) *agent {
	t.Helper()
	c := open(t, map[string]string{
		"go/Errors.MD": "---\nid: Go.Errors\ntitle: \"Wrap | errors\"\nrequirement: mandatory\npriority: 1\ncategories: [go]\n" +
			"semanticSummary: \"Wrap errors\\nwith context.\"\nupdatedAt: 2025-03-04T05:06:07Z\n---\nWräp.\n",
		"index.json": jsonEntry("index", ""),
		"old.md":     "---\nrequirement: deprecated\ndeprecatedBy: go-errors\naudience: individual\n---\nOld.\n",
		"broken.md":  "---\npriority: many\n---\nx",
	})
	return newAgent(t, c.dir, instructions.MarkedSkills)
}

func TestResources(t *testing.T) {
	t.Parallel()
	page, next, err := rack(t).Resources(t.Context(), "")
	if err != nil || next != "" || len(page) != 3 {
		t.Fatalf("%d resources, cursor %q, %v", len(page), next, err)
	}
	want := rpc.Resource{
		URI: "instruction://go-errors", Name: "go-errors", Title: "Wrap | errors", Description: "Wrap errors with context.",
		MIMEType: "text/markdown", Size: 7, Audience: []rpc.Role{rpc.User, rpc.Assistant}, Priority: 1, Modified: "2025-03-04T05:06:07Z",
		Meta: map[string]any{"instructions/requirement": model.Mandatory, "instructions/priority": 1},
	}
	if !reflect.DeepEqual(page[0], want) {
		t.Errorf("got  %+v\nwant %+v", page[0], want)
	}
	if page[1].URI != "instruction://%69ndex" || page[1].Description != "" || page[2].Priority != 0 ||
		page[2].Meta["instructions/deprecatedBy"] != "go-errors" {
		t.Errorf("got %+v and %+v", page[1], page[2])
	}
}

// TestEveryResourceCanBeRead checks that every resource can be read and has the
// announced size.
func TestEveryResourceCanBeRead(t *testing.T) {
	t.Parallel()
	a := rack(t)
	page, _, err := a.Resources(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page {
		content, err := a.Read(t.Context(), r.URI)
		if err != nil || int64(len(content.Text)) != r.Size || content.MIMEType != r.MIMEType || content.URI != r.URI {
			t.Errorf("%s, %d bytes: %+v, %v", r.URI, r.Size, content, err)
		}
	}
}

func TestResourcePages(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for n := range 201 {
		files[fmt.Sprintf("e%03d.md", n)] = "---\ncontentType: skill\n---\nText.\n"
	}
	a := newAgent(t, open(t, files).dir, instructions.MarkedSkills)
	other := newAgent(t, open(t, map[string]string{"a.md": "x"}).dir, instructions.MarkedSkills)
	lists := map[string]func(*agent, string) (names []string, next string, err error){
		"resources": func(a *agent, cursor string) (names []string, next string, err error) {
			page, next, err := a.Resources(t.Context(), cursor)
			for _, r := range page {
				names = append(names, r.Name)
			}
			return names, next, err
		},
		"skills": func(a *agent, cursor string) (names []string, next string, err error) {
			page, next, err := a.Skills(t.Context(), cursor)
			for _, s := range page {
				names = append(names, s.Name)
			}
			return names, next, err
		},
	}
	for name, list := range lists {
		var sizes []int
		var all []string
		cursor := ""
		for {
			page, next, err := list(a, cursor)
			if err != nil {
				t.Fatal(err)
			}
			sizes = append(sizes, len(page))
			all = append(all, page...)
			if cursor = next; cursor == "" {
				break
			}
			if _, _, err := list(other, next); !isInvalid(err, "another snapshot") {
				t.Errorf("%s: the cursor of another catalog: %v", name, err)
			}
		}
		if fmt.Sprint(sizes) != "[100 100 1]" || all[0] != "e000" || all[200] != "e200" {
			t.Errorf("%s: pages of %v, from %s to %s", name, sizes, all[0], all[len(all)-1])
		}
		if _, _, err := list(a, "nonsense"); !isInvalid(err, "not a cursor") {
			t.Errorf("%s: no cursor: %v", name, err)
		}
	}
}

// isInvalid reports whether err tells the caller which input is wrong.
func isInvalid(err error, words string) bool {
	e, ok := errors.AsType[*rpc.Error](err)
	return ok && e.Code == rpc.InvalidParams && strings.Contains(e.Message, words)
}

func TestRead(t *testing.T) {
	t.Parallel()
	a := rack(t)
	for uri, want := range map[string]string{
		"instruction://go-errors":         "Wräp.\n",
		"instruction://Go.Errors":         "Wräp.\n",
		"instruction://%67o%2Derrors":     "Wräp.\n",
		"instruction://%69ndex":           "B",
		"instruction://old":               "Old.\n",
		"instruction://":                  "",
		"instruction://nope":              "",
		"instruction://broken":            "",
		"instruction://go-errors/":        "",
		"instruction://go-errors?x":       "",
		"instruction://go-errors#x":       "",
		"instruction:go-errors":           "",
		"instruction://%zz":               "",
		"instruction://%":                 "",
		"instruction://../broken.md":      "",
		"skill://go-errors/SKILL.md":      "", // not marked as a skill
		"skill:///SKILL.md":               "",
		"file:///etc/passwd":              "",
		"go-errors":                       "",
		"":                                "",
		"://":                             "",
		"instruction://go-errors\x00":     "",
		"instruction://instruction://old": "",
	} {
		content, err := a.Read(t.Context(), uri)
		switch {
		case want == "" && !errors.Is(err, rpc.ErrNoResource):
			t.Errorf("%q: %q, %v", uri, content.Text, err)
		case want != "" && (err != nil || content.URI != uri || content.MIMEType != "text/markdown" || content.Text != want):
			t.Errorf("%q: %+v, %v", uri, content, err)
		}
	}
}

func TestContents(t *testing.T) {
	t.Parallel()
	content, err := rack(t).Read(t.Context(), "instruction://index")
	if err != nil {
		t.Fatal(err)
	}
	head, rows, _ := strings.Cut(content.Text, "|---|---|---|---|---|\n")
	if want := `| [go-errors](instruction://go-errors) | mandatory | 1 | Wrap \| errors | go |
| [index](instruction://%69ndex) | optional | 1 | T |  |
| [old](instruction://old) | deprecated | 50 | old |  |
`; rows != want {
		t.Errorf("got  %s\nwant %s", rows, want)
	}
	if !strings.HasPrefix(head, "# Instructions\n\n3 instructions, most binding first. Catalog ") || strings.Contains(head, "cut") {
		t.Errorf("head: %s", head)
	}
}

// TestContentsAreCut checks that a cut table of contents says what it omits.
func TestContentsAreCut(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for n := range 1500 {
		files[fmt.Sprintf("e%04d.md", n)] = "---\ntitle: " + strings.Repeat("ä", 200) + "\n---\nText.\n"
	}
	content, err := newAgent(t, open(t, files).dir, instructions.MarkedSkills).Read(t.Context(), "instruction://index")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Count(content.Text, "\n| [")
	said := fmt.Sprintf("This table was cut after the first %d.", rows)
	if len(content.Text) > 200_000 || len(content.Text) < 199_000 || !strings.Contains(content.Text, said) ||
		!strings.HasPrefix(content.Text, "# Instructions\n\n1,500 instructions") || !strings.HasSuffix(content.Text, "|\n") {
		t.Errorf("%d bytes, %d rows: %.300s", len(content.Text), rows, content.Text)
	}
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	a := rack(t)
	var got []string
	for _, template := range a.Templates() {
		got = append(got, template.URI+" "+template.Variable)
		if (template.Complete == nil) != (template.Variable == "") || template.Description == "" || template.MIMEType != "text/markdown" && template.Name != "skill-file" {
			t.Errorf("%+v", template)
		}
	}
	if want := "[instruction://index  instruction://{id} id skill://{name}/SKILL.md name skill://{name}/{+file} name]"; fmt.Sprint(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	files := map[string]string{"other.md": "---\ncategories: [Zoo, go]\n---\nx"}
	for n := range 150 {
		files[fmt.Sprintf("go/e%03d.md", n)] = "---\ncategories: [go, git]\ncontentType: skill\n---\nText.\n"
	}
	a := newAgent(t, open(t, files).dir, instructions.MarkedSkills)
	completers := map[string]rpc.Completer{
		"id": a.Templates()[1].Complete, "skill": a.Templates()[2].Complete,
		"category": a.Toolset.Toolset().Prompts[0].Arguments[0].Complete, "file": a.Toolset.Toolset().Prompts[0].Arguments[1].Complete,
	}
	tests := []struct {
		what, typed   string
		values, total int
		first         string
	}{
		{"id", "", 100, 151, "go-e000"}, {"id", "GO-E01", 10, 10, "go-e010"}, {"id", "o", 1, 1, "other"}, {"id", "x", 0, 0, ""},
		{"skill", "go-e1", 50, 50, "go-e100"}, {"skill", "o", 0, 0, ""},
		{"category", "g", 2, 2, "git"}, {"category", "Z", 1, 1, "zoo"},
		{"file", "go/e", 100, 150, "go/e000.md"}, {"file", "OTH", 1, 1, "other.md"},
	}
	for _, tt := range tests {
		got, err := completers[tt.what](t.Context(), tt.typed)
		if err != nil || len(got.Values) != tt.values || got.Total != tt.total || tt.values > 0 && got.Values[0] != tt.first {
			t.Errorf("%s %q: %d of %d, %v", tt.what, tt.typed, len(got.Values), got.Total, err)
		}
	}
}

// TestLibraryWithoutACatalog checks that all reads report a catalog that cannot be
// loaded.
func TestLibraryWithoutACatalog(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "x"})
	a := newAgent(t, c.path("a.md"), instructions.MarkedSkills) // a file in place of the folder
	_, _, resources := a.Resources(t.Context(), "")
	_, _, skills := a.Skills(t.Context(), "")
	_, read := a.Read(t.Context(), "instruction://a")
	_, skill := a.Skill(t.Context(), "skill://a/SKILL.md")
	_, prompt := a.Toolset.Toolset().Prompts[0].Render(t.Context(), map[string]string{"category": "x"})
	_, completion := a.Toolset.Toolset().Prompts[0].Arguments[0].Complete(t.Context(), "")
	for name, err := range map[string]error{
		"resources": resources, "skills": skills, "read": read, "skill": skill, "prompt": prompt, "completion": completion,
	} {
		if e, ok := errors.AsType[*rpc.Error](err); !ok || e.Code != -32005 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLibraryOverTheProtocol checks that MCP clients get what the library offers.
func TestLibraryOverTheProtocol(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{
		"index.md": "---\ntitle: I\n---\nNot the table.", "s_k.md": "---\ntitle: S\ncontentType: skill\ncategories: [go]\n---\nDo it.",
	})
	a := newAgent(t, c.dir, instructions.MarkedSkills)
	tests := []struct{ method, params, want string }{
		{"resources/list", ``, `"uri":"instruction://%69ndex"`},
		{"resources/list", ``, `{"_meta":{"instructions/priority":50,"instructions/requirement":"recommended"},"annotations":{"audience":["user","assistant"],`},
		{"resources/read", `"uri":"instruction://s_k"`, `"_meta":{"instructions/priority":50,"instructions/requirement":"recommended"}`},
		{"resources/read", `"uri":"instruction://sk"`, `"message":"Resource not found: the nearest are instruction://s_k","data":{"uri":"instruction://sk","nearest":["instruction://s_k"]}`},
		{"resources/read", `"uri":"skill://s-kk/SKILL.md"`, `"nearest":["skill://s-k/SKILL.md"]`},
		{"resources/read", `"uri":"instruction://zzz"`, `"message":"Resource not found","data":{"uri":"instruction://zzz"}`},
		{"tools/call", `"name":"instructions_get","arguments":{"id":"instruction://s_k"}`, `Do it.`},
		{"tools/call", `"name":"instructions_get","arguments":{"id":"indx"}`, `There is no instruction \"indx\". The nearest ids are index. Find its id with`},
		{"tools/call", `"name":"usage_track","arguments":{"id":"instruction://s_k"}`, `s_k has been used`},
		{"tools/call", `"name":"usage_track","arguments":{"id":"instruction://s_kk"}`, `The nearest ids are s_k.`},
		{"resources/read", `"uri":"instruction://index"`, `# Instructions\n`},
		{"resources/read", `"uri":"instruction://%69ndex"`, `"text":"Not the table."`},
		{"resources/read", `"uri":"instruction://s_k"`, `"text":"Do it."`},
		{"resources/read", `"uri":"skill://s-k/SKILL.md"`, `"text":"---\nname: \"s-k\"\ndescription: \"S\"\n---\n\nDo it."`},
		{"resources/read", `"uri":"skill://s_k/SKILL.md"`, `"code":-32602`},
		{"skills/list", ``, `"frontmatter":{"name":"s-k","description":"S"}`},
		{"skills/get", `"uri":"skill://s-k/SKILL.md"`, `"size":44`},
		{"prompts/get", `"name":"instructions","arguments":{"category":"go"}`, ` 1 of 1: s_k [recommended, priority 50] S\n\nDo it.`},
		{"completion/complete", `"ref":{"type":"ref/resource","uri":"instruction://{id}"},"argument":{"name":"id","value":"S"}`, `"values":["s_k"]`},
	}
	for _, tt := range tests {
		if got := a.ask(tt.method, tt.params); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: want %s, got %s", tt.method, tt.params, tt.want, got)
		}
	}
}
