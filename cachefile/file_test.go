//go:build unix

package cachefile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const form = "things 1"

// kept returns a file with the content, and its path.
func kept(t testing.TB, content string) (*File, string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "cache", "program")
	f := New(folder, "x.cache", form)
	if err := write(t.Context(), f, content); err != nil {
		t.Fatal(err)
	}
	return f, filepath.Join(folder, "x.cache")
}

func write(ctx context.Context, f *File, content string) error {
	return f.Write(ctx, func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	})
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", "x", strings.Repeat("content ", 100_000)} {
		f, path := kept(t, content)
		for _, want := range []string{content, "something else"} { // and over what is there
			if err := write(t.Context(), f, want); err != nil {
				t.Fatal(err)
			}
			if got, err := f.Read(); err != nil || string(got) != want {
				t.Errorf("got %d bytes, %v; want %d", len(got), err, len(want))
			}
		}
		for name, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): fs.ModeDir | 0o700} {
			if info, err := os.Stat(name); err != nil || info.Mode() != want {
				t.Errorf("%s has mode %v, %v; want %v", name, info.Mode(), err, want)
			}
		}
		if members, _ := os.ReadDir(filepath.Dir(path)); len(members) != 1 {
			t.Errorf("left behind: %v", members)
		}
	}
}

func TestNothingIsKeptYet(t *testing.T) {
	t.Parallel()
	f := New(filepath.Join(t.TempDir(), "program"), "x.cache", form)
	if _, err := f.Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	deep := New(filepath.Join(t.TempDir(), "home", "cache", "program"), "x.cache", form)
	if err := write(t.Context(), deep, "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder was made where there was none: %v", err)
	}
}

