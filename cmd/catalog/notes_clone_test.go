package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// oldPlan returns a plan in the form that an older version kept in the vault.
func oldPlan(from, to, name, before, after string) string {
	return fmt.Sprintf(`{"from":%q,"to":%q,"edits":[{"name":%q,"do":{},"before":%q,"after":%q,"staged":".catalog/staged/1"}]}`,
		from, to, name, hashOf(before), hashOf(after))
}

func hashOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

const (
	noteText = "# A note\n\n[[b]]\n"
	hookText = "#!/bin/sh\ntouch ./taken-over\n"
)

// hostileClones write hostile content into a vault. The keys say what its plan would
// do.
var hostileClones = map[string]func(t *testing.T, dir string){
	"a hook": func(t *testing.T, dir string) {
		plant(t, dir, oldPlan("a.md", ".git/hooks/pre-commit", "a.md", noteText, hookText), hookText)
	},
	"git's configuration": func(t *testing.T, dir string) {
		plant(t, dir, oldPlan("", "", ".git/config", "[core]\n", "[core]\n\tfsmonitor = evil\n"), "[core]\n\tfsmonitor = evil\n")
	},
	"a dot folder": func(t *testing.T, dir string) {
		plant(t, dir, oldPlan("a.md", ".obsidian/plugins.md", "a.md", noteText, "x"), "x")
	},
	"a note that is a link": func(t *testing.T, dir string) {
		link(t, ".git/config", filepath.Join(dir, "link.md"))
		plant(t, dir, oldPlan("", "", "link.md", "[core]\n", "x"), "x")
	},
	"a name with two dots": func(t *testing.T, dir string) {
		plant(t, dir, oldPlan("a.md", "../outside.md", "a.md", noteText, "x"), "x")
	},
	"an absolute name": func(t *testing.T, dir string) {
		plant(t, dir, oldPlan("a.md", filepath.Join(filepath.Dir(dir), "outside.md"), "a.md", noteText, "x"), "x")
	},
	"the plan of another vault": func(t *testing.T, dir string) {
		plant(t, dir, oldPlan("a.md", "renamed.md", "a.md", noteText, "# Renamed\n"), "# Renamed\n")
	},
	"a staged file that is a link": func(t *testing.T, dir string) {
		plant(t, dir, oldPlan("", "", "a.md", noteText, "[core]\n"), "")
		remove(t, filepath.Join(dir, ".catalog/staged/1"))
		link(t, "../../.git/config", filepath.Join(dir, ".catalog/staged/1"))
	},
	"a folder that is a link": func(t *testing.T, dir string) {
		elsewhere := filepath.Join(filepath.Dir(dir), "elsewhere")
		plant(t, elsewhere, oldPlan("", "", "a.md", noteText, "x"), "x")
		link(t, filepath.Join(elsewhere, ".catalog"), filepath.Join(dir, ".catalog"))
	},
	"a plan that is damaged": func(t *testing.T, dir string) {
		plant(t, dir, `{"edits":[{"name":"a.md\u0000"`, "x")
	},
	"a file in the place of the folder": func(t *testing.T, dir string) {
		writeVault(t, dir, map[string]string{".catalog": "x"})
	},
}

