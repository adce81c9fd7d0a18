package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"instruction-catalog/catalog"
)

// writeFiles writes files, given as path and content, and sets the same modification
// time on all of them.
func writeFiles(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, modified, modified); err != nil {
			t.Fatal(err)
		}
	}
}

func load(t testing.TB, dir string) *catalog.Snapshot {
	t.Helper()
	s, err := NewFolder(dir).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// summary returns the ids and the diagnostics of a snapshot, one per line.
func summary(s *catalog.Snapshot) string {
	var lines []string
	for _, e := range s.Entries() {
		lines = append(lines, string(e.ID)+" "+e.Origin.Path)
	}
	for _, d := range s.Diagnostics() {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

func expect(t *testing.T, s *catalog.Snapshot, want ...string) {
	t.Helper()
	if got := summary(s); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestWhichFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"a.md": "a", "B.MD": "b", "deep/er/c.md": "c", "x.json": jsonWith("", ""), "Y.JSON": jsonWith("id", `"y"`),
		"folder.md/d.md": "d", "folder.json/e.md": "e", "gates.json/f.md": "f", "not.schema.json/g.md": "g",
		"_a.md": "", ".a.md": "", "_folder/a.md": "", ".folder/a.md": "", "deep/_b/a.md": "",
		"gates.json.txt": "", "x.schema.json": "no", "x.SCHEMA.JSON": "no",
		"a.txt": "", "md": "", "json": "", "a.markdown": "", "LICENSE": "",
	})
	expect(t, load(t, dir),
		"a a.md", "b B.MD", "deep-er-c deep/er/c.md", "folder-json-e folder.json/e.md", "folder-md-d folder.md/d.md",
		"gates-json-f gates.json/f.md", "not-schema-json-g not.schema.json/g.md", "x x.json", "y Y.JSON",
		`.: note: not read: 3 files without an extension, the first is "LICENSE": `+noInstruction,
		`.: note: not read: 2 files *.txt, the first is "a.txt": `+noInstruction,
		`.: note: not read: 1 dot file, ".a.md": `+aDotFile.why,
		`.: note: not read: 1 file *.markdown, "a.markdown": `+noInstruction,
		`.: note: not read: 1 folder, ".folder": `+aDotFolder.why)
}

// TestMisplacedGates checks that a gates file that is not evaluated is an error,
// whatever its content.
func TestMisplacedGates(t *testing.T) {
	t.Parallel()
	const misplaced = ": error: these gates are not evaluated: a catalog has them at its top, in a file named exactly gates.json; move it there, or name its folder with --dir"
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"a.md": "a", "gates.json": `{"gates":[]}`, "deep/gates.json": `{"gates":[]}`, "deep/Gates.json": "", "GATES.JSON": `{"id":"g","title":"G","body":"B"}`,
		"_gates.json": "", "_deep/gates.json": "",
	})
	expect(t, load(t, dir), "a a.md", "GATES.JSON"+misplaced, "deep/Gates.json"+misplaced, "deep/gates.json"+misplaced)

	dir = t.TempDir() // in a repository, gates files outside instructions/ are ignored
	writeFiles(t, dir, map[string]string{
		".cursorrules": "a", "src/gates.json": "[]", "Gates.json": "", "instructions/gates.json": `{"gates":[]}`, "instructions/deep/gates.json": `{"gates":[]}`,
	})
	var got []string
	for _, d := range load(t, dir).Diagnostics() {
		if strings.Contains(d.Message, "these gates") {
			got = append(got, d.String())
		}
	}
	want := []string{"instructions/deep/gates.json" + misplaced, "instructions/gates.json: note: these gates belong to the catalog in that folder, and are evaluated with --dir instructions"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEmptyFolder(t *testing.T) {
	t.Parallel()
	expect(t, load(t, t.TempDir()), ".: warning: the folder is empty: write an instruction, or name another folder with --dir")
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"B.md": "---\nid: x\n---\nb", "a.md": "---\nid: X\n---\na", "x.md": "x"})
	expect(t, load(t, dir),
		"x B.md",
		`a.md: error: id "x" is already taken by B.md, which is served instead; give this entry an id of its own`,
		`a.md:2: warning: id: "X" is read as "x"`,
		`x.md: error: id "x" is already taken by B.md, which is served instead; give this entry an id of its own`)
}

