package source

import (
	"context"
	"errors"
	"os"
	"testing"
)

// A load that ends early closes the folders that it has opened.
func TestFoldersAreClosed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a/a.md": "text", "b/b.md": "text"})
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	batches := make(chan batch, 8)
	places := make(chan struct{}, mostOpen)
	w := walker{root: root, found: batches, places: places, idle: func() bool { return false }}
	if err := w.walk(t.Context(), "."); err != nil {
		t.Fatal(err)
	}
	close(batches)
	if len(batches) < 2 || len(places) != len(batches) {
		t.Fatalf("%d batches, and %d folders are open", len(batches), len(places))
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if all, err := readFound(ended, batches, (*Cache)(nil).recall(dir)); !errors.Is(err, context.Canceled) || len(all) > 0 {
		t.Errorf("%d batches were read: %v", len(all), err)
	}
	if len(places) > 0 {
		t.Errorf("%d folders are open", len(places))
	}
}
