package files

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Regular files are read in the plain way, and nothing else is: a link, for one,
// would be followed by nobody who looks where it leads.
func TestReadPlain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{"file": "content", "empty": "", "full": strings.Repeat("x", limit), "large": strings.Repeat("x", limit+1)} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	must(t, os.Symlink("file", filepath.Join(dir, "link")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	folder := openFolder(t, openRoot(t, dir), ".")
	var buf Buffer
	for name, want := range map[string]bool{
		"file": true, "empty": true, "full": true, "large": false, "folder": false, "link": false, "pipe": false, "missing": false,
	} {
		if _, ok := folder.readPlain(name, limit, &buf); ok != want {
			t.Errorf("%s is read in the plain way: %v", name, ok)
		}
	}
}
