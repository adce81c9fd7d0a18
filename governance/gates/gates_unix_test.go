//go:build unix

package gates

import (
	"path/filepath"
	"syscall"
	"testing"

	"instruction-catalog/catalog"
)

// A pipe that nobody writes to must not hold up the answer.
func TestPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, File), 0o600); err != nil {
		t.Fatal(err)
	}
	e, configured := evaluateIn(dir, catalog.NewSnapshot(nil, nil))
	if !configured {
		t.Fatal("the gates are said not to be configured")
	}
	requireBrokenFile(t, e, "regular file")
}