func TestHeadingThatIsCut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "# " + strings.Repeat("é", catalog.MaxTitle+1) + "\n"})
	s, err := NewFolder(dir).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := s.Get("a"); !ok || e.Title != strings.Repeat("é", catalog.MaxTitle) {
		t.Errorf("served %v", ok)
	}
	if d := s.Diagnostics(); len(d) != 1 || d[0].Severity != catalog.SeverityWarning || !strings.Contains(d[0].Message, "the rest is cut") {
		t.Errorf("diagnostics %v", d)
	}
}

func TestFolderThatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"file": "x"})
	_, err := NewFolder(filepath.Join(dir, "missing")).Load(t.Context())
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "catalog init") || !strings.Contains(err.Error(), "--dir") {
		t.Errorf("missing: %v", err)
	}
	_, err = NewFolder(filepath.Join(dir, "file")).Load(t.Context())
	if err == nil || !strings.Contains(err.Error(), "--dir") {
		t.Errorf("a file: %v", err)
	}
	found := func(catalog.ID, string) { t.Error("found an entry in a folder that is not there") }
	if err := NewFolder(filepath.Join(dir, "missing")).Reread(t.Context(), []*catalog.Entry{{}}, found); err != nil {
		t.Errorf("again: %v", err)
	}
}

func TestLoadEndsWithContext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "a", "b/c.md": "c"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := NewFolder(dir).Load(ctx)
	if s != nil || err != context.Canceled {
		t.Errorf("got %v, %v", s, err)
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"a.json": minimal("a") + strings.Repeat(" ", MaxFile-len(minimal("a"))),
		"b.md":   strings.Repeat(" ", MaxFile+1),
	})
	expect(t, load(t, dir), "a a.json", "b.md: error: "+errTooLarge.Error())
}

func TestSymbolicLinks(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	writeFiles(t, outside, map[string]string{"secret.md": "secret"})
	writeFiles(t, dir, map[string]string{"a.md": "a", "sub/b.md": "b", "_c.md": "c"})
	for name, target := range map[string]string{
		"within.md":    "sub/b.md",
		"hidden.md":    "_c.md",
		"sub/up.md":    "../a.md",
		"sub/loop":     "..",
		"folder":       "sub",
		"out.md":       filepath.Join(outside, "secret.md"),
		"out":          outside,
		"up.md":        "../" + filepath.Base(outside) + "/secret.md",
		"absolute.md":  filepath.Join(dir, "a.md"),
		"dangling.md":  "nowhere.md",
		"circle.md":    "circle.md",
		"text.txt":     "a.md",
		"_dangling.md": "nowhere",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	s := load(t, dir)
	var served, refused, noted []string
	for _, e := range s.Entries() {
		served = append(served, e.Origin.Path)
		if e.Body.Text() == "secret" {
			t.Errorf("%s leads out", e.Origin.Path)
		}
	}
	for _, d := range s.Diagnostics() {
		switch d.Severity {
		case catalog.SeverityError:
			refused = append(refused, d.Path)
		case catalog.SeverityNote:
			noted = append(noted, d.Path)
		}
		if !strings.HasPrefix(d.Message, "the symbolic link to ") && d.Path != "." {
			t.Errorf("%s", d)
		}
	}
	for what, pair := range map[string][2][]string{
		"served":  {served, {"a.md", "hidden.md", "sub/b.md", "sub/up.md", "within.md"}},
		"refused": {refused, {"absolute.md", "circle.md", "dangling.md", "out", "out.md", "up.md"}},
		"noted":   {noted, {".", "folder", "sub/loop"}},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s %v, want %v", what, pair[0], pair[1])
		}
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "a", "b.md": "b", "c/d.md": "d"})
	for _, name := range []string{"b.md", "c"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(filepath.Join(dir, "c"), 0o755)
	expect(t, load(t, dir), "a a.md",
		"b.md: error: the file cannot be read (permission denied): fix that, or begin its name with '_' to leave it out",
		"c: error: the folder cannot be read (permission denied): fix its permissions, or begin its name with '_' to leave it out")

	if err := os.Chmod(dir, 0o111); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if _, err := NewFolder(dir).Load(t.Context()); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "--dir") {
		t.Errorf("got %v", err)
	}
}

func TestInvalidNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a\xff.md"), []byte("a"), 0o644); err != nil {
		t.Skip("no such names here:", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "b\xff"), 0o755); err != nil {
		t.Fatal(err)
	}
	expect(t, load(t, dir),
		".: warning: the folder has files (1) but no entry: name the folder that has instructions with --dir",
		"a\uFFFD.md: error: the name is not valid UTF-8: rename it",
		"b\uFFFD: error: the name is not valid UTF-8: rename it")
}

// The result does not depend on the order in which files are found and read.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("%d/%d.md", i%7, i)] = markdownWith(fmt.Sprintf("id: id-%d\npriority: 1000\nx: 1", i/2))
		files[fmt.Sprintf("%d/%d.json", i%5, i)] = jsonWith("priority", `"very"`)
	}
	writeFiles(t, dir, files)
	first := load(t, dir)
	if len(first.Entries()) != 150 || len(first.Diagnostics()) != 2*300+150+300 {
		t.Fatalf("%d entries, %d diagnostics", len(first.Entries()), len(first.Diagnostics()))
	}
	for range 5 {
		again := load(t, dir)
		if summary(again) != summary(first) || again.Hash() != first.Hash() || !reflect.DeepEqual(again.Entries(), first.Entries()) {
			t.Fatal("two readings differ")
		}
	}
}

// Load and Reread do not change the folder.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"a.md": "a", "b/c.json": jsonWith("priority", `"30"`), "bad.json": "{", "b/x.json": "{}", "id.MD": "---\nid: A.B\n---\nx",
	})
	before := listing(t, dir)
	s := load(t, dir)
	if _, err := s.Verify(t.Context(), NewFolder(dir).Reread, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if after := listing(t, dir); !reflect.DeepEqual(after, before) {
		t.Errorf("before %v\nafter %v", before, after)
	}
}

func listing(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var content []byte
		if !d.IsDir() {
			content, err = os.ReadFile(p)
		}
		out = append(out, fmt.Sprint(p, info.Mode(), info.ModTime(), info.Size(), string(content)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReread(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "---\nowner: me\n---\none\r\n", "b.json": jsonWith("body", `"one\r\n"`)})
	folder := NewFolder(dir)
	entries := load(t, dir).Entries()
	read := func(e *catalog.Entry) string {
		body := "none"
		err := folder.Reread(t.Context(), []*catalog.Entry{e}, func(id catalog.ID, now string) {
			if body = now; id != e.ID {
				t.Errorf("found %s instead of %s", id, e.ID)
			}
		})
		if err != nil {
			t.Error(err)
		}
		return body
	}
	for _, e := range entries {
		if got := read(e); got != "one\r\n" || got != e.Body.Text() {
			t.Errorf("%s: body %q", e.Origin.Path, got)
		}
	}
	// Changes to other fields of the file do not affect its body.
	writeFiles(t, dir, map[string]string{"a.md": "---\nid: '?'\n---\ntwo", "b.json": `{"body": "two"}`})
	for _, e := range entries {
		if got := read(e); got != "two" {
			t.Errorf("%s: body %q", e.Origin.Path, got)
		}
	}
	tests := []struct{ md, json string }{
		{"---\nnever: closed", `{"title": "T"}`},
		{"---\nbody: x\n---\ny", `{"body": "a", "body": "b"}`},
		{"\xff", `{"body": 1}`},
		{"", `{"body": `},
	}
	for _, tt := range tests {
		writeFiles(t, dir, map[string]string{"a.md": tt.md, "b.json": tt.json})
		for _, e := range entries {
			if got := read(e); got != "none" {
				t.Errorf("%s: body %q", e.Origin.Path, got)
			}
		}
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(dir, e.Origin.Path)); err != nil {
			t.Fatal(err)
		}
		if got := read(e); got != "none" {
			t.Errorf("%s: body %q", e.Origin.Path, got)
		}
	}
}

// The goroutines of a load end with it, at whatever point it is cancelled. If one did
// not, the synctest bubble would never finish.
func TestLoadLeavesNothingRunning(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{}
	for i := range 600 {
		files[fmt.Sprintf("%d.md", i)] = "text"
	}
	writeFiles(t, dir, files)
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			go cancel()
			s, err := NewFolder(dir).Load(ctx)
			if (s == nil) == (err == nil) || err != nil && err != context.Canceled {
				t.Errorf("got %v, %v", s, err)
			}
		})
	}
}
