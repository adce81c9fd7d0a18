package source

import (
	"strings"
	"sync"
	"testing"
)

// A load tells its progress to the end: of a folder in files, of a bundle in bytes.
func TestLoadTellsProgress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "a", "b/b.md": "b", "c.txt": "none"})
	content := strings.Repeat(minimal("a")+"\n", 9)
	for path, want := range map[string]int{dir: 2, writeBundle(t, "b.jsonl", content): len(content)} {
		var mu sync.Mutex
		most := 0
		ctx := WithProgress(t.Context(), func(done, total int) {
			mu.Lock()
			defer mu.Unlock()
			if most = max(most, done); total != want {
				t.Errorf("%d of %d, want %d", done, total, want)
			}
		})
		if _, err := New(path).Load(ctx); err != nil || most != want {
			t.Errorf("got to %d of %d, %v", most, want, err)
		}
	}
}
