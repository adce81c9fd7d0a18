package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Uninstalling keeps additions to a file that install created: members of our entry,
// and the host's formatting.
func TestUninstallLosesNothing(t *testing.T) {
	t.Parallel()
	const formatted = "{\n    \"mcpServers\": {\n        \"catalog\": {\n            \"type\": \"stdio\"," +
		"\n            \"command\": \"catalog\",\n            \"args\": [\n                \"serve\"\n            ]\n        }\n    }\n}\n"
	tests := []struct {
		name, host, file, rest string
		edit                   func(text string) string
	}{
		{"env", "claude-code", ".claude.json", "{\n}\n",
			func(s string) string { return strings.Replace(s, `"type"`, `"env": {"TOKEN": "mine"}, "type"`, 1) }},
		{"approvals", "codex", ".codex/config.toml", "",
			func(s string) string {
				return s + "\n[mcp_servers.catalog.tools.search]\napproval_mode = \"approve\"\n"
			}},
		{"a choice", "opencode", ".config/opencode/opencode.json", "{\n}\n",
			func(s string) string { return strings.Replace(s, "true", "false", 1) }},
		{"a host's own form", "cursor", ".cursor/mcp.json", "{\n}\n", func(string) string { return formatted }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.write(tt.file, "", 0o600)
			if err := os.Remove(h.path(tt.file)); err != nil {
				t.Fatal(err)
			}
			h.run(exitClean, "install", tt.host, "--global")
			made := h.read(tt.file)
			edited := tt.edit(made)
			if edited == made {
				t.Fatalf("nothing is edited in %s", made)
			}
			h.write(tt.file, edited, 0o600)
			h.run(exitClean, "uninstall", tt.host, "--global")
			if got := h.read(tt.file + ".bak"); got != edited {
				t.Errorf("kept: %q, want %q", got, edited)
			}
			if got := h.read(tt.file); got != tt.rest {
				t.Errorf("left: %q, want %q", got, tt.rest)
			}
			h.run(exitClean, "install", tt.host, "--global")
		})
	}
}

// A project link that leads out of the project is not followed to a file or folder,
// existing or not. A link within the project is followed.
func TestProjectsAreNotLeft(t *testing.T) {
	h := newHome(t)
	const secret = "{\n  \"mcpServers\": {\n    \"catalog\": {\n      \"type\": \"stdio\"," +
		"\n      \"command\": \"catalog\",\n      \"args\": [\"serve\"]\n    }\n  }\n}\n"
	h.write("home/secret.json", secret, 0o600)
	h.write("project/conf/zed.json", "{}", 0o644)
	t.Chdir(h.path("project"))
	for link, target := range map[string]string{
		".mcp.json": filepath.Join("..", "home", "secret.json"), ".cursor": h.path("home"), ".vscode": filepath.Join("..", "home"),
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{"claude-code", "cursor", "vscode"} {
		for _, command := range []string{"install", "uninstall"} {
			out, errs := h.run(exitFailed, command, name)
			if out != "" || !strings.Contains(errs, "leads out of this folder") || !strings.Contains(errs, "--global") {
				t.Errorf("%s %s: %s%s", command, name, out, errs)
			}
		}
	}
	if got := h.names("home"); got != "secret.json" || h.read("home/secret.json") != secret {
		t.Errorf("outside are %s: %s", got, h.read("home/secret.json"))
	}
	if got := h.names("project"); got != ".cursor .mcp.json .vscode conf" {
		t.Errorf("in the project are %s", got)
	}

	if err := os.Symlink(h.path("project/conf"), ".zed"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("conf/zed.json", "conf/settings.json"); err != nil {
		t.Fatal(err)
	}
	h.run(exitClean, "install", "zed")
	if got := h.names("project/conf"); got != "settings.json settings.json.bak" {
		t.Errorf("a link that stays within: files %s", got)
	}
}

// If the host writes its file during an edit, the host's content stays.
func TestInstallYieldsToTheHost(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		edit func(c config) error
	}{
		{"rewrite", func(c config) error { _, err := c.rewrite([]byte("ours")); return err }},
		{"remove", config.remove},
		{"create", func(c config) error { return c.create([]byte("ours")) }},
	}
	for _, tt := range tests {
		h := newHome(t)
		h.write("f.json", "{}", 0o600)
		c := h.config("f.json")
		h.write("f.json", `{"host": 1}`, 0o600)
		if err := tt.edit(c); err == nil || !strings.Contains(err.Error(), "in the meantime") {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := h.read("f.json"); got != `{"host": 1}` {
			t.Errorf("%s: the file holds %s", tt.name, got)
		}
		if got := h.names("."); strings.Contains(got, ".tmp") {
			t.Errorf("%s: files %s", tt.name, got)
		}
	}
}

// Relative paths in the environment are rejected.
func TestInstallNeedsAbsoluteFolders(t *testing.T) {
	h := newHome(t)
	t.Chdir(h.dir)
	h.env["CLAUDE_CONFIG_DIR"] = "rel"
	if _, errs := h.run(exitFailed, "install", "claude-code", "--global"); !strings.Contains(errs, `CLAUDE_CONFIG_DIR is "rel"`) {
		t.Error(errs)
	}
	if got := h.names("."); got != "" {
		t.Errorf("files: %s", got)
	}
	h.env = map[string]string{"CLAUDE_CONFIG_DIR": h.path("claude")}
	h.run(exitClean, "install", "claude-code", "--global")
	if got := h.names("claude"); got != ".claude.json" {
		t.Errorf("files: %s", got)
	}
}
