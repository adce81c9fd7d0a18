package files

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// A folder reads what the root reads by the whole path: the same bytes, time
// and identity, through links within the root and none that lead out of it.
func TestFolderReadsAsTheRoot(t *testing.T) {
	t.Parallel()
	_, outside := write(t, "secret")
	dir := t.TempDir()
	for name, content := range map[string]string{"sub/file": "content", "sub/empty": "", "top": "above"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(content), 0o600))
	}
	for link, target := range map[string]string{"up": "../top", "beside": "file", "out": outside, "nowhere": "no such file"} {
		if err := os.Symlink(target, filepath.Join(dir, "sub", link)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	root := openRoot(t, dir)
	folder := openFolder(t, root, "sub")
	var buf Buffer
	for _, name := range []string{"file", "empty", "up", "beside", "out", "nowhere", "missing"} {
		path := folder.Path(name)
		want, wantErr := ReadIn(root, path, limit, new(bytes.Buffer))
		got, err := folder.Read(name, limit, &buf)
		if string(got.Data) != string(want.Data) || !got.Modified.Equal(want.Modified) || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: got %q of %v, %v; want %q of %v, %v", path, got.Data, got.Modified, err, want.Data, want.Modified, wantErr)
		}
		if err == nil && (got.Info.Mode() != want.Info.Mode() || got.Info.Size() != want.Info.Size()) {
			t.Errorf("%s: %v of %d bytes, want %v of %d", path, got.Info.Mode(), got.Info.Size(), want.Info.Mode(), want.Info.Size())
		}
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "sub", "folder"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "sub", "file"), []byte("content"), 0o600))
	if err := os.Symlink("file", filepath.Join(dir, "sub", "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	root := openRoot(t, dir)
	folder := openFolder(t, root, "sub")
	types := map[string]fs.FileMode{}
	members, err := folder.Members()
	must(t, err)
	for _, m := range members {
		types[m.Name] = m.Type
		info, err := folder.Look(m)
		must(t, err)
		want, err := root.Lstat(folder.Path(m.Name))
		must(t, err)
		if info.Mode().IsRegular() != want.Mode().IsRegular() || info.Size() != want.Size() || !info.ModTime().Equal(want.ModTime()) {
			t.Errorf("%s: %v of %d bytes, want %v of %d", m.Name, info.Mode(), info.Size(), want.Mode(), want.Size())
		}
	}
	if want := map[string]fs.FileMode{"file": 0, "folder": fs.ModeDir, "link": fs.ModeSymlink}; !maps.Equal(types, want) {
		t.Errorf("got %v, want %v", types, want)
	}
	if _, err := folder.Look(Member{Name: "missing"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a member that is not there: %v", err)
	}
}

func TestNoFolder(t *testing.T) {
	t.Parallel()
	dir, _ := write(t, "content")
	if _, err := OpenFolder(openRoot(t, dir), "missing"); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
