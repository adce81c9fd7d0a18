package tools_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDryRuns checks that a dry run names the notes and lines that would change, and
// writes nothing.
func TestDryRuns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ tool, params, want string }{
		{"create_node", `{"title":"New","content":"x"`, `{"id":"new.md","would":[{"id":"new.md","lines":[]}]}`},
		{"create_node", `{"title":"Leaf","content":"x"`, `{"id":"leaf.md","would":[{"id":"leaf.md","lines":[]},{"id":"notes/tree.md","lines":[9]}]}`},
		{"update_node", `{"id":"notes/tree.md","title":"Old Oak","append":"More."`,
			`{"id":"notes/old-oak.md","would":[{"id":"notes/leaf.md","lines":[6]},{"id":"notes/tree.md","lines":[3,10]}]}`},
		{"update_node", `{"id":"notes/tree.md","append":"More."`, `{"id":"notes/tree.md","would":[{"id":"notes/tree.md","lines":[10]}]}`},
		{"update_node", `{"id":"notes/tree.md","replace":{"old":"[[leaf]]","new":"leaf"}`, `{"id":"notes/tree.md","would":[{"id":"notes/tree.md","lines":[9]}]}`},
		{"update_node", `{"id":"notes/tree.md","content":"A [[leaf]].\n"`, `{"id":"notes/tree.md","would":[]}`},
		{"update_node", `{"id":"notes/leaf.md","content":""`, `{"id":"notes/leaf.md","would":[{"id":"notes/leaf.md","lines":[4,5,6]}]}`},
		{"delete_node", `{"id":"notes/leaf.md"`, `{"deleted":false,"would":[{"id":"notes/leaf.md","lines":[]}]}`},
		{"delete_node", `{"id":"zzz.md"`, `{"deleted":false,"would":[]}`},
	} {
		f := newFixture(t, vaultOf(t, garden))
		if got := f.call(t, tt.tool, tt.params+`,"dryRun":true}`); got != tt.want {
			t.Errorf("%s %s: got\n%s, want\n%s", tt.tool, tt.params, got, tt.want)
		}
		wrote(t, f, "", "")
		if members, err := os.ReadDir(f.dir); len(members) != 4 || err != nil {
			t.Errorf("%s: the vault holds %v, %v", tt.tool, members, err)
		}
	}
	f := newFixture(t, vaultOf(t, garden))
	compare(t, f.call(t, "update_node", `{"id":"notes/tree.md","title":"Leaf","dryRun":true}`), errorOf("NODE_EXISTS", "notes/leaf.md"))
	compare(t, f.call(t, "delete_node", `{"id":"notes/tree.md","ifHash":"0","dryRun":true}`), errorOf("INVALID_PARAMS", "read it again"))
	if _, err := os.Stat(filepath.Join(f.dir, ".trash")); err == nil {
		t.Error("a dry run made .trash")
	}
}
