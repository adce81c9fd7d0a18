package render_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/source"
)

var update = flag.Bool("update", false, "write what is rendered into the golden files")

// sources decodes the files as entries of a catalog.
func sources(t *testing.T, files map[string]string) []render.Source {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "gates.json"), []byte(`{"gates":[]}`), 0o644); err != nil { // else it is a repository
		t.Fatal(err)
	}
	s, err := source.New(dir).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var found []render.Source
	for _, e := range s.Entries() {
		one := render.Source{Entry: e, Data: []byte(files[e.Origin.Path]), Path: e.Origin.Path}
		if path.Base(e.Origin.Path) == "SKILL.md" {
			one.Files = map[string][]byte{}
			for name, content := range files {
				if in, ok := strings.CutPrefix(name, path.Dir(e.Origin.Path)+"/"); ok && in != "SKILL.md" {
					one.Files[in] = []byte(content)
				}
			}
		}
		found = append(found, one)
	}
	return found
}

// TestTargets compares what all targets are due of the files of each testdata/*.txtar with
// the part "want". Run the tests with -update to accept it.
func TestTargets(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in := map[string]string{}
		want := &archive.Files[len(archive.Files)-1]
		for _, f := range archive.Files[:len(archive.Files)-1] {
			in[f.Name] = string(f.Data)
		}
		got := describe(render.Files(sources(t, in), agents.Targets()))
		if bytes.Equal(got, want.Data) {
			continue
		}
		if !*update {
			t.Errorf("%s: got\n%s", name, got)
			continue
		}
		want.Data = got
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func describe(files []render.File, warnings []render.Warning) []byte {
	var b bytes.Buffer
	for _, f := range files {
		kind := ""
		if f.Region {
			kind = " (region)"
		}
		fmt.Fprintf(&b, "==== %s: %s%s\n%s", f.Target, f.Path, kind, f.Content)
	}
	b.WriteString("==== warnings\n")
	for _, w := range warnings {
		fmt.Fprintf(&b, "%s %s %s %s: %s\n", w.Target, w.ID, w.Path, w.Field, w.Message)
	}
	return b.Bytes()
}
