package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog/config"
)

func Example() {
	top, _ := os.MkdirTemp("", "repository")
	defer os.RemoveAll(top)
	_ = os.MkdirAll(filepath.Join(top, ".catalog"), 0o755)
	_ = os.WriteFile(filepath.Join(top, config.Path), []byte(`{"rules": {"duplicate": "off"}}`), 0o644)
	c, err := config.Find(filepath.Join(top, "instructions"))
	fmt.Println(c.Rules["duplicate"].Severity, err)
	// Output: off <nil>
}

// write creates a file and the folders above it.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Find uses the file at the top of the repository and lists those in folders below it in
// NotRead.
func TestFind(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write(t, filepath.Join(top, ".git", "HEAD"), "")
	write(t, filepath.Join(top, config.Path), `{"failOn": "warning"}`)
	write(t, filepath.Join(top, "a", config.Path), `{"failOn": "error"}`)
	c, err := config.Find(filepath.Join(top, "a", "instructions"))
	switch {
	case err != nil:
		t.Fatal(err)
	case c.FailOn != "warning" || c.Top != top || !c.IsRepository || !c.Exists:
		t.Errorf("got %+v", c)
	case len(c.NotRead) != 1 || c.NotRead[0] != filepath.Join(top, "a", config.Path):
		t.Errorf("not read: %q", c.NotRead)
	}
}

func TestFindWithoutRepository(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	c, err := config.Find(filepath.Join(above, "instructions"))
	if err != nil || c.Exists || c.IsRepository || c.Top != above {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestBadConfigurations(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		`{`:                                   "not JSON",
		`{"review": "low", "review": "none"}`: "appears twice",
		`{"colour": 1}`:                       "colour is not known",
		`{"baseline": "/etc/passwd"}`:         "leads out",
		`{"baseline": "link"}`:                "leads out",
		`{"baseline": "../known.json"}`:       "leads out",
		`{"rules": {"a": "fatal"}}`:           "rules.a",
		`{"rules": {"a": {"reason": "why"}}}`: "severity",
		`{"rules": {"a": {"severity": "off", "until": "2026-02-30"}}}`: "not a date",
	} {
		top := t.TempDir()
		write(t, filepath.Join(top, config.Path), text)
		if err := os.Symlink(os.TempDir(), filepath.Join(top, "link")); err != nil {
			t.Skip(err)
		}
		if _, err := config.Find(filepath.Join(top, "instructions")); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

func TestDays(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 11, 23, 23, 59, 59, 0, time.UTC)
	for day, over := range map[config.Day]bool{"": false, "2026-11-23": false, "2026-11-22": true, "2027-01-01": false} {
		if day.IsOver(end) != over {
			t.Errorf("%q: %v", day, !over)
		}
	}
	if day := config.Day("2026-11-23"); !day.IsOver(end.Add(time.Second)) {
		t.Error("a day does not end")
	}
}
