package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A module without licence terms makes the generator fail.
func TestNoticesAreComplete(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out bytes.Buffer
	if err := addNotices(&out, "example.com/m v1.0.0", dir, nil); err == nil || !strings.Contains(err.Error(), "example.com/m v1.0.0 has no licence") {
		t.Errorf("got %v", err)
	}
	for name, text := range map[string]string{
		"LICENSE": "whole\r\n", "licence.go": "package m", "part/sub/NOTICE.txt": "part\n", "other/LICENSE": "other",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := addNotices(&out, "example.com/m v1.0.0", dir, []string{filepath.Join(dir, "part", "sub"), dir}); err != nil {
		t.Fatal(err)
	}
	line := strings.Repeat("=", 80)
	want := "\n" + line + "\nexample.com/m v1.0.0: LICENSE\n\nwhole\n" + "\n" + line + "\nexample.com/m v1.0.0: part/sub/NOTICE.txt\n\npart\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}
