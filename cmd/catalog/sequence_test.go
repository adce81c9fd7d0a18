package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var sequences = flag.Int("sequences", 0, "how many random sequences of edits, renders, adopts and kills are tried (default 200 with CATALOG_TEST_LONG, else 2)")

// TestRandomSequences edits a catalog and the files rendered from it, renders and adopts,
// and kills the process at random moments. No edit of a person may be lost. In the end,
// all files are as the catalog says, and rendering again writes nothing.
func TestRandomSequences(t *testing.T) {
	t.Parallel()
	n := *sequences
	switch {
	case n == 0 && os.Getenv("CATALOG_TEST_LONG") != "":
		n = 200
	case n == 0:
		n = 2
	}
	p := build(t)
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := newSequence(t, p, uint64(seed))
			for range 14 {
				s.step()
			}
			s.settle()
		})
	}
}

// sequence is a repository with rendered files, and the catalog that they come from. Its
// log lists the steps.
type sequence struct {
	*testing.T
	program
	random *rand.Rand
	dir    string // has the repository in shop, and the catalog in rules
	hasGit bool
	edits  map[string]bool // lines that a person wrote into rendered files
	n      int
}

func newSequence(t *testing.T, p program, seed uint64) *sequence {
	s := &sequence{T: t, program: p, random: rand.New(rand.NewPCG(1, seed)), dir: t.TempDir(), edits: map[string]bool{}}
	for name, text := range map[string]string{
		"shop/.catalog/render.json":  `{"catalog": "../rules", "targets": ["agents", "claude-code", "cursor"]}`,
		"shop/AGENTS.md":             "# The shop\n\nText of people.\n",
		"rules/gates.json":           `{"gates": []}`,
		"rules/errors.md":            "---\npriority: 3\n---\n# Errors\n\nWrap errors.\n\n## Where\n\nAt the edges.\n",
		"rules/web.md":               "---\nappliesTo: [\"web/**\"]\n---\nLabel every field.\n",
		"rules/.cursor/rules/go.mdc": "---\nglobs: *.go\n---\nNo panics.\n",
	} {
		s.put(name, text)
	}
	s.putJSON("Tag last.\n")
	if _, err := exec.LookPath("git"); err == nil {
		s.hasGit = true
		s.git("init", "-q", ".")
	}
	return s
}

func (s *sequence) put(name, text string) {
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

func (s *sequence) putJSON(body string) {
	text, err := json.Marshal(map[string]string{"id": "release", "title": "Releases", "body": body})
	if err != nil {
		s.Fatal(err)
	}
	s.put("rules/release.json", string(text))
}

func (s *sequence) git(args ...string) {
	cmd := exec.CommandContext(s.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = filepath.Join(s.dir, "shop")
	if out, err := cmd.CombinedOutput(); err != nil && !bytes.Contains(out, []byte("nothing to commit")) {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// texts returns the files of the repository and of the catalog by path, without those of
// git.
func (s *sequence) texts() map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(s.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (d.Name() == ".git" || d.Name() == "state") {
				return fs.SkipDir
			}
			return err
		}
		text, err := os.ReadFile(file)
		name, _ := filepath.Rel(s.dir, file)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return all
}

// rendered returns the names of the files that agents load, in the repository.
func (s *sequence) rendered() []string {
	names := slices.Sorted(maps.Keys(s.texts()))
	return slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasPrefix(name, "shop/") || strings.HasPrefix(name, "shop/.catalog/") || strings.Contains(name, ".orig") || strings.HasSuffix(name, ".draft")
	})
}

func (s *sequence) pick(names []string) string { return names[s.random.IntN(len(names))] }

func (s *sequence) step() {
	s.n++
	switch s.random.IntN(12) {
	case 0:
		s.change()
	case 1:
		s.removeEntry()
	case 2, 3, 4:
		s.edit()
	case 5:
		s.removeRendered()
	case 6:
		s.kill("render")
	case 7:
		s.kill("adopt")
	case 8:
		if s.hasGit {
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "step")
		}
	case 9:
		s.catalog("adopt")
	case 10:
		s.adoptOne()
	default:
		s.catalog("render")
	}
	s.check()
}

// change changes an entry in the catalog, or brings one back.
func (s *sequence) change() {
	line := fmt.Sprintf("\nCatalog %d.\n", s.n)
	switch name := s.pick([]string{"rules/errors.md", "rules/web.md", "rules/.cursor/rules/go.mdc", "rules/release.json"}); {
	case name == "rules/release.json":
		var e struct{ Body string }
		_ = json.Unmarshal([]byte(s.texts()[name]), &e) // a missing entry comes back
		s.putJSON(e.Body + line)
	default:
		s.put(name, s.texts()[name]+line)
	}
	s.Logf("%d: the catalog changes", s.n)
}

