package source

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

const entryLine = `{"id":"a","title":"A","body":"b"}` + "\n"

// TestBundleCarriesWhatStandsBeside checks that metadata files of any length are read
// back unchanged from a bundle, and are not entries.
func TestBundleCarriesWhatStandsBeside(t *testing.T) {
	t.Parallel()
	s := loadBundle(t, entryLine)
	long := []byte(strings.Repeat(strings.Repeat("é", 99)+"\n", 8_000)) // longer than two parts
	for name, metadata := range map[string]Metadata{
		"all":         {Gates: []byte(`{"gates":[]}`), Criteria: Criteria{Data: []byte("{\n}\n")}, Sum: []byte("a 1\nb 2\n"), Note: []byte("note\n\n— key x\n")},
		"sum":         {Sum: []byte("a 1\n")},
		"empty":       {Sum: []byte{}},
		"long":        {Sum: long, Note: bytes.Repeat([]byte("x"), 3*maxPart)},
		"compression": {Sum: long},
		"nothing":     {},
	} {
		var buf bytes.Buffer
		if err := WriteBundle(t.Context(), &buf, s, metadata, name == "compression", func(int, int) {}); err != nil {
			t.Fatal(err)
		}
		path := writeBundle(t, "b.jsonl", buf.String())
		if again := loadSource(t, path); again.Revision() != s.Revision() || len(again.Diagnostics()) > 0 {
			t.Errorf("%s: it is another catalog: %v", name, again.Diagnostics())
		}
		for file, want := range map[string][]byte{catalog.GatesFile: metadata.Gates, catalog.CriteriaFile: metadata.Criteria.Data, catalog.SumFile: metadata.Sum, catalog.NoteFile: metadata.Note} {
			got, err := New(path).readMetadata(file, 32<<20)
			if err != nil || !bytes.Equal(got, want) || (got == nil) != (want == nil) {
				t.Errorf("%s: %s: got %.99q, %v", name, file, got, err)
			}
		}
	}
}

func TestSumBelowEntries(t *testing.T) {
	t.Parallel()
	path := writeBundle(t, "b.jsonl", "\n"+entryLine+`{"catalog.sum":"a 1\n"}`+"\n")
	s := loadSource(t, path)
	if got := summary(s); !strings.Contains(got, "b.jsonl:3: error: this part of catalog.sum is below entries") {
		t.Errorf("got %s", got)
	}
	if sum, err := New(path).readMetadata(catalog.SumFile, 1<<20); sum != nil || err != nil {
		t.Errorf("got %q, %v", sum, err)
	}
	for _, line := range []string{`{"catalog.sum":1}`, `{"catalog.sum":"a","catalog.sum":"b"}`, `{"catalog.sum":"a","id":"x"}`, `{"catalog.sum":"a"`, `{}`} {
		if name, _ := carriedBy(newLine(line)); name != "" {
			t.Errorf("%s is a part of a sum", line)
		}
	}
}

func newLine(text string) line { return line{number: 1, data: []byte(text)} }

func TestReadBesideInFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"c/a.md": "# A\n\nb\n", "c/catalog.sum": "", "outside": "x"})
	if err := errors.Join(os.Symlink("../outside", filepath.Join(dir, "c", catalog.GatesFile)), os.Mkdir(filepath.Join(dir, "c", catalog.NoteFile), 0o755)); err != nil {
		t.Skip(err)
	}
	from := New(filepath.Join(dir, "c"))
	if sum, err := from.readMetadata(catalog.SumFile, 10); sum == nil || len(sum) > 0 || err != nil {
		t.Errorf("an empty file: %q, %v", sum, err)
	}
	for _, name := range []string{catalog.GatesFile, catalog.NoteFile} {
		if got, err := from.readMetadata(name, 10); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	writeFiles(t, dir, map[string]string{"c/catalog.sum": "12345678901"})
	if _, err := from.readMetadata(catalog.SumFile, 10); err == nil || err.Error() != "it has more than 10 bytes and was not read" {
		t.Errorf("got %v", err)
	}
	if _, err := from.Metadata(); err == nil || !strings.HasPrefix(err.Error(), "gates.json: it cannot be read") {
		t.Errorf("got %v", err)
	}
	if got := summary(loadSource(t, filepath.Join(dir, "c"))); strings.Contains(got, catalog.SumFile) {
		t.Errorf("the sum is reported: %s", got)
	}
	if missing, err := New(filepath.Join(dir, "none")).readMetadata(catalog.SumFile, 10); err == nil {
		t.Errorf("no folder: %q", missing)
	}
}

