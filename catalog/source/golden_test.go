package source

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas/jsonscan"
)

var update = flag.Bool("update", false, "write what is served into the golden files")

// want is the name of the part of a golden file that holds the expected result.
const want = "want"

// TestGolden loads the files of each testdata/*.txtar and compares the diagnostics and
// the entries with the archive's part "want". Run the tests with -update to write the
// current result, and review the difference.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range goldenFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			golden := txtar.File{Name: want}
			files := map[string]string{}
			for _, f := range archive.Files {
				if f.Name == want {
					golden = f
					continue
				}
				files[f.Name] = string(f.Data)
			}
			writeFiles(t, dir, files)
			got := txtar.File{Name: want, Data: describe(t, load(t, dir))}
			if bytes.Equal(got.Data, golden.Data) {
				return
			}
			if !*update {
				t.Fatalf("got\n%s", got.Data)
			}
			archive.Files = append(withoutWant(archive.Files), got)
			if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func goldenFiles(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no golden files", err)
	}
	return names
}

func withoutWant(files []txtar.File) []txtar.File {
	var rest []txtar.File
	for _, f := range files {
		if f.Name != want {
			rest = append(rest, f)
		}
	}
	return rest
}

// describe returns all diagnostics and all entries of a snapshot.
func describe(t *testing.T, s *catalog.Snapshot) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, d := range s.Diagnostics() {
		out.WriteString(d.String() + "\n")
	}
	for _, e := range s.Entries() {
		if err := json.Indent(&out, jsonscan.MustEncode(e.Instruction()), "", "  "); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// addGolden adds the files of the golden tests as seeds.
func addGolden(f *testing.F, extension string) {
	for _, name := range goldenFiles(f) {
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
