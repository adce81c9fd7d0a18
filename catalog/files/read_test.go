package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

const limit = 10

// write writes a file in a new temporary folder and returns both paths.
func write(t *testing.T, content string) (dir, name string) {
	t.Helper()
	dir = t.TempDir()
	name = filepath.Join(dir, "file")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, name
}

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", "a", strings.Repeat("a", limit)} {
		dir, name := write(t, content)
		modified := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
		if err := os.Chtimes(name, modified, modified); err != nil {
			t.Fatal(err)
		}
		for way, read := range waysToRead(t, dir) {
			f, err := read("file")
			if string(f.Data) != content || !f.Modified.Equal(modified) || err != nil {
				t.Errorf("%s: got %q of %v, %v; want %q of %v", way, f.Data, f.Modified, err, content, modified)
			}
		}
	}
}

// waysToRead returns the functions that read a file, given its name within dir.
func waysToRead(t *testing.T, dir string) map[string]func(string) (File, error) {
	root := openRoot(t, dir)
	reader := NewReader(root)
	return map[string]func(string) (File, error){
		"Read":   func(name string) (File, error) { return Read(filepath.Join(dir, name), limit) },
		"Open":   func(name string) (File, error) { return openAndRead(filepath.Join(dir, name)) },
		"ReadIn": func(name string) (File, error) { return ReadIn(root, name, limit) },
		"Reader": func(name string) (File, error) { return reader.Read(name, limit) },
	}
}

func openAndRead(name string) (File, error) {
	opened, info, err := Open(name)
	if err != nil {
		return File{}, err
	}
	defer opened.Close()
	data, err := ReadAll(opened, limit)
	if err != nil {
		return File{}, err
	}
	return File{Data: data, Modified: info.ModTime()}, nil
}

func TestRefused(t *testing.T) {
	t.Parallel()
	dir, _ := write(t, strings.Repeat("a", limit+1))
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		"file":    ErrTooLarge,
		"folder":  ErrNotRegular,
		"missing": fs.ErrNotExist,
	} {
		for way, read := range waysToRead(t, dir) {
			if f, err := read(name); !errors.Is(err, want) || f.Data != nil {
				t.Errorf("%s of %s: got %q, %v; want %v", way, name, f.Data, err, want)
			}
		}
	}
}

func TestReadInStaysWithinTheRoot(t *testing.T) {
	t.Parallel()
	_, outside := write(t, "secret")
	dir := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if f, err := ReadIn(openRoot(t, dir), "link", limit); err == nil {
		t.Errorf("read %q from outside", f.Data)
	}
}

func TestReadAll(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("a", limit)
	if data, err := ReadAll(strings.NewReader(whole), limit); string(data) != whole || err != nil {
		t.Errorf("of %d bytes: got %q, %v", limit, data, err)
	}
	if _, err := ReadAll(strings.NewReader(whole+"a"), limit); !errors.Is(err, ErrTooLarge) {
		t.Errorf("of %d bytes: got %v, want %v", limit+1, err, ErrTooLarge)
	}
	endless := &endless{}
	if _, err := ReadAll(endless, limit); !errors.Is(err, ErrTooLarge) || endless.handedOut > limit+1 {
		t.Errorf("of a stream without end: got %v after %d bytes", err, endless.handedOut)
	}
	broken := errors.New("broken")
	if _, err := ReadAll(iotest.ErrReader(broken), limit); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// endless is an infinite stream.
type endless struct{ handedOut int }

func (e *endless) Read(p []byte) (int, error) {
	e.handedOut += len(p)
	return len(p), nil
}

func TestCause(t *testing.T) {
	t.Parallel()
	_, err := Read(filepath.Join(t.TempDir(), "missing"), limit)
	if got := Cause(err); !errors.Is(got, fs.ErrNotExist) || strings.Contains(got.Error(), "missing") {
		t.Errorf("got %v", got)
	}
	if got := Cause(ErrTooLarge); got != ErrTooLarge {
		t.Errorf("got %v, want %v", got, ErrTooLarge)
	}
}
