package tools_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestToolsReachNoSQL checks that the tools do not import, even indirectly, a store or
// an SQL package.
func TestToolsReachNoSQL(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	imported := strings.Fields(string(out))
	if !slices.Contains(imported, "instruction-catalog/toolsets/tasks") {
		t.Fatalf("the use cases are not among %q", imported)
	}
	for _, path := range imported {
		if strings.HasPrefix(path, "database/sql") || strings.HasPrefix(path, "instruction-catalog/toolsets/tasks/sql") ||
			strings.HasPrefix(path, "instruction-catalog/toolsets/tasks/postgres") || strings.Contains(path, "/pgx/") {
			t.Errorf("the tools import %s: ask a use case", path)
		}
	}
}
