package write_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"instruction-catalog/catalog/write"
)

// If one file has changed, no file is replaced.
func TestReplaceAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := write.Catalog{Folder: filepath.Join(dir, "c"), State: filepath.Join(dir, "state"), Log: slog.New(slog.DiscardHandler)}.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, name := range []string{"a.md", "b.md"} {
		if err := s.Create(name, []byte("old\n")); err != nil {
			t.Fatal(err)
		}
	}
	all := func(base string) []write.Replacement {
		return []write.Replacement{{"a.md", []byte("old\n"), []byte("new\n")}, {"b.md", []byte(base), []byte("new\n")}}
	}
	for _, tt := range []struct {
		base, want string
		err        error
	}{{"other\n", "old\n", write.ErrChanged}, {"old\n", "new\n", nil}} {
		if err := s.ReplaceAll(t.Context(), all(tt.base)); !errors.Is(err, tt.err) {
			t.Errorf("base %q: %v, want %v", tt.base, err, tt.err)
		}
		for _, name := range []string{"a.md", "b.md"} {
			if text, err := os.ReadFile(filepath.Join(dir, "c", name)); string(text) != tt.want {
				t.Errorf("base %q: %s is %q (%v), want %q", tt.base, name, text, err, tt.want)
			}
		}
	}
	missing := []write.Replacement{{"none.md", nil, []byte("new\n")}}
	if err := s.ReplaceAll(t.Context(), missing); !errors.Is(err, write.ErrChanged) {
		t.Errorf("a missing file: %v", err)
	}
}
