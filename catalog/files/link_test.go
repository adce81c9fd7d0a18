package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755), os.WriteFile(filepath.Join(dir, "a", "b", "c"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"file": "a/b/c", "folder": "a/b", "a/b/up": "../../folder/c", "chain": "a/b/up", "top": "a/..", "out": "..", "out2": "a/../../x",
		"absolute": filepath.Join(dir, "a"), "nowhere": "none", "self": "self", "one": "two", "two": "one",
		"back": "../" + filepath.Base(dir) + "/a", "empty": "a//./b/.", "through": "a/b/c/../c", "long": strings.Repeat("a/../", 300) + "a",
	} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	root := openRoot(t, dir)
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"a/b/c", "a/b/c", nil}, {"file", "a/b/c", nil}, {"folder/c", "a/b/c", nil}, {"folder", "a/b", nil}, {"chain", "a/b/c", nil},
		{"folder/../b/c", "a/b/c", nil}, {"top", ".", nil}, {"empty/c", "a/b/c", nil}, {".", ".", nil},
		{"out", "", ErrLeadsOut}, {"out2", "", ErrLeadsOut}, {"back", "", ErrLeadsOut}, {"absolute/b/c", "", ErrLeadsOut},
		{"nowhere", "", fs.ErrNotExist}, {"folder/none", "", fs.ErrNotExist},
		{"self", "", syscall.ELOOP}, {"one", "", syscall.ELOOP}, {"long", "", syscall.ELOOP}, {"through", "", syscall.ENOTDIR},
	} {
		if got, err := Resolve(root, c.name); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: got %q, %v; want %q, %v", c.name, got, err, c.want, c.err)
		}
	}
}

// TestReaderFollowsNoReplacement reads a file while other goroutines replace it and its
// folder by links and restore them.
func TestReaderFollowsNoReplacement(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(at("open/sub"), 0o755), os.MkdirAll(at("hidden"), 0o755), os.WriteFile(at("open/sub/f"), []byte("open"), 0o600), os.WriteFile(at("hidden/f"), []byte("secret"), 0o600),
		os.WriteFile(at("open/f"), []byte("open"), 0o600))
	must(os.Symlink("../hidden", at("open/link")), os.Symlink("../hidden/f", at("open/filelink")))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 2000 {
			os.Rename(at("open/sub"), at("open/kept"))
			os.Rename(at("open/link"), at("open/sub"))
			os.Rename(at("open/sub"), at("open/link"))
			os.Rename(at("open/kept"), at("open/sub"))
			os.Rename(at("open/f"), at("open/keptfile"))
			os.Rename(at("open/filelink"), at("open/f"))
			os.Rename(at("open/f"), at("open/filelink"))
			os.Rename(at("open/keptfile"), at("open/f"))
		}
	}()
	root := openRoot(t, dir)
	for {
		r := NewReader(root)
		for _, name := range []string{"open/sub/f", "open/f"} {
			if f, _ := r.Read(name, limit); string(f.Data) == "secret" {
				t.Errorf("%s: read through a link", name)
			}
		}
		r.Close()
		select {
		case <-done:
			return
		default:
		}
	}
}
