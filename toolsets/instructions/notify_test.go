package instructions

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/history"
)

// TestNotifierWaitsForAClient checks that changes are merged while a client does not
// read, that none is lost, and that the last revision is saved even if the client never
// reads.
func TestNotifierWaitsForAClient(t *testing.T) {
	t.Parallel()
	var current atomic.Pointer[catalog.Snapshot]
	file := filepath.Join(t.TempDir(), "history.json")
	n := newChangeNotifier(history.Open(file, current.Load, slog.New(slog.DiscardHandler)))
	version := 0
	swap := func() {
		version++
		e := catalog.NewEntry(catalog.Instruction{ID: "a", Title: "T", Body: fmt.Sprint(version)}, catalog.Origin{})
		before, after := current.Load(), catalog.NewSnapshot([]*catalog.Entry{e}, nil)
		current.Store(after)
		n.onSwap(before, after)
	}
	notified, read, announced := make(chan change), make(chan struct{}), make(chan *catalog.Snapshot, 10)
	n.onChange = func(before *catalog.Snapshot, _ catalog.Changes) { announced <- before }
	swap()
	n.start()
	first := current.Load()
	state := n.listen(t.Context(), "client", func(_ context.Context, c change) {
		notified <- c
		<-read
	})
	swap()
	one := <-notified
	for range 5 {
		swap()
	}
	read <- struct{}{}
	if two := <-notified; one.Previous != state || two.Previous != one.State || two.State != n.history.Current() {
		t.Errorf("notified of %v, then of %v, from %v to %v", one, two, state, n.history.Current())
	}
	if before := <-announced; before != first {
		t.Errorf("announced what changed since %v, not since %v", before.Revision(), first.Revision())
	}
	n.ignore("client")
	swap()
	closed := make(chan struct{})
	go func() {
		n.close()
		close(closed)
	}()
	for {
		last := history.Open(file, current.Load, slog.New(slog.DiscardHandler))
		if _, err := os.Stat(file); err == nil {
			if _, changes, known := last.Since(one.Revision); known && len(changes.Updated) == 1 {
				break
			}
		}
	}
	read <- struct{}{}
	<-closed
}
