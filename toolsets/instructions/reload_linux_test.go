package instructions

import (
	"context"
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"time"

	"instruction-catalog/catalog/watch"
)

// TestHealthSaysUnwatched checks that health reports files that cannot be watched.
func TestHealthSaysUnwatched(t *testing.T) {
	toolset := New(Config{Dir: t.TempDir(), Now: time.Now, Watch: true, Log: slog.New(slog.DiscardHandler)})
	if h := toolset.health(t.Context()).Detail.(*catalogHealth); h.Unwatched != "" || h.Stale != "" {
		t.Fatalf("got %+v", h)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	looks := 0
	scan := func(context.Context, []string) ([]string, error) {
		if looks++; looks == 2 {
			stop()
		}
		return []string{"."}, nil
	}
	toolset.reloader.watcher = watch.New(toolset.config.Dir, scan, toolset.reloader.log)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 3, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	toolset.reloader.watcher.Run(ctx)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if h := toolset.health(t.Context()).Detail.(*catalogHealth); !strings.Contains(h.Unwatched, "too many open files") || looks != 2 {
		t.Errorf("after %d looks: got %+v", looks, h)
	}
}
