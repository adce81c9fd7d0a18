package schemas_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"instruction-catalog/schemas"
)

func TestV1HoldsTheContract(t *testing.T) {
	t.Parallel()
	want := []string{
		"gates/evaluate", "health/check", "instructions/check", "instructions/diff", "instructions/get", "instructions/list",
		"instructions/search", "instructions/subscribe", "instructions/unsubscribe", "integrity/verify", "metrics/snapshot", "prompt/review", "rpc.discover",
		"usage/hotset", "usage/track",
	}
	if got := schemas.V1().Methods(); !slices.Equal(got, want) {
		t.Errorf("Methods() = %q, want %q", got, want)
	}
	for _, name := range want {
		m := method(t, name)
		if m.Name != name || m.Description() == "" || len(m.Examples()) == 0 {
			t.Errorf("%s: name %q, description %q, %d examples", name, m.Name, m.Description(), len(m.Examples()))
		}
		onDisk, err := os.ReadFile("v1/" + strings.ReplaceAll(name, "/", ".") + ".json")
		if err != nil || !bytes.Equal(m.Document(), onDisk) {
			t.Errorf("%s: Document() is not the file (%v)", name, err)
		}
	}
	for _, name := range []string{"gate", "gates", "prompt-criteria"} {
		if _, ok := schemas.V1().File(name); !ok {
			t.Errorf("File(%q) is not there", name)
		}
	}
	if first, second := schemas.V1(), schemas.V1(); first != second {
		t.Error("V1() is read more than once")
	}
}

// folders returns the folders that contain a contract: v1, and TOOLSET/VERSION for the
// other toolsets.
func folders(t testing.TB) []string {
	t.Helper()
	others, err := filepath.Glob("*/v[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"v1"}, others...)
}

// TestToolsetsHaveAContract checks that every contract folder is embedded and has a
// change log.
func TestToolsetsHaveAContract(t *testing.T) {
	t.Parallel()
	for _, folder := range folders(t)[1:] {
		set := schemas.For(filepath.Dir(folder), filepath.Base(folder))
		if len(set.Methods()) == 0 {
			t.Errorf("%s has no method", folder)
		}
		if log, err := os.ReadFile(filepath.Join(folder, "CHANGES.md")); err != nil || len(log) == 0 {
			t.Errorf("%s has no change log: write CHANGES.md (%v)", folder, err)
		}
	}
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "nothing/v1 is not embedded") {
			t.Errorf("an unknown toolset: %v", p)
		}
	}()
	schemas.For("nothing", "v1")
}

func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	if _, ok := schemas.V1().Method("instructions.get"); ok {
		t.Error(`Method("instructions.get") is there: the file's name is not the method's`)
	}
	if _, ok := schemas.V1().File("nothing"); ok {
		t.Error(`File("nothing") is there`)
	}
	if _, ok := schemas.V1().Definition("Nothing"); ok {
		t.Error(`Definition("Nothing") is there`)
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	const empty = `"properties":{"params":{},"result":{}}`
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no JSON", map[string]string{"a.json": `{`}, "a.json: unexpected end"},
		{"a title for another file", map[string]string{"a.b.json": `{"title":"a/c",` + empty + `}`}, `a.b.json: its title "a/c" belongs in a file named a.c.json`},
		{"no title", map[string]string{"a.json": `{` + empty + `}`}, `its title ""`},
		{"no result", map[string]string{"a.json": `{"title":"a","properties":{"params":{}}}`}, "result: a schema must be an object"},
		{"params true", map[string]string{"a.json": `{"title":"a","properties":{"params":true,"result":{}}}`}, "params: a schema must be an object"},
		{"a file that is no object", map[string]string{"file.a.json": `[]`}, "file.a.json"},
		{"a definition that is no object", map[string]string{"types.json": `{"definitions":{"A":true}}`}, "definition A: a schema must be an object"},
		{
			"a definition twice",
			map[string]string{"types.json": `{"definitions":{"A":{}}}`, "file.a.json": `{"definitions":{"A":{}}}`},
			"it defines A, which file.a.json already defines",
		},
		{"an unknown definition", refTo(`types.json#/definitions/B`), `"types.json#/definitions/B" does not name a definition`},
		{"a definition of another file", refTo(`other.json#/definitions/A`), "does not name a definition"},
		{"a whole file", refTo(`types.json`), "does not name a definition"},
		{"the network", refTo(`http://example.com/x.json#/definitions/A`), "does not name a definition"},
		{"the disk", refTo(`file:///etc/passwd`), "does not name a definition"},
		{
			"an unknown definition, from a definition",
			map[string]string{"types.json": `{"definitions":{"A":{"$ref":"#/definitions/B"}}}`},
			`types.json: $ref "#/definitions/B" does not name a definition`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := schemas.Load(folder(tt.files))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Load = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func refTo(target string) map[string]string {
	return map[string]string{
		"types.json":  `{"definitions":{"A":{"type":"string"}}}`,
		"file.x.json": `{"properties":{"p":{"$ref":"` + target + `"}}}`,
	}
}

func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func load(t testing.TB, files map[string]string) *schemas.Set {
	t.Helper()
	set, err := schemas.Load(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func method(t testing.TB, name string) *schemas.Method {
	t.Helper()
	m, ok := schemas.V1().Method(name)
	if !ok {
		t.Fatalf("there is no method %s", name)
	}
	return m
}

func file(t testing.TB, name string) *schemas.Schema {
	t.Helper()
	f, ok := schemas.V1().File(name)
	if !ok {
		t.Fatalf("there is no file %s", name)
	}
	return f
}

func definition(t testing.TB, name string) *schemas.Schema {
	t.Helper()
	d, ok := schemas.V1().Definition(name)
	if !ok {
		t.Fatalf("there is no definition %s", name)
	}
	return d
}

// everySchema returns every schema of the contract, keyed by a name for messages.
func everySchema(t testing.TB) map[string]*schemas.Schema {
	out := map[string]*schemas.Schema{}
	for _, name := range schemas.V1().Methods() {
		m := method(t, name)
		out[name+" params"], out[name+" result"] = m.Params, m.Result
	}
	for _, name := range []string{"gate", "gates", "prompt-criteria"} {
		out["file "+name] = file(t, name)
	}
	for _, name := range []string{"Diagnostic", "EntryProjection", "Failure", "InstructionEntry", "InvalidParams", "PromptTooLong"} {
		out["definition "+name] = definition(t, name)
	}
	return out
}
