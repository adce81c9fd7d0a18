package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

// root of the repository.
const root = "../.."

func document(t *testing.T, root string) []byte {
	t.Helper()
	text, err := generateTools(root)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestToolsIsCurrent(t *testing.T) {
	t.Parallel()
	for name, generate := range documents {
		want, err := generate(root)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the methods are now, from line %d on: run \"go run ./cmd/gendocs\" and commit it",
				name, firstDifference(got, want))
		}
	}
}

func firstDifference(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return 1 + bytes.Count(a[:n], []byte("\n"))
}

// The document depends neither on the path of the repository nor on the times of its
// files.
func TestSameEverywhere(t *testing.T) {
	t.Parallel()
	elsewhere := t.TempDir()
	for _, dir := range []string{"docs", "cmd/gendocs/testdata"} {
		if err := os.CopyFS(filepath.Join(elsewhere, dir), os.DirFS(filepath.Join(root, dir))); err != nil {
			t.Fatal(err)
		}
	}
	here, there := document(t, root), document(t, elsewhere)
	if !bytes.Equal(here, there) {
		t.Errorf("a copy of the repository gives another document, from line %d on", firstDifference(here, there))
	}
}

// The examples show every variant of every result.
func TestEveryVariantIsShown(t *testing.T) {
	t.Parallel()
	p, err := newPage(root, shownInstructions)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Methods) != len(schemas.V1().Methods()) {
		t.Errorf("%d methods are described, the contract has %d", len(p.Methods), len(schemas.V1().Methods()))
	}
	for _, m := range p.Methods {
		for _, v := range m.Variants {
			if !shown(m.Examples, v) {
				t.Errorf("%s: no example shows the result %s", m.Name, v.Title)
			}
		}
	}
}

func shown(examples []example, v variant) bool {
	for _, e := range examples {
		all := true
		for _, member := range v.Members {
			nested := strings.ContainsAny(member.Name, ".[")
			all = all && (nested || member.Optional || strings.Contains(e.Answer, `"`+member.Name+`": `))
		}
		if all {
			return true
		}
	}
	return false
}

func TestSceneWithoutExample(t *testing.T) {
	t.Parallel()
	s := *shownInstructions
	s.scenes = maps.Clone(s.scenes)
	s.scenes["usage/hotset: never"] = scene{}
	if _, err := newPage(root, &s); err == nil || !strings.Contains(err.Error(), "usage/hotset: never") {
		t.Errorf("a scene that was not used is not reported: %v", err)
	}
}

// An answer that is an error must not be shown as an example of a result.
func TestExampleThatFails(t *testing.T) {
	t.Parallel()
	err := shownInstructions.start(scene{}, func(registry *rpc.Registry, _ string) error {
		m, _ := registry.Method("instructions/get")
		_, err := shownInstructions.result(scene{}, m, request(m.Name, []byte(`{"id": 7}`)))
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "the answer is no result") {
		t.Errorf("got %v", err)
	}
}

// TestErrorsOfTasksAreShown checks that the document has an example of each code, and
// all texts that hide why the store failed.
func TestErrorsOfTasksAreShown(t *testing.T) {
	t.Parallel()
	text, err := generateToolsets(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"code": -32602`, `"code": -32001`, `"code": -32003`, "`Invalid task ID`", "`Failed to create task`",
		"`Failed to list tasks`", "`Failed to complete task`", "`Failed to delete task`", "`Failed to update task`"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the document does not show %s", want)
		}
	}
}

// TestFormatIsComplete checks that the reference of the file formats has a part for
// each kind of file in a catalog, and that other documents link to it.
func TestFormatIsComplete(t *testing.T) {
	t.Parallel()
	text, err := generateFormat(root)
	if err != nil {
		t.Fatal(err)
	}
	parts := []string{"Which files are read", "Markdown", "JSON", "Fields", "Agents' files", "Recording hashes", "gates.json", "The criteria for prompts"}
	for _, part := range parts {
		if !bytes.Contains(text, []byte("\n## "+part+"\n")) {
			t.Errorf("there is no part %q", part)
		}
	}
	for _, kind := range agents.Kinds() {
		if !bytes.Contains(text, []byte("`"+string(kind.Kind)+"`")) {
			t.Errorf("no row is about files of the kind %s", kind.Kind)
		}
	}
	for _, load := range catalog.LoadModes() {
		if !bytes.Contains(text, []byte("`"+string(load)+"`")) {
			t.Errorf("nothing tells when the load is %s", load)
		}
	}
	for _, words := range []string{"A **skill** is a whole folder", "`skill://NAME/`", "`catalog verify`", "`--criteria`", "`--dir`"} {
		if !bytes.Contains(text, []byte(words)) {
			t.Errorf("it does not say %s", words)
		}
	}
	for name, link := range map[string]string{"README.md": "](docs/FORMAT.md)", "docs/TOOLS.md": "](FORMAT.md)"} {
		page, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !bytes.Contains(page, []byte(link)) {
			t.Errorf("%s does not lead to it: %v", name, err)
		}
	}
}
