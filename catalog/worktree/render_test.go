package worktree

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog/render"
)

// repo is a repository to render files into.
type repo struct {
	*testing.T
	dir, state string
	committed  bool // git has everything committed
}

func newRepo(t *testing.T, texts map[string]string) *repo {
	t.Helper()
	r := &repo{T: t, dir: t.TempDir(), state: t.TempDir()}
	for name, text := range texts {
		r.put(name, text)
	}
	return r
}

func (r *repo) put(name, text string) {
	r.Helper()
	file := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

// texts returns all files except those of this program.
func (r *repo) texts() map[string]string {
	r.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(r.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(r.dir, file)
		if err != nil || strings.HasPrefix(filepath.ToSlash(name), ".catalog/") {
			return err
		}
		text, err := os.ReadFile(file)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	return all
}

func (r *repo) render(due []render.File, change ...func(*Render)) (RenderResult, error) {
	r.Helper()
	run := r.settings(due)
	for _, f := range change {
		f(&run)
	}
	return run.Run(r.Context())
}

func (r *repo) settings(due []render.File) Render {
	return Render{
		Repository: r.dir, Files: due, Revision: "r", State: r.state, Changes: filepath.Join(r.state, "changes"),
		MayWrite:    func(_, p string) bool { return strings.HasPrefix(p, ".rules/") || p == "AGENTS.md" },
		IsCommitted: func(context.Context, string, []byte) bool { return r.committed },
		Log:         slog.New(slog.DiscardHandler), Progress: func(int, int) {},
	}
}

// mustRender renders and returns "state action" of each file by its path.
func (r *repo) mustRender(due []render.File, change ...func(*Render)) map[string]string {
	r.Helper()
	result, err := r.render(due, change...)
	if err != nil {
		r.Fatal(err)
	}
	came := map[string]string{}
	for _, f := range result.Files {
		came[f.Path] = fmt.Sprintf("%s %s", f.State, f.Action)
	}
	return came
}

func (r *repo) want(came map[string]string, path, want string) {
	r.Helper()
	if came[path] != want {
		r.Errorf("%s: got %q, want %q", path, came[path], want)
	}
}

func (r *repo) wantTexts(want map[string]string) {
	r.Helper()
	if got := r.texts(); !maps.Equal(got, want) {
		r.Errorf("got files %q, want %q", got, want)
	}
}

func whole(path, text string) render.File {
	return render.File{Target: "t", Path: path, Content: []byte(text)}
}

func region(path, text string) render.File {
	return render.File{Target: "t", Path: path, Region: true, Content: []byte(text)}
}

func marked(text string) string { return render.Begin + "\n" + text + render.End + "\n" }

// lineFor returns a line of the record.
func lineFor(path, text string) string {
	l, err := json.Marshal(Line{Path: path, Target: "t", SHA256: render.Sum([]byte(text)), Entries: []Entry{}})
	if err != nil {
		panic(err)
	}
	return string(l)
}

func recordOf(lines ...string) string {
	return "{\n\"version\": 1,\n\"revision\": \"r\",\n\"files\": [\n" + strings.Join(lines, ",\n") + "\n]\n}\n"
}

// A record, settings or a folder from a clone cannot change or remove what a person
// wrote: the run stops, or keeps a copy of what it replaces.
func TestHostileRecord(t *testing.T) {
	t.Parallel()
	const source = "package main\n"
	paths := []string{
		".git/config", ".git/hooks/pre-commit", ".GIT/config", ".git./config", "GIT~1/config", "sub/.git/config",
		"main.go", "cmd/main.go", "README.md", ".github/workflows/ci.yml", ".catalog/render.json", ".catalog/config.json",
		"../outside.md", "/etc/passwd", ".rules/../main.go", "./main.go", "a//b.md", "a\\b.md", "..", "", ".",
	}
	for _, p := range paths {
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, map[string]string{"main.go": source, "cmd/main.go": source, "README.md": source, ".git/config": source, ".github/workflows/ci.yml": source})
			before := r.texts()
			r.put(RecordPath, recordOf(lineFor(p, source)))
			for _, due := range [][]render.File{nil, {whole(".rules/a.md", "A.\n")}} {
				if _, err := r.render(due); err == nil {
					t.Error("the record is obeyed")
				}
				r.wantTexts(before)
			}
		})
	}
	t.Run("a path that the target could write", func(t *testing.T) {
		t.Parallel()
		r := newRepo(t, map[string]string{".rules/mine.md": "Mine.\n", ".rules/other.md": "Other.\n"})
		r.put(RecordPath, recordOf(lineFor(".rules/mine.md", "Mine.\n"), lineFor(".rules/other.md", "Other.\n")))
		r.mustRender([]render.File{whole(".rules/other.md", "Ours.\n")})
		r.wantTexts(map[string]string{".rules/mine.md.orig": "Mine.\n", ".rules/other.md": "Ours.\n", ".rules/other.md.orig": "Other.\n"})
	})
	t.Run("a file that was imported, and is not due", func(t *testing.T) {
		t.Parallel()
		r := newRepo(t, map[string]string{"docs/style.md": "Mine.\n"})
		r.put(RecordPath, recordOf(lineFor("docs/style.md", "Mine.\n")))
		_, err := r.render(nil, func(run *Render) { run.IsImported = func(p string) bool { return p == "docs/style.md" } })
		if err != nil {
			t.Error(err)
		}
		r.wantTexts(map[string]string{"docs/style.md": "Mine.\n"})
	})
	t.Run("a file that is due without a target's pattern", func(t *testing.T) {
		t.Parallel()
		r := newRepo(t, map[string]string{"docs/style.md": "Mine.\n"})
		r.put(RecordPath, recordOf(lineFor("docs/style.md", "Mine.\n")))
		r.want(r.mustRender([]render.File{whole("docs/style.md", "Ours.\n")}), "docs/style.md", "foreign left")
		r.wantTexts(map[string]string{"docs/style.md": "Mine.\n"})
	})
}

