package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestReader alternates between folders, and between files that can and cannot be read.
func TestReader(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{"top": "t", "a/one": "longer", "a/two": "2", "a/b/deep": "", "a/large": "12345678901", "c/one": "1"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"a/link": "../c/one", "a/out": "/etc/passwd", "folder": "c"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	r := NewReader(openRoot(t, dir))
	defer r.Close()
	for _, c := range []struct {
		name, content string
		err           error
	}{
		{"a/one", "longer", nil}, {"a/two", "2", nil}, {"top", "t", nil}, {"a/b/deep", "", nil},
		{"a/large", "", ErrTooLarge}, {"a", "", ErrNotRegular}, {"a/none", "", fs.ErrNotExist}, {"none/one", "", fs.ErrNotExist},
		{"a/one", "longer", nil}, {"a/link", "", ErrLink}, {"a/out", "", ErrLink}, {"a/two", "2", nil}, {"folder/one", "", ErrLink}, {"top", "t", nil},
	} {
		if f, err := r.Read(c.name, limit); string(f.Data) != c.content || !errors.Is(err, c.err) {
			t.Errorf("%s: got %q, %v; want %q, %v", c.name, f.Data, err, c.content, c.err)
		}
	}
}
