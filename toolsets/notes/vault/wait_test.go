package vault

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"
)

// TestWaitingForAnotherLook checks that a call waiting for another scan ends with its
// context.
func TestWaitingForAnotherLook(t *testing.T) {
	t.Parallel()
	v := New(t.TempDir(), slog.New(slog.DiscardHandler))
	defer v.Close()
	if err := v.lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer v.unlock()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := v.Snapshot(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if _, err := v.Look(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
