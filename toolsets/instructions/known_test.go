package instructions

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

// FuzzDiffParams: params that fit the schema are read as encoding/json does.
func FuzzDiffParams(f *testing.F) {
	contract, _ := schemas.V1().Method("instructions/diff")
	for _, e := range contract.Examples() {
		f.Add([]byte(e.Params))
	}
	for _, text := range []string{
		` { "known" : [ ] , "clientHash" : "é\n\ud83d\ude00\ud800" } `, `{"clientHash":"a","clientHash":"b"}`, `{"\u006bnown":[{"i\u0064":"\u0061","sourceHash":""}]}`,
		`{"known":[{"id":"a","sourceHash":"x","id":"b"}],"known":[{"sourceHash":"y","id":"c"},{"id":"` + strings.Repeat("é", 60) + `","sourceHash":"\\"}]}`,
		"{\"known\":[{\"id\":\"\xff\\u0041\",\"sourceHash\":\"\xff\"}]}",
	} {
		f.Add([]byte(text))
	}
	type plain diffParams
	f.Fuzz(func(t *testing.T, text []byte) {
		if found, err := contract.Params.Validate(text); err != nil || found != nil {
			t.Skip("does not fit")
		}
		var want plain
		var got diffParams
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if err := got.UnmarshalJSON(text); err != nil || !reflect.DeepEqual(plain(got), want) {
			t.Errorf("%q is read as %+v, want %+v (%v)", text, got, want, err)
		}
	})
}

// serving returns a registry with the methods of a catalog of n entries, and what
// a client knows that holds them.
func serving(tb testing.TB, n int) (*rpc.Registry, *catalog.Snapshot) {
	tb.Helper()
	entries := make([]*catalog.Entry, n)
	var sealer catalog.Sealer
	for i := range entries {
		entries[i] = &catalog.Entry{ID: catalog.ID(fmt.Sprintf("e%05d", i)), Title: "t"}
		sealer.Seal(entries[i], fmt.Sprint("Body ", i))
	}
	s := catalog.NewSnapshot(entries, nil)
	s.BuildIndex() // not while somebody counts what is allocated
	toolset := New(Config{Now: time.Now})
	toolset.store = catalog.NewStore(func(context.Context) (*catalog.Snapshot, error) { return s, nil })
	registry := rpc.NewRegistry(schemas.V1(), rpc.Info{}, slog.New(slog.DiscardHandler), time.Now)
	if err := registry.Add(toolset.Methods()...); err != nil {
		tb.Fatal(err)
	}
	return registry, s
}

// withoutChange asks for a diff by the hash of the catalog.
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

// TestDiffWithoutChangeIsConstant: who names the hash of the catalog is answered
// with as much memory, however many entries there are. A look at each of 10,000
// would take more than a byte for each.
func TestDiffWithoutChangeIsConstant(t *testing.T) {
	// Not parallel: it counts what is allocated.
	few, many := bytesFor(withoutChange(t, 10)), bytesFor(withoutChange(t, 10_000))
	if many > 2*few || few > 5000 {
		t.Errorf("%d bytes for 10 entries, %d for 10,000", few, many)
	}
}

// bytesFor returns what a call allocates on average.
func bytesFor(call func()) uint64 {
	const calls = 100
	call() // what is compiled at the first call is not counted
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		call()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / calls
}

// TestKnownAllocatesLittle: what a client knows costs a few pieces of memory,
// and not some for each entry.
func TestKnownAllocatesLittle(t *testing.T) {
	// Not parallel: it counts what is allocated.
	registry, s := serving(t, 2000)
	known := make([]catalog.Known, 0, 2000)
	for _, e := range s.Entries() {
		known = append(known, catalog.Known{ID: e.ID, SourceHash: e.SourceHash})
	}
	params := encode(t, map[string]any{"known": known, "clientHash": s.Hash()})
	allocated := testing.AllocsPerRun(10, func() {
		if _, failure := registry.Call(t.Context(), "instructions/diff", params); failure != nil {
			t.Fatal(failure)
		}
	})
	if allocated > 200 {
		t.Errorf("%v pieces of memory for %d entries", allocated, len(known))
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