// plant writes a plan and a staged file into a vault, as an older version did.
func plant(t *testing.T, dir, plan, staged string) {
	t.Helper()
	writeVault(t, dir, map[string]string{".catalog/change.json": plan, ".catalog/staged/1": staged, ".catalog/lock": ""})
	if err := os.Chmod(filepath.Join(dir, ".catalog/staged/1"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip("no symbolic links here:", err)
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// everything returns all properties of a folder's content that must not change.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[path] = fmt.Sprint(info.Mode(), info.ModTime())
		switch {
		case info.Mode().IsRegular():
			text, err := os.ReadFile(path)
			all[path] += string(text)
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			all[path] += to
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// hostileClone returns a vault with two notes and the content of one of the hostile
// clones.
func hostileClone(t *testing.T, spoil func(t *testing.T, dir string)) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "vault")
	writeVault(t, dir, map[string]string{
		"a.md": noteText, "b.md": "[[a]]\n", ".git/config": "[core]\n", ".git/HEAD": "ref: refs/heads/main\n", ".git/hooks/sample": "", ".obsidian/app.json": "{}",
	})
	spoil(t, dir)
	return dir
}

// No command that takes a vault follows a plan that came with the vault.
func TestAPlanInAVaultIsIgnored(t *testing.T) {
	t.Parallel()
	p := build(t)
	const warning = "may be deleted"
	for name, spoil := range hostileClones {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := hostileClone(t, spoil)
			before := everything(t, filepath.Dir(dir))
			for _, args := range [][]string{
				{"serve", "--toolsets", "notes", "--notes", dir},
				{"serve", "--toolsets", "notes", "--notes", dir, "--notes-read-only"},
				{"serve", "--toolsets", "notes", "--notes", dir, "--notes-links", "reject"},
			} {
				s := p.start(t, args...)
				if r := s.call("notes/get_node", `{"id":"a.md"}`); r.Error != nil || !strings.Contains(string(r.Result), "A note") {
					t.Errorf("%v: %s", args, r.line)
				}
				s.end()
				if got := strings.Count(s.stderr.String(), warning); got != 1 {
					t.Errorf("%v: %d lines warn of .catalog:\n%s", args, got, &s.stderr)
				}
			}
			for _, args := range [][]string{
				{"call", "--notes", dir, "notes/get_hubs"}, {"notes", "--notes", dir, "check"}, {"notes", "--notes", dir, "graph"},
				{"schema", "--notes", dir, "notes/get_node"}, {"install", "gemini", "--print", "--global", "--notes", dir},
			} {
				s := p.start(t, args...)
				s.in.Close()
				_, _ = s.out.WriteTo(&strings.Builder{})
				if code := s.wait(); code != exitClean && args[0] != "notes" {
					t.Errorf("%v: exit code %d: %s", args, code, &s.stderr)
				}
			}
			if after := everything(t, filepath.Dir(dir)); !maps.Equal(before, after) {
				t.Errorf("files have changed:\n%q\nbecame\n%q", before, after)
			}

			before = everything(t, dir)
			s := p.serveNotes(t, dir)
			if r := s.call("notes/create_node", `{"title":"New","content":"x"}`); r.Error != nil {
				t.Errorf("a note cannot be written: %s", r.line)
			}
			if r := s.call("notes/update_node", `{"id":"a.md","title":"Another"}`); r.Error != nil {
				t.Errorf("a note cannot be renamed: %s", r.line)
			}
			s.end()
			after := everything(t, dir)
			for name, was := range before {
				if strings.Contains(name, "/.") && after[name] != was {
					t.Errorf("%s was %q, and is %q", name, was, after[name])
				}
			}
			if len(after) != len(before)+1 {
				t.Errorf("%d files and folders, then %d", len(before), len(after))
			}
		})
	}
}

// Plans are kept outside the vault, where files that come with it cannot replace them.
func TestNotesNeedAStateFolderElsewhere(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := t.TempDir()
	writeVault(t, dir, map[string]string{"a.md": "x"})
	linked := filepath.Join(t.TempDir(), "linked")
	link(t, dir, linked)
	inner := t.TempDir() // only the folder of the notes leads into the vault
	if err := os.Mkdir(filepath.Join(inner, "instruction-catalog"), 0o700); err != nil {
		t.Fatal(err)
	}
	link(t, dir, filepath.Join(inner, "instruction-catalog", "notes"))
	for state, says := range map[string]string{
		inner: "is in the vault", filepath.Join(dir, ".state"): "is in the vault", filepath.Join(linked, "state"): "is in the vault", "": "no folder for the state of programs",
	} {
		args := []string{"serve", "--toolsets", "notes", "--notes", dir}
		serve := func(more ...string) *session {
			s := &session{t: t, ctx: t.Context(), cmd: exec.CommandContext(t.Context(), string(p), append(args, more...)...)}
			s.cmd.Env = []string{"XDG_STATE_HOME=" + state, "LocalAppData=" + state}
			s.cmd.Stderr = &s.stderr
			s.run(func() {})
			return s
		}
		s := serve()
		s.in.Close()
		if rest := s.drain(); len(rest) > 0 || s.wait() == exitClean || !strings.Contains(s.stderr.String(), says) || !strings.Contains(s.stderr.String(), "--notes-read-only") {
			t.Errorf("with the state in %q: %s", state, &s.stderr)
		}
		s = serve("--notes-read-only")
		s.call("notes/get_hubs", "{}")
		s.end()
	}
	if got := readVault(t, dir); len(got) != 1 {
		t.Errorf("there are %v", got)
	}
}