// TestNotBelieved changes a file, or what is around it, in every way that is to
// be noticed.
func TestNotBelieved(t *testing.T) {
	t.Parallel()
	const content = "the content"
	overwrite := func(data string) func(*testing.T, string) {
		return func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte(data), 0o600)) }
	}
	chmod := func(mode fs.FileMode) func(*testing.T, string) {
		return func(t *testing.T, path string) { must(t, os.Chmod(path, mode)) }
	}
	aside := func(t *testing.T, path string) string {
		must(t, os.Rename(path, path+".aside"))
		return path + ".aside"
	}
	inFolder := func(change func(*testing.T, string)) func(*testing.T, string) {
		return func(t *testing.T, path string) { change(t, filepath.Dir(path)) }
	}
	link := func(t *testing.T, path string) { must(t, os.Symlink(aside(t, path), path)) }
	give := func(t *testing.T, path string) {
		if err := os.Lchown(path, 12345, -1); err != nil {
			t.Skip("only root can give a file away:", err)
		}
	}
	for name, tt := range map[string]struct {
		change func(*testing.T, string)
		want   error
	}{
		"empty":                    {overwrite(""), ErrDamaged},
		"a part of the form":       {overwrite(form[:3]), ErrDamaged},
		"only the form":            {overwrite(form + "\n"), ErrDamaged},
		"another version":          {overwrite("things 2\n" + content), ErrForm},
		"something else":           {overwrite("\x00\x01"), ErrForm},
		"without a hash":           {overwrite(form + "\n" + strings.Repeat("x", 50)), ErrDamaged},
		"writable by the group":    {chmod(0o620), ErrTampered},
		"writable by all":          {chmod(0o602), ErrTampered},
		"folder writable by group": {inFolder(chmod(0o770)), ErrTampered},
		"folder writable by all":   {inFolder(chmod(0o707)), ErrTampered},
		"of somebody else":         {give, ErrTampered},
		"folder of somebody else":  {inFolder(give), ErrTampered},
		"a link":                   {link, ErrTampered},
		"folder is a link":         {inFolder(link), ErrTampered},
		"a folder":                 {func(t *testing.T, path string) { aside(t, path); must(t, os.Mkdir(path, 0o700)) }, ErrTampered},
		"a pipe":                   {func(t *testing.T, path string) { aside(t, path); must(t, syscall.Mkfifo(path, 0o600)) }, ErrTampered},
		"folder is a file": {inFolder(func(t *testing.T, path string) {
			aside(t, path)
			must(t, os.WriteFile(path, nil, 0o600))
		}), ErrTampered},
		"too large": {func(t *testing.T, path string) { must(t, os.Truncate(path, MaxSize+1000)) }, ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, path := kept(t, content)
			tt.change(t, path)
			if data, err := f.Read(); !errors.Is(err, tt.want) || data != nil {
				t.Errorf("got %q, %v; want %v", data, err, tt.want)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Each byte counts, and how many there are.
func TestDamageIsNoticed(t *testing.T) {
	t.Parallel()
	f, path := kept(t, "the content")
	whole, err := os.ReadFile(path)
	must(t, err)
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 0x20
		for _, data := range [][]byte{changed, whole[:i]} {
			if content, err := believed(f, data); err == nil {
				t.Fatalf("byte %d: believed %q", i, content)
			}
		}
	}
	if _, err := believed(f, append(whole, 0)); err != ErrDamaged {
		t.Errorf("a byte more: %v", err)
	}
}

// What could not be written leaves what was there.
func TestWriteThatFails(t *testing.T) {
	t.Parallel()
	f, path := kept(t, "before")
	failure := errors.New("failure")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for want, err := range map[error]error{
		failure: f.Write(t.Context(), func(w io.Writer) error {
			_, _ = io.WriteString(w, "half of it")
			return failure
		}),
		context.Canceled: write(ended, f, "after"),
		ErrTooLarge: (&boundedWriter{ctx: t.Context(), to: io.Discard, left: 3}).write("", func(w io.Writer) error {
			_, err := io.WriteString(w, "four")
			return err
		}),
	} {
		if !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	if got, err := f.Read(); string(got) != "before" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if members, _ := os.ReadDir(filepath.Dir(path)); len(members) != 1 {
		t.Errorf("left behind: %v", members)
	}
}

// Nothing is written to a folder that others can write to, or to where a link
// leads; a link in the file's own place is replaced.
func TestWriteStaysInItsPlace(t *testing.T) {
	t.Parallel()
	f, path := kept(t, "before")
	other := filepath.Join(t.TempDir(), "other")
	must(t, os.WriteFile(other, []byte("other"), 0o600))
	must(t, os.Remove(path))
	must(t, os.Symlink(other, path))
	must(t, write(t.Context(), f, "after"))
	if got, err := f.Read(); string(got) != "after" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if data, _ := os.ReadFile(other); string(data) != "other" {
		t.Errorf("the file that a link led to is now %q", data)
	}
	must(t, os.Chmod(filepath.Dir(path), 0o777))
	if err := write(t.Context(), f, "more"); !errors.Is(err, ErrTampered) {
		t.Errorf("in a folder that everybody can write to: %v", err)
	}
}

func TestOldFilesAreRemoved(t *testing.T) {
	t.Parallel()
	f, path := kept(t, "x")
	old := time.Now().Add(-stale - time.Hour)
	for name, modified := range map[string]time.Time{"old.cache": old, "x.cache-123": old, "new.cache": time.Now()} {
		p := filepath.Join(filepath.Dir(path), name)
		must(t, os.WriteFile(p, nil, 0o600))
		must(t, os.Chtimes(p, modified, modified))
	}
	must(t, write(t.Context(), f, "x"))
	members, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	var names []string
	for _, m := range members {
		names = append(names, m.Name())
	}
	if got := strings.Join(names, " "); got != "new.cache x.cache" {
		t.Errorf("left are %s", got)
	}
}

// FuzzRead: whatever the file holds, what is believed is what was written.
func FuzzRead(f *testing.F) {
	file, path := kept(f, "the content")
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(form + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		content, err := believed(file, data)
		if err != nil {
			return
		}
		var again bytes.Buffer
		w := &boundedWriter{ctx: t.Context(), to: &again, left: MaxSize}
		must(t, w.write(file.heading(), func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		}))
		if !bytes.Equal(again.Bytes(), data) {
			t.Errorf("believed %q of %q", content, data)
		}
	})
}

// believed returns the content of a file that holds the data.
func believed(f *File, data []byte) ([]byte, error) {
	return f.content(data, sumOf(data[:max(0, len(data)-checksumSize)]))
}
