package main

import (
	"path/filepath"
	"testing"
)

func TestStateHome(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, named := filepath.Join(root, "home"), filepath.Join(root, "named")
	tests := []struct {
		system string
		env    map[string]string
		want   string
	}{
		{"linux", map[string]string{"HOME": home}, filepath.Join(home, ".local", "state")},
		{"linux", map[string]string{"HOME": home, "XDG_STATE_HOME": named}, named},
		{"freebsd", map[string]string{"HOME": home, "XDG_STATE_HOME": "relative"}, filepath.Join(home, ".local", "state")},
		{"linux", nil, ""},
		{"darwin", map[string]string{"HOME": home, "XDG_STATE_HOME": named}, filepath.Join(home, "Library", "Application Support")},
		{"darwin", nil, ""},
		{"windows", map[string]string{"LocalAppData": named, "HOME": home}, named},
		{"windows", map[string]string{"HOME": home}, ""},
	}
	for _, tt := range tests {
		if got := stateHome(tt.system, func(name string) string { return tt.env[name] }); got != tt.want {
			t.Errorf("%s, %v: %q, want %q", tt.system, tt.env, got, tt.want)
		}
	}
}

// TestCatalogKey checks that a catalog has the same key for every spelling of its
// folder.
func TestCatalogKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := func(dir string) string {
		key, err := (&app{dir: dir}).catalogKey()
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	if key(dir) != key(dir+"/./") || key(dir) == key(filepath.Dir(dir)) || len(key(dir)) != 32 {
		t.Errorf("%s, %s, above %s", key(dir), key(dir+"/./"), key(filepath.Dir(dir)))
	}
}
