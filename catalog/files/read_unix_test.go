//go:build unix

package files

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// The pipe has no writer, so a reader that waits for one would wait forever. The device
// has no end.
func TestIrregularFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := os.Symlink("pipe", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe", "link", "socket"} {
		for way, read := range waysToRead(t, dir) {
			want := ErrNotRegular
			if name == "link" && way == "Reader" {
				want = ErrLink
			}
			if _, err := read(name); !errors.Is(err, want) {
				t.Errorf("%s of the %s: got %v, want %v", way, name, err, want)
			}
		}
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "device")); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(filepath.Join(dir, "device"), limit); !errors.Is(err, ErrNotRegular) {
		t.Errorf("of a link to a device: got %v, want %v", err, ErrNotRegular)
	}
}
