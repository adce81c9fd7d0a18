package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each .gitignore is compared with git's own result for every path.
func TestIgnoredAsByGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	paths := []string{
		"a.log", "a/b.log", "a/b/c.log", "logs/x", "a/logs/x", "build/x", "a/build/y/z", "keep.log", "a/keep.log",
		"doc/a.txt", "doc/sub/a.txt", "a/x/b", "a/x/y/b", "a/b/b", "foo{1}.md", "foo1.md", "#x", "!y", "b c", "trail ",
		"in/only/a", "in/keep", "in/other", "[z].md", "z.md", "q.md", "Q.md", "a/.claude/x.md", "ab.md", "a**b.md", "axxb.md",
	}
	for _, tt := range []map[string]string{
		{"": "*.log\n!keep.log\n"},
		{"": "logs\nbuild/\n"},
		{"": "/logs\n/a/build/\n"},
		{"": "doc/*.txt\na/**/b\n"},
		{"": "**/logs\nlogs/**\n"},
		{"": "in/**\n!in/keep\n"},
		{"": "in/*\n!in/keep\n"},
		{"": "in\n!in/keep\n"},
		{"": "\\#x\n\\!y\nb c  \ntrail\\ \n# comment\n\n"},
		{"": "foo{1}.md\n[!q].md\n"},
		{"": "\\[z\\].md\n?.md\n"},
		{"": "a**b.md\n.claude\r\n"},
		{"": "*.log\n", "a": "!b.log\n/keep.log\n"},
		{"": "a/\n", "a": "!b.log\n"},
		{"": "/*\n!/a\n", "a": "*\n!x/\n"},
	} {
		dir := t.TempDir()
		files := map[string]string{}
		for _, p := range paths {
			files[p] = "x"
		}
		for folder, rules := range tt {
			files[filepath.Join(folder, ".gitignore")] = rules
		}
		writeFiles(t, dir, files)
		if got, want := ignoredHere(t, dir, paths), ignoredByGit(t, dir, paths); !slices.Equal(got, want) {
			t.Errorf("%q:\ngot  %q\ngit  %q", tt, got, want)
		}
	}
}

func ignoredByGit(t *testing.T, dir string, paths []string) []string {
	t.Helper()
	run := func(stdin string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, _ := cmd.Output() // exits with 1 if nothing is ignored
		return string(out)
	}
	run("", "init", "-q")
	out := run(strings.Join(paths, "\x00"), "check-ignore", "-z", "--stdin", "--no-index")
	return slices.Sorted(slices.Values(strings.FieldsFunc(out, func(r rune) bool { return r == 0 })))
}

func ignoredHere(t *testing.T, dir string, paths []string) []string {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	w := walker{root: root}
	if err := w.walk(t.Context(), folderListing{path: "."}); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range paths {
		if !slices.ContainsFunc(w.candidates, func(c candidate) bool { return c.path == p }) {
			out = append(out, p)
		}
	}
	return slices.Sorted(slices.Values(out))
}
