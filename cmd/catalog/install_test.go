package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// home is a user's home folder with the program to run for that user.
type home struct {
	*testing.T
	dir string
	env map[string]string
}

func newHome(t *testing.T) home {
	dir := t.TempDir()
	return home{t, dir, map[string]string{
		"HOME": dir, "USERPROFILE": dir, "APPDATA": filepath.Join(dir, "roaming"), "LOCALAPPDATA": filepath.Join(dir, "local"),
	}}
}

// run runs the program and returns its output.
func (h home) run(want int, args ...string) (stdout, stderr string) {
	h.Helper()
	var out, errs bytes.Buffer
	env := func(name string) string { return h.env[name] }
	if code := run(h.Context(), env, strings.NewReader(""), &out, &errs, args); code != want {
		h.Errorf("catalog %q: exit code %d, want %d: %s%s", args, code, want, &out, &errs)
	}
	return out.String(), errs.String()
}

func (h home) path(name string) string { return filepath.Join(h.dir, filepath.FromSlash(name)) }

func (h home) write(name, text string, mode fs.FileMode) {
	h.Helper()
	if err := os.MkdirAll(filepath.Dir(h.path(name)), 0o755); err != nil {
		h.Fatal(err)
	}
	if err := os.WriteFile(h.path(name), []byte(text), mode); err != nil {
		h.Fatal(err)
	}
	if err := os.Chmod(h.path(name), mode); err != nil {
		h.Fatal(err)
	}
}

func (h home) read(name string) string {
	h.Helper()
	text, err := os.ReadFile(h.path(name))
	if err != nil {
		h.Fatal(err)
	}
	return string(text)
}

func (h home) names(name string) string {
	h.Helper()
	found, err := os.ReadDir(h.path(name))
	if err != nil {
		h.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name())
	}
	return strings.Join(names, " ")
}

// config returns the current configuration for all projects.
func (h home) config(name string) config {
	h.Helper()
	at, err := findPlace(h.path(name), true)
	if err != nil {
		h.Fatal(err)
	}
	c, err := at.read()
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(c.close)
	return c
}

// A file keeps its mode and line ends, so does its backup, and no other files are left.
func TestInstallKeepsTheFile(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	const text = "{\r\n  \"mcpServers\": {\r\n    \"a\": { \"env\": { \"TOKEN\": \"secret\" } }\r\n  }\r\n}\r\n"
	h.write(".cursor/mcp.json", text, 0o600)
	h.run(exitClean, "install", "cursor", "--global")
	added := h.read(".cursor/mcp.json")
	if strings.Count(added, "\n") != strings.Count(added, "\r\n") || !strings.Contains(added, `"catalog": {`) {
		t.Errorf("added: %q", added)
	}
	if got := h.read(".cursor/mcp.json.bak"); got != text {
		t.Errorf("kept: %q", got)
	}
	for _, name := range []string{".cursor/mcp.json", ".cursor/mcp.json.bak"} {
		if info, err := os.Stat(h.path(name)); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	h.run(exitClean, "uninstall", "cursor", "--global")
	if got := h.read(".cursor/mcp.json"); got != text {
		t.Errorf("taken back: %q", got)
	}
	if got, want := h.names(".cursor"), "mcp.json"; got != want {
		t.Errorf("files: %s, want %s", got, want)
	}
}

// A second run changes neither content nor times, and creates no backup.
func TestInstallTwice(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.run(exitClean, "install", "claude-code", "--global")
	before, err := os.Stat(h.path(".claude.json"))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && before.Mode().Perm() != 0o600 {
		t.Errorf("a file that holds secrets has mode %v", before.Mode())
	}
	out, _ := h.run(exitClean, "install", "claude-code", "--global")
	after, err := os.Stat(h.path(".claude.json"))
	if err != nil || !os.SameFile(before, after) || before.ModTime() != after.ModTime() || h.names(".") != ".claude.json" {
		t.Errorf("%s: %v, %v, files %s", out, after, err, h.names("."))
	}
}

// An older entry is updated if the program has moved.
func TestInstallReplacesAnOlderEntry(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write(".gemini/settings.json", `{"mcpServers": {"catalog": {"command": "/old/catalog", "args": ["serve"], "trust": true}}}`, 0o644)
	h.run(exitClean, "install", "gemini", "--global", "--dir", h.dir)
	var got struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
			Trust   bool
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(h.read(".gemini/settings.json")), &got); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	entry := got.MCPServers["catalog"]
	if entry.Command != self || strings.Join(entry.Args, " ") != "serve --dir "+h.dir || !entry.Trust {
		t.Errorf("%+v, want the command %s", entry, self)
	}
	// The program is not called catalog and still recognises its entry.
	h.run(exitClean, "uninstall", "gemini", "--global")
}