// removeEntry removes an entry from the catalog, with the edits in it.
func (s *sequence) removeEntry() {
	name := s.pick([]string{"rules/errors.md", "rules/web.md"})
	s.Logf("%d: %s is removed", s.n, name)
	removed := s.texts()[name]
	_ = os.Remove(filepath.Join(s.dir, name)) // it may be gone
	maps.DeleteFunc(s.edits, func(mine string, _ bool) bool { return contains(removed, mine) })
}

// edit adds a line that only a person can have written anywhere in a rendered file.
func (s *sequence) edit() {
	name := s.pick(append(s.rendered(), "shop/AGENTS.md"))
	mine := fmt.Sprintf("Mine %d.\n", s.n)
	lines := strings.SplitAfter(s.texts()[name], "\n")
	at := s.random.IntN(len(lines))
	s.put(name, strings.Join(slices.Insert(lines, at, mine), ""))
	s.edits[mine] = true
	s.Logf("%d: %s gets a line at %d", s.n, name, at)
}

// removeRendered removes a rendered file, with the edits in it.
func (s *sequence) removeRendered() {
	names := s.rendered()
	if len(names) == 0 {
		return
	}
	name := s.pick(names)
	s.Logf("%d: %s is removed", s.n, name)
	if err := os.Remove(filepath.Join(s.dir, filepath.FromSlash(name))); err != nil {
		s.Fatal(err)
	}
	s.forget()
}

// forget drops the edits that a person has removed.
func (s *sequence) forget() {
	all := s.all()
	maps.DeleteFunc(s.edits, func(mine string, _ bool) bool { return !contains(all, mine) })
}

// all returns the texts of all files.
func (s *sequence) all() string {
	return strings.Join(slices.Collect(maps.Values(s.texts())), "\n")
}

// contains reports whether a line is in the text, as it is or within JSON.
func contains(all, line string) bool { return strings.Contains(all, strings.TrimSuffix(line, "\n")) }

func (s *sequence) check() {
	all := s.all()
	for mine := range s.edits {
		if !contains(all, mine) {
			s.Fatalf("the edit %q is lost", mine)
		}
	}
}

func (s *sequence) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.Context(), string(s.program), args...)
	cmd.Dir = filepath.Join(s.dir, "shop")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(s.dir, "state"), "LocalAppData="+filepath.Join(s.dir, "state"))
	return cmd
}

// catalog runs the program and returns its output. An exit code of 2 fails the test.
func (s *sequence) catalog(args ...string) string {
	out, err := s.command(args...).CombinedOutput()
	s.Logf("%d: catalog %v: %v\n%s", s.n, args, err, out)
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != exitFindings) {
		s.Fatalf("catalog %v: %v", args, err)
	}
	return string(out)
}

// adoptOne adopts one file of those that the last render knows.
func (s *sequence) adoptOne() {
	text := s.texts()["shop/.catalog/rendered.json"]
	var record struct{ Files []struct{ Path string } }
	if json.Unmarshal([]byte(text), &record) != nil || len(record.Files) == 0 {
		return
	}
	s.catalog("adopt", record.Files[s.random.IntN(len(record.Files))].Path)
}

// kill runs the program and kills it at a random moment.
func (s *sequence) kill(command string) {
	cmd := s.command(command)
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	after := time.Duration(s.random.IntN(60_000)) * time.Microsecond
	time.Sleep(after)
	_ = cmd.Process.Kill() // it may have ended
	s.Logf("%d: catalog %s is killed after %v: %v", s.n, command, after, cmd.Wait())
}

// settle brings all files in line: it adopts what can be adopted, and forces the rest.
func (s *sequence) settle() {
	s.n++
	s.catalog("adopt")
	s.catalog("render")
	var result struct {
		Files []struct{ Path, Action string }
	}
	if err := json.Unmarshal([]byte(s.catalog("render", "--json")), &result); err != nil {
		s.Fatal(err)
	}
	force := []string{"render"}
	for _, f := range result.Files {
		if f.Action == "left" {
			force = append(force, "--force", f.Path)
		}
	}
	s.catalog(force...)
	s.check()
	before := s.texts()
	if out, err := s.command("render", "--check").CombinedOutput(); err != nil {
		s.Errorf("not all is same: %v\n%s", err, out)
	}
	s.catalog("render")
	if !maps.Equal(before, s.texts()) {
		s.Error("a second render writes")
	}
}
