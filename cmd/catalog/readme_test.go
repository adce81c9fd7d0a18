package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme runs the sessions in README in a new folder and compares their output. It
// removes comments and skips "go install".
func TestReadme(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	if err := os.Symlink(string(build(t)), filepath.Join(home, "catalog")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	dir := t.TempDir()
	commands := 0
	for _, session := range strings.Split(string(readme), "```console\n")[1:] {
		session, _, _ = strings.Cut(session, "```")
		for _, part := range strings.Split("\n"+session, "\n$ ")[1:] {
			line, want, _ := strings.Cut(part, "\n")
			line, _, _ = strings.Cut(line, "  #")
			if strings.Contains(line, "go install ") {
				continue
			}
			commands++
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+home+string(os.PathListSeparator)+os.Getenv("PATH"))
			got, _ := cmd.CombinedOutput() // findings have a separate exit code
			if strings.TrimSpace(string(got)) != strings.TrimSpace(want) {
				t.Errorf("README: %s\nprints\n%s\nREADME says\n%s", line, got, want)
			}
		}
	}
	if commands == 0 {
		t.Error("README shows no session")
	}
}
