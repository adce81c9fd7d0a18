package git

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func Example() {
	tracked, err := Tracked(os.TempDir())
	fmt.Println(len(tracked), err != nil)
	// Output: 0 true
}

// repository creates a repository whose index has the given version.
func repository(t *testing.T, version string, names ...string) string {
	t.Helper()
	top := t.TempDir()
	for _, name := range names {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-fA"}, {"update-index", "--index-version", version}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = top
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %s: %v: %s", args, err, out)
		}
	}
	return top
}

func TestTracked(t *testing.T) {
	t.Parallel()
	names := []string{"AGENTS.md", "a/b/c.md", "a/b/cd.md", "a/ü.md", strings.Repeat("x", 200) + "/y"}
	want := append([]string{"a", "a/b", strings.Repeat("x", 200)}, names...)
	slices.Sort(want)
	for _, version := range []string{"2", "3", "4"} {
		top := repository(t, version, names...)
		got, err := Tracked(top)
		var all []string
		for name := range got {
			all = append(all, name)
		}
		if slices.Sort(all); err != nil || !slices.Equal(all, want) {
			t.Errorf("version %s: %q, %v", version, all, err)
		}
	}
}

// A .git file names the folder that contains the index.
func TestTrackedInWorktree(t *testing.T) {
	t.Parallel()
	top, other := repository(t, "2", "a.md"), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, ".git"), []byte("gitdir: "+filepath.Join(top, ".git")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Tracked(other); err != nil || !got["a.md"] {
		t.Errorf("got %v, %v", got, err)
	}
}

// Parsing any index terminates and never reads out of bounds.
func FuzzParse(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"))
	entry := append(bytes.Repeat([]byte{1}, 62), "a.md\x00\x00\x00\x00\x00\x00"...)
	for _, version := range "\x02\x03\x04" {
		f.Add(append([]byte("DIRC\x00\x00\x00"+string(version)+"\x00\x00\x00\x01"), entry...))
	}
	f.Fuzz(func(t *testing.T, index []byte) {
		names, length := 0, 0
		err := parse(index, func(name string) { names++; length += len(name) })
		if err == nil && names > len(index) {
			t.Errorf("%d names in %d bytes", names, len(index))
		}
	})
}
