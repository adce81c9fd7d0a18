//go:build unix

package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNotesThatCannotBeRead checks that a note whose file cannot be read is an error that
// names it, not a missing note, and that no rename goes on while links may be there. A
// named pipe is such a file for every user.
func TestNotesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := vaultOf(t, map[string]string{"a.md": "[[b]]", "b.md": "[[a]]", "sub/c.md": "c"})
	pipe := filepath.Join(dir, "sub", "pipe.md")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("there are no named pipes here:", err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "out.md")); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	for _, call := range []string{
		`get_node {"id":"sub/pipe.md"}`, `get_node {"id":"SUB/Pipe.md"}`, `get_neighbors {"id":"sub/pipe.md"}`,
		`find_path {"source":"sub/pipe.md","target":"a.md"}`, `find_path {"source":"a.md","target":"sub/pipe.md"}`,
		`update_node {"id":"sub/pipe.md","content":"x"}`, `delete_node {"id":"sub/pipe.md"}`, `delete_node {"id":"sub/pipe.md","dryRun":true}`,
		`create_node {"title":"Pipe","content":"x","directory":"sub"}`,
		`update_node {"id":"a.md","title":"Another"}`, `update_node {"id":"a.md","title":"Another","dryRun":true}`, `update_node {"id":"sub/c.md","title":"Pipe"}`,
	} {
		tool, params, _ := strings.Cut(call, " ")
		got := f.call(t, tool, params)
		if !strings.Contains(got, `"PROVIDER_ERROR"`) || !strings.Contains(got, `\"sub/pipe.md\"`) || strings.Contains(got, dir) {
			t.Errorf("%s: got %s", call, got)
		}
	}
	f.says(t, "get_node", `{"id":"b.md"}`, `"content":"[[a]]"`) // nothing was renamed
	f.says(t, "get_node", `{"id":"out.md"}`, "null")            // a link that leads out is no note
	f.says(t, "update_node", `{"id":"a.md","tags":["x"]}`, `"tags":["x"]`)

	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(dir, "large.md") // has no blocks on most disks
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 65<<20); err != nil {
		t.Fatal(err)
	}
	f.says(t, "update_node", `{"id":"a.md","title":"Another"}`, "links in large.md are not rewritten")
	f.says(t, "get_node", `{"id":"large.md"}`, `\"large.md\" cannot be read`)
	f.says(t, "get_node", `{"id":"b.md"}`, "[[another|Another]]")
}

// says makes a call and checks that the answer contains part.
func (f *fixture) says(t *testing.T, tool, params, part string) {
	t.Helper()
	if got := f.call(t, tool, params); !strings.Contains(got, part) {
		t.Errorf("%s %s: got %s, want %s", tool, params, got, part)
	}
}

// TestChangesThatFail checks that the error of a change that fails names the note and
// what is in the way.
func TestChangesThatFail(t *testing.T) {
	t.Parallel()
	dir := vaultOf(t, map[string]string{"a.md": "a", ".trash": "a file"})
	f := newFixture(t, dir)
	got := f.call(t, "delete_node", `{"id":"a.md"}`)
	compare(t, got, errorOf("PROVIDER_ERROR", `"a.md" could not be changed (.trash: a link or a file has the name: move it away)`))
	f.says(t, "get_node", `{"id":"a.md"}`, `"content":"a"`)
}
