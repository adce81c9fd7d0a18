package instructions

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

// serving returns a registry for a catalog of n entries, and its snapshot.
func serving(tb testing.TB, n int) (*rpc.Registry, *catalog.Snapshot) {
	tb.Helper()
	entries := make([]*catalog.Entry, n)
	for i := range entries {
		entries[i] = catalog.NewEntry(catalog.Instruction{ID: catalog.ID(fmt.Sprintf("e%05d", i)), Title: "t", Body: fmt.Sprint("Body ", i)}, catalog.Origin{})
	}
	s := catalog.NewSnapshot(entries, nil)
	s.BuildIndex() // built now, so that it does not disturb the measurement
	toolset := New(Config{Now: time.Now})
	toolset.store = catalog.NewStore(func(context.Context) (*catalog.Snapshot, error) { return s, nil })
	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	if err := registry.Add(toolset.Toolset()); err != nil {
		tb.Fatal(err)
	}
	return registry, s
}

// withoutChange returns a function that requests a diff with the current hash of the
// catalog.
func withoutChange(tb testing.TB, n int) (ask func()) {
	registry, s := serving(tb, n)
	params := json.RawMessage(`{"clientHash":"` + s.Hash() + `"}`)
	want := `{"upToDate":true,"hash":"` + string(s.Hash()) + `"}`
	return func() {
		result, failure := registry.Call(tb.Context(), "instructions/diff", params)
		if failure != nil || string(result.Bytes()) != want {
			tb.Fatalf("%s, %v", result.Bytes(), failure)
		}
	}
}

// TestDiffWithoutChangeIsConstant checks that a diff with the current hash allocates the
// same amount of memory for any number of entries. Visiting each of 10,000 entries would
// allocate more than one byte for each.
func TestDiffWithoutChangeIsConstant(t *testing.T) {
	// Not parallel, because it measures allocations.
	few, many := bytesFor(withoutChange(t, 10)), bytesFor(withoutChange(t, 10_000))
	if many > 2*few || few > 5000 {
		t.Errorf("%d bytes for 10 entries, %d for 10,000", few, many)
	}
}

// bytesFor returns the average number of bytes that a call allocates.
func bytesFor(call func()) uint64 {
	const calls = 100
	call() // the first call compiles schemas
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		call()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / calls
}

// BenchmarkDiffStale measures a diff for a client that holds 5,000 entries, a tenth of
// them stale.
func BenchmarkDiffStale(b *testing.B) {
	registry, s := serving(b, 5000)
	known := make([]catalog.Known, len(s.Entries()))
	for i, e := range s.Entries() {
		known[i] = catalog.Known{ID: e.ID, SourceHash: e.SourceHash}
		if i%10 == 0 {
			known[i].SourceHash = "old"
		}
	}
	params, err := json.Marshal(map[string]any{"known": known})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, failure := registry.Call(b.Context(), "instructions/diff", params); failure != nil {
			b.Fatal(failure)
		}
	}
}

func BenchmarkDiffWithoutChange(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		ask := withoutChange(b, n)
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ask()
			}
		})
	}
}