// A link remains a link, and the file that it names is edited.
func TestInstallFollowsLinks(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write("dotfiles/codex.toml", "model = 'x'\n", 0o644)
	h.write(".codex/empty", "", 0o644)
	link := h.path(".codex/config.toml")
	if err := os.Symlink(filepath.Join("..", "dotfiles", "codex.toml"), link); err != nil {
		t.Skip(err)
	}
	h.run(exitClean, "install", "codex", "--global")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link: %v, %v", info, err)
	}
	if got := h.read("dotfiles/codex.toml"); !strings.Contains(got, "[mcp_servers.catalog]") {
		t.Errorf("the file: %s", got)
	}
	if got := h.names("dotfiles"); got != "codex.toml codex.toml.bak" {
		t.Errorf("files: %s", got)
	}

	if err := os.Remove(h.path("dotfiles/codex.toml")); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"install", "uninstall"} {
		if _, errs := h.run(exitFailed, command, "codex", "--global"); !strings.Contains(errs, "is a link that leads nowhere") {
			t.Errorf("%s: %s", command, errs)
		}
	}

	h.write("dotfiles/codex.toml", "[mcp_servers.catalog]\ncommand = \"catalog\"\nargs = [\"serve\"]\n", 0o644)
	h.run(exitClean, "uninstall", "codex", "--global")
	if got := h.names(".codex") + ", " + h.names("dotfiles"); got != "empty, codex.toml.bak" {
		t.Errorf("files: %s", got)
	}
}

// A file that cannot be edited stays unchanged, and the reason is printed.
func TestInstallRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, want string
		make       func(h home, path string) error
	}{
		{"a folder", "is not a regular file", func(_ home, path string) error { return os.MkdirAll(path, 0o755) }},
		{"too large", "more than 4194304 bytes", func(h home, path string) error {
			h.write(".copilot/mcp-config.json", "{}", 0o644)
			return os.Truncate(path, 4<<20+1)
		}},
		{"no folder", "mcp-config.json: not a directory", func(h home, _ string) error {
			h.write(".copilot", "", 0o644)
			return nil
		}},
		{"empty", "mcp-config.json:1:1: the file is empty: remove it, or write {} into it; nothing was written", func(h home, _ string) error {
			h.write(".copilot/mcp-config.json", "", 0o644)
			return nil
		}},
	}
	for _, tt := range tests {
		h := newHome(t)
		if err := tt.make(h, h.path(".copilot/mcp-config.json")); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"install", "uninstall"} {
			out, errs := h.run(exitFailed, command, "copilot-cli", "--global")
			if !strings.Contains(errs, tt.want) || out != "" {
				t.Errorf("%s of %s: %s%s, want %s", command, tt.name, out, errs, tt.want)
			}
		}
		if got := h.names("."); got != ".copilot" {
			t.Errorf("%s: files %s", tt.name, got)
		}
	}
}

// A read-only file is not replaced, although that would be possible.
func TestInstallRespectsReadOnly(t *testing.T) {
	t.Parallel()
	if os.Getuid() <= 0 {
		t.Skip("needs a user who may not write everywhere")
	}
	h := newHome(t)
	h.write(".cursor/mcp.json", "{}", 0o444)
	if _, errs := h.run(exitFailed, "install", "cursor", "--global"); !strings.Contains(errs, "permission denied") {
		t.Error(errs)
	}
	if got := h.names(".cursor"); got != "mcp.json" {
		t.Errorf("files: %s", got)
	}
}

// At the maximum number of backups, nothing is written.
func TestInstallKeepsEveryBackup(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write(".cursor/mcp.json", "{}", 0o644)
	c := h.config(".cursor/mcp.json")
	for n := range maxBackups {
		c.text = []byte{byte(n)}
		if _, err := c.keep(); err != nil {
			t.Fatal(n, err)
		}
	}
	if _, errs := h.run(exitFailed, "install", "cursor", "--global"); !strings.Contains(errs, "remove some of") {
		t.Error(errs)
	}
	if got := h.read(".cursor/mcp.json"); got != "{}" {
		t.Errorf("written all the same: %s", got)
	}
}

// The entry's command is "catalog" only if the PATH leads to this program.
func TestInstallNamesTheProgram(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := "catalog"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	h := newHome(t)
	h.write("other/"+name, "#!/bin/sh\n", 0o755)
	h.write("plain/"+name, "no program\n", 0o644)
	h.write("ours/empty", "", 0o644)
	if err := os.Symlink(self, h.path("ours/"+name)); err != nil {
		t.Skip(err)
	}
	list := string(filepath.ListSeparator)
	for path, want := range map[string]string{
		"":                                      self,
		h.path("ours"):                          "catalog",
		h.path("other"):                         self,
		h.path("other") + list + h.path("ours"): self,
		h.path("ours") + list + h.path("other"): "catalog",
		h.path("nowhere") + list + "." + list + h.path("ours"): "catalog",
	} {
		h.env["PATH"] = path
		out, errs := h.run(exitClean, "install", "codex", "--print")
		if quoted, _ := json.Marshal(want); !strings.Contains(out, "command = "+string(quoted)+"\n") {
			t.Errorf("PATH %s: %s%s, want %s", path, out, errs, want)
		}
	}
	if runtime.GOOS != "windows" {
		h.env["PATH"] = h.path("plain") + list + h.path("ours")
		out, _ := h.run(exitClean, "install", "claude-desktop", "--global", "--print")
		if !strings.Contains(out, `"command": "`+h.path("ours/catalog")+`"`) {
			t.Errorf("an application of the desktop starts %s", out)
		}
	}
}

// A note is printed if a shared file contains a path of this machine.
func TestInstallSharesNoPathUnsaid(t *testing.T) {
	h := newHome(t)
	t.Chdir(h.dir)
	if out, errs := h.run(exitClean, "install", "vscode"); !strings.Contains(errs, "Note: \"catalog\" on the PATH is not this program") {
		t.Errorf("%s%s", out, errs)
	}
	if _, errs := h.run(exitClean, "install", "vscode", "--global"); strings.Contains(errs, "on the PATH") {
		t.Errorf("nobody shares that file: %s", errs)
	}
}
