package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pendingFolder returns the path of the folder that contains the plan.
func (f *Folder) pendingFolder(t *testing.T) string {
	t.Helper()
	own, err := f.ownFolder()
	must(t, err)
	return filepath.Join(own, pending)
}

// leave writes a plan and staged texts, as a process that died would have left them.
func (f *Folder) leave(t *testing.T, plan string, staged ...string) {
	t.Helper()
	must(t, f.begin(t).Close())
	dir := f.pendingFolder(t)
	must(t, os.WriteFile(filepath.Join(dir, "plan"), planFile.Encode([]byte(plan)), 0o600))
	for i, text := range staged {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(text), 0o755))
	}
}

// A change that cannot be completed is set aside unchanged. A log line names it and its
// files. Nothing else changes, and later changes succeed.
func TestSetAside(t *testing.T) {
	t.Parallel()
	edit := func(name, to string) string {
		e, err := json.Marshal(map[string]any{"name": name, "to": to, "do": map[string]string{"old": "new"}, "before": hashOf([]byte("to old and x")), "after": hashOf([]byte("taken over"))})
		must(t, err)
		return fmt.Sprintf(`{"id":"A","begun":true,"complete":true,"steps":[%s]}`, e)
	}
	for name, c := range map[string]struct {
		plan  string
		spoil func(f *Folder)
		names string // the file names in the log
	}{
		"a hook":            {plan: edit("a.md", ".git/hooks/pre-commit"), names: ".git/hooks/pre-commit"},
		"no note":           {plan: edit(".git/config", ""), names: ".git/config"},
		"a hidden folder":   {plan: edit(".git/notes.md", ""), names: ".git/notes.md"},
		"two dots":          {plan: edit("a.md", "../b.md"), names: "../b.md"},
		"dots within":       {plan: edit("d/../../b.md", ""), names: "../b.md"},
		"an absolute name":  {plan: edit("a.md", "/srv/b.md"), names: "/srv/b.md"},
		"a zero byte":       {plan: edit("a.md\x00", ""), names: "is not a file that"},
		"an id with a path": {plan: strings.Replace(edit("a.md", ""), `"A"`, `"../A"`, 1), names: "damaged"},
		"no JSON":           {plan: "x", names: "invalid character"},
		"the new name is taken": {plan: edit("a.md", "b.md"), names: "b.md", spoil: func(f *Folder) {
			f.write(t, "b.md", "mine")
		}},
		"an edit is refused": {plan: edit("a.md", ""), names: "a.md", spoil: func(f *Folder) { f.write(t, "a.md", "refused") }},
		"a link": {plan: edit("link.md", ""), names: "link.md", spoil: func(f *Folder) {
			must(t, os.Symlink(".git/config", filepath.Join(f.Path, "link.md")))
		}},
		"damaged": {plan: edit("a.md", ""), names: "damaged", spoil: func(f *Folder) {
			name := filepath.Join(f.pendingFolder(t), "plan")
			text, err := os.ReadFile(name)
			must(t, errors.Join(err, os.WriteFile(name, text[:len(text)-1], 0o600)))
		}},
		"newer": {plan: edit("a.md", ""), names: "newer version", spoil: func(f *Folder) {
			newer := planFile
			newer.Version++
			must(t, os.WriteFile(filepath.Join(f.pendingFolder(t), "plan"), newer.Encode(nil), 0o600))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFolder(t, nil, map[string]string{"a.md": "to old and x", ".git/config": "[core]"})
			f.Owns = func(name string) bool { return strings.HasSuffix(name, ".md") && !strings.Contains("/"+name, "/.") }
			var log bytes.Buffer
			f.Log = slog.New(slog.NewTextHandler(&log, nil))
			f.leave(t, c.plan, "taken over")
			if c.spoil != nil {
				c.spoil(f)
			}
			want, left := contents(t, f.Path), contents(t, f.pendingFolder(t))
			s := f.begin(t)
			if got := contents(t, f.Path); !maps.Equal(got, want) {
				t.Errorf("the folder holds %q, want %q", got, want)
			}
			aside, err := filepath.Glob(filepath.Join(filepath.Dir(f.pendingFolder(t)), "set-aside-*"))
			if err != nil || len(aside) != 1 || !strings.Contains(log.String(), aside[0]) || !strings.Contains(log.String(), c.names) {
				t.Fatalf("set aside are %q, %v; the log:\n%s", aside, err, &log)
			}
			if got := contents(t, aside[0]); got["plan"] != left["plan"] {
				t.Errorf("set aside is %q, want %q", got, left)
			}
			must(t, s.Edit("a.md", func([]byte) ([]byte, error) { return []byte("changed"), nil }))
		})
	}
}

// A staged text is used only if it has the hash in the plan. A text that another
// program saved just before the crash is kept.
func TestSalvaged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ now, staged, want, kept string }{
		"before the exchange":            {"old", "new", "new", ""},
		"after the exchange":             {"new", "old", "new", ""},
		"an emptied text":                {"old", "", "new", ""},
		"a damaged text":                 {"old", "ne\x00", "new", ""},
		"an editor came before":          {"new", "old by hand", "new", "old by hand"},
		"an editor came before, then us": {"new by hand", "old by hand", "new by hand", "old by hand"},
		"an editor came later":           {"old by hand", "new", "new by hand", ""},
		"the disk lost the new text":     {"", "old", "", "old"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFolder(t, nil, map[string]string{"a.md": c.now})
			f.leave(t, fmt.Sprintf(`{"id":"A","begun":true,"complete":true,"steps":[{"name":"a.md","do":{"old":"new"},"before":%q,"after":%q}]}`,
				hashOf([]byte("old")), hashOf([]byte("new"))), c.staged)
			want := map[string]string{"a.md": c.want}
			if c.kept != "" {
				want[".trash/a.md"] = c.kept
			}
			must(t, f.begin(t).Close())
			f.holds(t, want)
		})
	}
}