// No symbolic link leads out of the repository, and none is replaced.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	file := filepath.Join(outside, "a.md")
	if err := os.WriteFile(file, []byte("Mine.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := func(r *repo, to, name string) {
		r.put(name+"/x", "")
		if err := os.RemoveAll(filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(r.dir, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	for name, to := range map[string]string{".rules": outside, ".rules/a.md": file, ".catalog": outside} {
		for _, due := range [][]render.File{nil, {whole(".rules/a.md", "Ours.\n")}, {region(".rules/a.md", "Ours.\n")}} {
			r := newRepo(t, nil)
			if name != ".catalog" {
				r.put(RecordPath, recordOf(lineFor(".rules/a.md", "Mine.\n")))
			}
			link(r, to, name)
			result, err := r.render(due)
			if err == nil && slices.ContainsFunc(result.Files, func(f RenderedFile) bool { return f.Action != LeftAlone && f.State != render.Same }) {
				t.Errorf("%s is a link: %+v", name, result.Files)
			}
			if text, err := os.ReadFile(file); err != nil || string(text) != "Mine.\n" {
				t.Errorf("%s is a link: what it leads to is %q, %v", name, text, err)
			}
			if info, err := os.Lstat(filepath.Join(r.dir, name)); err != nil || info.Mode().Type() != fs.ModeSymlink {
				t.Errorf("%s is a link no more", name)
			}
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
		t.Errorf("outside are %v", left)
	}
}

// TestLinkToRenderedFile checks that one run is enough if the folder of a target links to
// that of another one.
func TestLinkToRenderedFile(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{".rules/a/x": ""})
	if err := os.Symlink("a", filepath.Join(r.dir, ".rules", "b")); err != nil {
		t.Skip("no symbolic links here")
	}
	due := []render.File{whole(".rules/a/r.md", "Ours.\n"), whole(".rules/b/r.md", "Ours.\n")}
	var records []string
	for range 2 {
		result, err := r.render(due)
		if err != nil || result.Files[1].State != render.Same {
			t.Errorf("%+v, %v", result, err)
		}
		record, err := os.ReadFile(filepath.Join(r.dir, RecordPath))
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, string(record))
	}
	if records[0] != records[1] {
		t.Errorf("the record changed from %s to %s", records[0], records[1])
	}
}

// Each row of the table of states is tested for a whole file and for a region.
func TestStates(t *testing.T) {
	t.Parallel()
	const path = "AGENTS.md"
	rows := []struct {
		name, base, source, file string // "" for none
		want                     string
		after                    string
	}{
		{"same, same", "A\n", "A\n", "A\n", "same none", "A\n"},
		{"changed, same", "A\n", "B\n", "A\n", "stale wrote", "B\n"},
		{"changed, same but for line ends", "A\n", "B\n", "A\r\n", "stale wrote", "B\r\n"},
		{"same, edited", "A\n", "A\n", "X\n", "edited left", "X\n"},
		{"changed, edited", "A\n", "B\n", "X\n", "conflict left", "X\n"},
		{"changed, edited to the same", "A\n", "B\n", "B\n", "same recorded", "B\n"},
		{"same, gone", "A\n", "A\n", "", "missing wrote", "A\n"},
		{"new, never there", "", "A\n", "", "missing wrote", "A\n"},
		{"entry gone, gone", "A\n", "", "", "", ""},
		{"entry gone, same", "A\n", "", "A\n", "orphan removed", ""},
		{"entry gone, edited", "A\n", "", "X\n", "conflict left", "X\n"},
		{"never ours, other bytes", "", "A\n", "X\n", "foreign left", "X\n"},
		{"never ours, same bytes", "", "A\n", "A\n", "same recorded", "A\n"},
	}
	for _, row := range rows {
		for _, isRegion := range []bool{false, true} {
			t.Run(fmt.Sprint(row.name, isRegion), func(t *testing.T) {
				t.Parallel()
				r := newRepo(t, nil)
				put := func(text string) {
					switch {
					case text == "" && isRegion:
						r.put(path, "People's.\n")
					case text == "":
						_ = os.Remove(filepath.Join(r.dir, path))
					case isRegion && strings.Contains(text, "\r"):
						r.put(path, "People's.\r\n"+strings.ReplaceAll(marked(strings.ReplaceAll(text, "\r", "")), "\n", "\r\n"))
					case isRegion:
						r.put(path, "People's.\n"+marked(text))
					default:
						r.put(path, text)
					}
				}
				due := func(text string) []render.File {
					switch {
					case text == "":
						return nil
					case isRegion:
						return []render.File{region(path, text)}
					}
					return []render.File{whole(path, text)}
				}
				if isRegion {
					r.put(path, "People's.\n")
				}
				if row.base != "" {
					r.mustRender(due(row.base))
				}
				put(row.file)
				r.want(r.mustRender(due(row.source)), path, row.want)
				after := r.texts()
				put(row.after)
				r.wantTexts(after)
			})
		}
	}
}

// If a render is killed after it wrote a file, the next one recognizes the file as
// rendered.
func TestKilled(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	r.mustRender([]render.File{whole(".rules/a.md", "A.\n")})
	before, err := os.ReadFile(filepath.Join(r.dir, RecordPath))
	if err != nil {
		t.Fatal(err)
	}
	known, err := os.ReadDir(r.state)
	if err != nil {
		t.Fatal(err)
	}
	r.mustRender([]render.File{whole(".rules/a.md", "B.\n")})
	r.put(RecordPath, string(before)) // as if it was killed before it wrote the record
	k := &knowledge{file: filepath.Join(r.state, known[slices.IndexFunc(known, func(d fs.DirEntry) bool { return !d.IsDir() })].Name()), Written: map[string][]string{}}
	if err := k.intend([]Line{{Path: ".rules/a.md", Target: "t", SHA256: render.Sum([]byte("B.\n"))}}); err != nil {
		t.Fatal(err)
	}
	r.want(r.mustRender([]render.File{whole(".rules/a.md", "C.\n")}), ".rules/a.md", "stale wrote")
	r.wantTexts(map[string]string{".rules/a.md": "C.\n"})
}

// A file that a killed render created, and that a person edited since, stays known as
// rendered after the next render has left it alone.
func TestEditedAfterKill(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	var due []render.File
	for i := range 3 * createsAtOnce {
		due = append(due, whole(fmt.Sprintf(".rules/%02d.md", i), "A.\n"))
	}
	ctx, cancel := context.WithCancel(t.Context())
	run := r.settings(due)
	run.Progress = func(int, int) { cancel() }
	if _, err := run.Run(ctx); err == nil {
		t.Fatal("the run is not interrupted")
	}
	for path := range r.texts() {
		r.put(path, "Mine.\n")
	}
	first := r.mustRender(due)
	for path, was := range r.mustRender(due) {
		if was != "same none" {
			r.want(first, path, "edited left")
			r.want(map[string]string{path: was}, path, "edited left")
		}
	}
}

// If git left conflict markers in a record, both sides are read.
func TestMergedRecord(t *testing.T) {
	t.Parallel()
	merged := "{\n\"version\": 1,\n<<<<<<< HEAD\n\"revision\": \"a\",\n=======\n\"revision\": \"b\",\n>>>>>>> other\n\"files\": [\n" +
		lineFor(".rules/a.md", "A.\n") + ",\n<<<<<<< HEAD\n" + lineFor(".rules/b.md", "B1.\n") + "\n||||||| base\n" + lineFor(".rules/b.md", "B0.\n") +
		"\n=======\n" + lineFor(".rules/b.md", "B2.\n") + ",\n" + lineFor(".rules/c.md", "C.\n") + "\n>>>>>>> other\n]\n}\n"
	for _, file := range []string{"B1.\n", "B2.\n"} {
		r := newRepo(t, map[string]string{".rules/a.md": "A.\n", ".rules/b.md": file, ".rules/c.md": "C.\n", RecordPath: merged})
		r.committed = true
		due := []render.File{whole(".rules/a.md", "A.\n"), whole(".rules/b.md", "B3.\n"), whole(".rules/c.md", "C.\n")}
		came := r.mustRender(due)
		r.want(came, ".rules/b.md", "stale wrote")
		r.want(came, ".rules/c.md", "same none")
		text, err := os.ReadFile(filepath.Join(r.dir, RecordPath))
		if err != nil || strings.Contains(string(text), "<<<") || strings.Count(string(text), "\n") != 9 {
			t.Errorf("the record is\n%s", text)
		}
		r.want(r.mustRender(due), ".rules/b.md", "same none")
	}
}

// --force keeps a copy of what it overwrites.
func TestForce(t *testing.T) {
	t.Parallel()
	force := func(p string) func(*Render) { return func(r *Render) { r.Force = []string{p} } }
	r := newRepo(t, map[string]string{".rules/a.md": "Mine.\n", ".rules/a.md.orig": "Older.\n"})
	due := []render.File{whole(".rules/a.md", "A.\n")}
	r.want(r.mustRender(due), ".rules/a.md", "foreign left")
	r.want(r.mustRender(due, force(".rules/a.md")), ".rules/a.md", "foreign wrote")
	r.wantTexts(map[string]string{".rules/a.md": "A.\n", ".rules/a.md.orig": "Older.\n", ".rules/a.md.orig.1": "Mine.\n"})
	if _, err := r.render(due, force("main.go")); err == nil {
		t.Error("a file that is not rendered is overwritten")
	}
	r.put("AGENTS.md", "People's.\n"+render.Begin+"\nX\n"+render.Begin+"\nY\n"+render.End+"\nMore.\n")
	due = append(due, region("AGENTS.md", "R.\n"))
	r.want(r.mustRender(due), "AGENTS.md", "conflict left")
	r.want(r.mustRender(due, force("AGENTS.md")), "AGENTS.md", "conflict wrote")
	if got := r.texts()["AGENTS.md"]; got != "People's.\nMore.\n"+marked("R.\n") {
		t.Errorf("AGENTS.md is %q", got)
	}
	r.want(r.mustRender(nil, force(".rules/a.md")), ".rules/a.md", "orphan removed")
}

// If a file that was rendered as a whole becomes a region, the rest of it is dropped,
// unless it was edited. If it becomes a whole file again, it counts as never rendered.
func TestWholeAndRegion(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	r.mustRender([]render.File{whole("AGENTS.md", "A.\n")})
	r.want(r.mustRender([]render.File{region("AGENTS.md", "R.\n")}), "AGENTS.md", "stale wrote")
	r.wantTexts(map[string]string{"AGENTS.md": marked("R.\n")})
	r.want(r.mustRender([]render.File{whole("AGENTS.md", "A.\n")}), "AGENTS.md", "foreign left")
	r.mustRender(nil)
	r.wantTexts(map[string]string{})
	r.mustRender([]render.File{whole("AGENTS.md", "A.\n")})
	r.put("AGENTS.md", "A, edited.\n")
	r.want(r.mustRender([]render.File{region("AGENTS.md", "R.\n")}), "AGENTS.md", "conflict left")
	r.wantTexts(map[string]string{"AGENTS.md": "A, edited.\n"})
}

// The files of targets that are not rendered now stay, and so do their recorded lines.
func TestTargets(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	other := whole(".rules/o.md", "O.\n")
	other.Target = "other"
	r.mustRender([]render.File{whole(".rules/a.md", "A.\n"), other})
	came := r.mustRender(nil, func(r *Render) { r.Targets = []string{"t"} })
	if len(came) != 1 {
		t.Errorf("looked at %v", came)
	}
	r.wantTexts(map[string]string{".rules/o.md": "O.\n"})
	r.want(r.mustRender([]render.File{other}), ".rules/o.md", "same none")
	r.want(r.mustRender(nil), ".rules/o.md", "orphan removed")
	if _, err := os.Lstat(filepath.Join(r.dir, ".rules")); err == nil {
		t.Error("the empty folder is left")
	}
}
