package files

import (
	"bytes"
	"io"
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
	members, err := folder.Members(100)
	if err != nil || len(members) != 6 {
		t.Fatalf("%v, %v", members, err)
	}
	for _, m := range members {
		path := folder.Path(m.Name())
		want, wantErr := ReadIn(root, path, limit, new(bytes.Buffer))
		got, err := folder.Read(m.Name(), limit, bytes.NewBufferString("what was there before"))
		if string(got.Data) != string(want.Data) || !got.Modified.Equal(want.Modified) || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: got %q of %v, %v; want %q of %v, %v", path, got.Data, got.Modified, err, want.Data, want.Modified, wantErr)
		}
		if err == nil && (got.Info.Mode() != want.Info.Mode() || got.Info.Size() != want.Info.Size()) {
			t.Errorf("%s: %v of %d bytes, want %v of %d", path, got.Info.Mode(), got.Info.Size(), want.Info.Mode(), want.Info.Size())
		}
	}
	if _, err := folder.Members(1); err != io.EOF {
		t.Errorf("after the last member: %v", err)
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
