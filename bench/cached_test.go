package bench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// remember is a server that writes a cache where there is none, and forget one
// that writes it each time. Neither needs one.
func remember(dir string) error {
	if path := cacheOfChild(); !exists(path) {
		return writeCache(path, serve(dir, os.Stdin, os.Stdout))
	}
	return serve(dir, os.Stdin, os.Stdout)
}

func forget(dir string) error { return writeCache(cacheOfChild(), serve(dir, os.Stdin, os.Stdout)) }

func cacheOfChild() string { return filepath.Join(os.Getenv("CACHE"), "folder", "file") }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func writeCache(path string, err error) error {
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	_ = os.Remove(path)
	return os.WriteFile(path, []byte("cache"), 0o600)
}

// cachedTrial is one of a catalog of so many entries that was written long ago.
func cachedTrial(t *testing.T, size int, server string) *trial {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	config := testConfig(t, server)
	command := config.Server
	config.Cached = func(path, cache string) Command {
		c := command(path)
		c.Env = []string{"CACHE=" + cache}
		return c
	}
	corpus, err := folderForm.generate(t.Context(), t.TempDir(), size, seed, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	corpus.written = time.Time{}
	config.Server = testConfig(t, "serve").Server
	return &trial{Config: &config, steps: &steps{}, corpus: corpus, result: corpus.newResult()}
}

func TestStartsWithCache(t *testing.T) {
	trial := cachedTrial(t, cachedFrom, "remember")
	if err := trial.measureStarts(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := trial.result; r.CachedAnswerMs <= 0 || r.CachedAnswerRatio <= 0 || r.FirstAnswerMs <= 0 {
		t.Errorf("%+v", r)
	}
	checkEmpty(t, os.TempDir())
}

// What cannot be said of a start with a cache is not said.
func TestStartsWithoutCache(t *testing.T) {
	for name, trial := range map[string]*trial{
		"few files":     cachedTrial(t, cachedFrom-1, "forget"),
		"keeps nothing": cachedTrial(t, cachedFrom, "serve"),
	} {
		if err := trial.measureStarts(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if r := trial.result; r.CachedAnswerMs != 0 || r.CachedAnswerRatio != 0 || r.FirstAnswerMs <= 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	checkEmpty(t, os.TempDir())
	trial := cachedTrial(t, cachedFrom, "forget")
	if err := trial.measureStarts(t.Context()); err == nil || !strings.Contains(err.Error(), "did not use its cache") {
		t.Errorf("a server that does not believe its cache: %v", err)
	}
	checkEmpty(t, os.TempDir())
}

// Files that have just been written are waited for, unless the run ends.
func TestCacheWaitsForFiles(t *testing.T) {
	trial := cachedTrial(t, cachedFrom, "remember")
	trial.corpus.written = time.Now().Add(time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c, err := trial.newCache(ctx, nil); c != nil || err != context.Canceled {
		t.Errorf("%v, %v", c, err)
	}
	checkEmpty(t, os.TempDir())
}