func TestUnreadableGates(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside.json")
	writeFiles(t, filepath.Dir(outside), map[string]string{"outside.json": `{"gates": []}`})
	tests := []struct {
		name  string
		setUp func(file string) error
		says  string
	}{
		{"folder is missing", func(file string) error { return os.Remove(filepath.Dir(file)) }, "folder of the catalog"},
		{"link that leaves the folder", func(file string) error { return os.Symlink(outside, file) }, "within the folder"},
		{"link that leads nowhere", func(file string) error { return os.Symlink("missing", file) }, "cannot be read"},
		{"link to itself", func(file string) error { return os.Symlink(catalog.GatesFile, file) }, "cannot be read"},
		{"folder of that name", func(file string) error { return os.Mkdir(file, 0o700) }, "regular file"},
		{"link to a hidden file", func(file string) error {
			return errors.Join(os.WriteFile(filepath.Join(filepath.Dir(file), ".env"), []byte(`{"gates": []}`), 0o600), os.Symlink(".env", file))
		}, "hidden"},
		{"link to a folder", func(file string) error { return os.Symlink(".", file) }, "regular file"},
		{"too large", func(file string) error { return os.WriteFile(file, make([]byte, maxGates+1), 0o600) }, "1048576 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "instructions")
			if err := errors.Join(os.Mkdir(dir, 0o700), test.setUp(filepath.Join(dir, catalog.GatesFile))); err != nil {
				t.Fatal(err)
			}
			_, err := New(dir).Gates()
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Fatalf("got %v, want an error that says %q", err, test.says)
			}
			if strings.Contains(err.Error(), dir) {
				t.Errorf("error %q shows a path of the machine", err)
			}
		})
	}
}

func TestReadableGates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if gates, err := New(dir).Gates(); gates != nil || err != nil {
		t.Errorf("no file: got %q, %v", gates, err)
	}
	const gates = `{"gates": []}`
	largest := gates + strings.Repeat(" ", maxGates-len(gates))
	writeFiles(t, dir, map[string]string{"_policy.json": largest})
	if err := os.Symlink("_policy.json", filepath.Join(dir, catalog.GatesFile)); err != nil {
		t.Fatal(err)
	}
	if got, err := New(dir).Gates(); string(got) != largest || err != nil {
		t.Errorf("a link within the folder, to the largest file: %d bytes, %v", len(got), err)
	}
}

func TestCriteria(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files      map[string]string
		dir        string
		want, file string // "" for no criteria
	}{
		"none":                   {map[string]string{"c/a.md": "A"}, "c", "", ""},
		"of the project":         {map[string]string{"c/a.md": "A", "docs/PROMPT-CRITERIA.json": "1"}, "c", "1", "docs/PROMPT-CRITERIA.json"},
		"in the catalog":         {map[string]string{"c/PROMPT-CRITERIA.json": "1", "docs/PROMPT-CRITERIA.json": "2"}, "c", "1", "PROMPT-CRITERIA.json"},
		"of the folder itself":   {map[string]string{"c/docs/PROMPT-CRITERIA.json": "1", "docs/PROMPT-CRITERIA.json": "2"}, "c", "1", "docs/PROMPT-CRITERIA.json"},
		"too far above":          {map[string]string{"b/c/a.md": "A", "docs/PROMPT-CRITERIA.json": "1"}, "b/c", "", ""},
		"of the repository":      {map[string]string{".git": "", "b/c/d/a.md": "A", "b/docs/PROMPT-CRITERIA.json": "1", "docs/PROMPT-CRITERIA.json": "2"}, "b/c/d", "1", "b/docs/PROMPT-CRITERIA.json"},
		"outside the repository": {map[string]string{"b/.git": "", "b/c/a.md": "A", "docs/PROMPT-CRITERIA.json": "1"}, "b/c", "", ""},
		"in a bundle":            {map[string]string{"b.jsonl": `{"PROMPT-CRITERIA.json":"1"}` + "\n" + entryLine, "docs/PROMPT-CRITERIA.json": "2"}, "b.jsonl", "1", "PROMPT-CRITERIA.json"},
		"beside a bundle":        {map[string]string{"c/b.jsonl": entryLine, "docs/PROMPT-CRITERIA.json": "2"}, "c/b.jsonl", "2", "docs/PROMPT-CRITERIA.json"},
	} {
		dir := t.TempDir()
		writeFiles(t, dir, c.files)
		from := New(filepath.Join(dir, filepath.FromSlash(c.dir)))
		got, err := from.Criteria()
		if err != nil || string(got.Data) != c.want || got.Name != c.file {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		if path, err := filepath.Rel(dir, got.Path); c.file != "" && (err != nil || !strings.HasSuffix(path, filepath.FromSlash(c.file)) && c.dir != "b.jsonl") {
			t.Errorf("%s: it lies at %s, %v", name, path, err)
		}
		if s := summary(loadSource(t, from.path)); strings.Contains(s, "CRITERIA") {
			t.Errorf("%s: the criteria are reported: %s", name, s)
		}
		if metadata, err := from.Metadata(); err != nil || string(metadata.Governing()[catalog.CriteriaFile]) != c.want && name != "beside a bundle" {
			t.Errorf("%s: beside it: %+v, %v", name, metadata, err)
		}
	}
}
