package tools_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// TestSessionsChangeNothing checks that every tool answers according to its schema for
// any files in the vault, and does not change their bytes, times, modes or names.
func TestSessionsChangeNothing(t *testing.T) {
	t.Parallel()
	var wide strings.Builder
	for _, unit := range utf16.Encode([]rune("\uFEFF# Wide\n[[a]]\n")) {
		wide.WriteString(string([]byte{byte(unit), byte(unit >> 8)}))
	}
	dir := vaultOf(t, map[string]string{
		"a.md": "[[a]] [[../../etc/passwd]] [x](../../../etc/passwd.md) [[sub]] [[sub/]] [x](sub/) [[b]]", "b.md": "",
		"sub/bad.md": "---\ntags: [x\n\tb: - \n---\n[[a]]", "sub/list.md": "---\n- a\n---\n[[a]]", "sub/open.md": "---\ntags: x\n[[a]]",
		"wide.md": wide.String(), "nul.md": "a\x00b [[a]]\x00", "latin.md": "caf\xe9 [[a]]", "many.md": strings.Repeat("[[a]] [b](b.md) [[nowhere]] ", 10_000),
		"Cafe\u0301.md": "", "links.md": "[[Caf\u00e9]] [x](caf%C3%A9.md)", "crlf.md": "---\r\ntags: x\r\n---\r\n[[a]]\r\n",
		"picture.png": "\x89PNG", ".obsidian/app.json": "{}", "large.md": strings.Repeat("A line of text that links to [[a]].\n\n", 5<<20/37),
	})
	before := state(t, dir)
	f := newFixture(t, dir)
	ids := []string{"a.md", "b.md", "sub/bad.md", "sub/list.md", "sub/open.md", "wide.md", "nul.md", "latin.md", "many.md", "Caf\u00e9.md", "links.md", "crlf.md", "large.md", "../a.md"}
	for _, id := range ids {
		name, _ := json.Marshal(id)
		for _, call := range []string{
			`get_node {"id":%s}`, `get_node {"id":%s,"depth":1}`, `get_neighbors {"id":%s,"limit":50}`, `find_path {"source":%[1]s,"target":"b.md"}`, `find_path {"source":"a.md","target":%s}`,
		} {
			f.fits(t, fmt.Sprintf(call, name))
		}
	}
	for _, call := range []string{
		`get_hubs {"limit":50}`, `get_hubs {"metric":"pagerank"}`, `search_by_tags {"tags":["x"]}`, `random_node {}`, `random_node {"tags":[]}`, `search_text {"query":"line text"}`,
	} {
		f.fits(t, call)
	}
	for name, was := range before {
		if is := state(t, dir)[name]; is != was {
			t.Errorf("%s was %s and is %s", name, was, is)
		}
	}
	if after := state(t, dir); len(after) != len(before) {
		t.Errorf("there were %d files and folders, and are %d", len(before), len(after))
	}
	for _, tt := range []struct{ id, want string }{
		{"a.md", `"links":[{"id":"a.md","title":"a"},{"id":"b.md","title":"b"}]`}, {"sub/bad.md", `"content":"[[a]]","tags":[],"links":[{"id":"a.md","title":"a"}]`},
		{"sub/open.md", `"content":"---\ntags: x\n[[a]]"`}, {"nul.md", `"content":"a\u0000b [[a]]\u0000"`}, {"latin.md", "caf\uFFFD [[a]]"},
		{"links.md", "\"links\":[{\"id\":\"Cafe\u0301.md\",\"title\":\"Cafe\u0301\"}]"}, {"many.md", `"links":[{"id":"a.md","title":"a"},{"id":"b.md","title":"b"}]`},
		{"crlf.md", `"content":"[[a]]\r\n","tags":["x"]`}, {"wide.md", "\uFFFD\uFFFD"},
	} {
		if got := f.call(t, "get_node", fmt.Sprintf(`{"id":%q}`, tt.id)); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %.600s\nwant %s", tt.id, got, tt.want)
		}
	}
}

// fits makes a call and checks the result against its schema.
func (f *fixture) fits(t *testing.T, call string) {
	t.Helper()
	tool, params, _ := strings.Cut(call, " ")
	got := f.call(t, tool, params)
	m, _ := f.registry.Method("notes/" + tool)
	if issues, err := m.Schema().Result.Validate([]byte(got)); err != nil || len(issues) > 0 || !utf8.ValidString(got) {
		t.Errorf("%s: %v %v: %.300s", call, issues, err, got)
	}
}

// state describes the properties of a folder's content that must not change.
func state(t *testing.T, dir string) map[string]string {
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
		if !d.IsDir() {
			data, err := os.ReadFile(path)
			all[path] += fmt.Sprintf(" %x", sha256.Sum256(data))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestVaultsThatAreNone checks that a vault that disappears yields errors until it is
// back, that an empty vault has no notes, and that a file is not a vault.
func TestVaultsThatAreNone(t *testing.T) {
	t.Parallel()
	dir := vaultOf(t, map[string]string{"a.md": "a"})
	f := newFixture(t, dir)
	const ask = `{"id":"a.md"}`
	here := f.call(t, "get_node", ask)
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	f.vault.Expire()
	if got := f.call(t, "get_node", ask); !strings.Contains(got, `"code":"PROVIDER_ERROR"`) {
		t.Errorf("the vault is gone: got %s", got)
	}
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	if got := f.call(t, "get_node", ask); got != here {
		t.Errorf("the vault is back: got %s, want %s", got, here)
	}
	empty := newFixture(t, t.TempDir())
	for call, want := range map[string]string{"random_node": "null", "get_hubs": "[]"} {
		if got := empty.call(t, call, `{}`); got != want {
			t.Errorf("%s of an empty vault: %s", call, got)
		}
	}
	file := newFixture(t, filepath.Join(dir, "a.md"))
	if got := file.call(t, "get_hubs", `{}`); !strings.Contains(got, "PROVIDER_ERROR") {
		t.Errorf("a file: %s", got)
	}
}
