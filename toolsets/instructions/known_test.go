package instructions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

// FuzzDiffParams: params that fit the schema are read as encoding/json does, and
// what a client knows is compared as if it had been read so.
func FuzzDiffParams(f *testing.F) {
	contract, _ := schemas.V1().Method("instructions/diff")
	for _, e := range contract.Examples() {
		f.Add([]byte(e.Params))
	}
	_, s := serving(f, 4)
	c := s.Compare()
	for _, text := range []string{
		` { "known" : [ ] , "clientHash" : "é\n\ud83d\ude00\ud800" } `, `{"clientHash":"a","clientHash":"b"}`, `{"\u006bnown":[{"i\u0064":"\u0061","sourceHash":""}]}`,
		`{"known":[{"id":"e00001","sourceHash":"x","id":"b"}],"known":[{"sourceHash":"y","id":"e00002"},{"id":"` + strings.Repeat("é", 60) + `","sourceHash":"\\"}]}`,
		"{\"known\":[{\"id\":\"\xff\\u0041\",\"sourceHash\":\"\xff\"}]}", `{"known":[` + string(c.Expected()) + `,` + string(c.Expected()) + `]}`,
		`{"known":[` + string(c.Expected()) + ` ,{"id":"e00003","sourceHash":"\u0030"},{"id":"e00002","sourceHash":"` + string(s.Entries()[2].SourceHash) + `"}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if found, err := contract.Params.Validate(text); err != nil || found != nil {
			t.Skip("does not fit")
		}
		want := struct {
			ClientHash catalog.Fingerprint
			Known      *[]catalog.Known
		}{}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		p := diffParams{text: text}
		hash, changes := p.compare(s)
		checkHeard(t, contract.Params, s, text, changes)
		if hash != want.ClientHash || (changes == nil) != (want.Known == nil) {
			t.Fatalf("%q is read as %q, %v, want %+v", text, hash, changes, want)
		}
		if changes == nil {
			return
		}
		plain := s.Compare()
		for _, k := range *want.Known {
			plain.Take(k)
		}
		if !reflect.DeepEqual(*changes, plain.Changes()) {
			t.Errorf("of %q the changes are %+v, want %+v", text, *changes, plain.Changes())
		}
	})
}

// checkHeard compares what is heard while params are matched with what is read of
// them afterwards.
func checkHeard(t *testing.T, schema *schemas.Schema, s *catalog.Snapshot, text []byte, want *catalog.Changes) {
	t.Helper()
	text = bytes.TrimLeft(text, " \t\r\n")
	reader := &knownReader{snapshot: s}
	if _, _, ok := schema.Match(text, reader); !ok {
		return
	}
	p := diffParams{text: text}
	p.Hear(reader)
	if _, got := p.compare(s); !reflect.DeepEqual(got, want) {
		t.Errorf("of %q is heard %+v, and read %+v", text, got, want)
	}
	if want != nil && !bytes.HasPrefix(reader.array, []byte("[")) {
		t.Errorf("of %q the array is %q", text, reader.array)
	}
}

// TestKnownIsHeard: a diff that is asked for in a line is answered as one that
// does not come in a line, whatever the client knows and however it writes that.
func TestKnownIsHeard(t *testing.T) {
	t.Parallel()
	registry, s := serving(t, 30)
	random := rand.New(rand.NewPCG(7, 8))
	checked := 0
	for range 200 {
		var known []string
		for _, e := range s.Entries() {
			form := []string{`{"id":%q,"sourceHash":%q}`, `{"id":%q,"sourceHash":"old%.0s"}`, ` { "id" : %q , "sourceHash" : %q } `, `{"id":"x%s","sourceHash":%q}`}
			if i := random.IntN(12); i < 11 {
				known = append(known, fmt.Sprintf(form[max(0, i-7)], e.ID, e.SourceHash))
			}
		}
		params := `{"clientHash":"` + []string{"x", string(s.Hash())}[random.IntN(2)] + `","known":[` + strings.Join(known, ",") + `]}`
		scanned, ok := registry.Scan([]byte(`{"jsonrpc":"2.0","id":1,"method":"instructions/diff","params":` + params + `}`))
		m, _, failure := scanned.Message()
		if !ok || failure != nil {
			t.Fatalf("%s: %v", params, failure)
		}
		if m.Checked.Method == nil {
			continue
		}
		checked++
		got, failure := registry.CallChecked(t.Context(), m.Checked, m.Params)
		want, other := registry.Call(t.Context(), "instructions/diff", json.RawMessage(params))
		if failure != nil || other != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%s is answered %s, %v, want %s, %v", params, got.Bytes(), failure, want.Bytes(), other)
		}
	}
	if checked < 100 {
		t.Errorf("%d were checked in the line", checked)
	}
}

// serving returns a registry with the methods of a catalog of n entries, and what
// a client knows that holds them.
func serving(tb testing.TB, n int) (*rpc.Registry, *catalog.Snapshot) {
	tb.Helper()
	entries := make([]*catalog.Entry, n)
	for i := range entries {
		entries[i] = catalog.NewEntry(catalog.Instruction{ID: catalog.ID(fmt.Sprintf("e%05d", i)), Title: "t", Body: fmt.Sprint("Body ", i)}, catalog.Origin{})
	}
	s := catalog.NewSnapshot(entries, nil)
	s.BuildIndex() // not while somebody counts what is allocated
	toolset := New(Config{Now: time.Now})
	toolset.store = catalog.NewStore(func(context.Context) (*catalog.Snapshot, error) { return s, nil })
	registry := rpc.NewRegistry(rpc.Info{}, slog.New(slog.DiscardHandler), time.Now)
	if err := registry.Add(toolset.Toolset()); err != nil {
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

// TestKnownIsCheckedInOneWalk: as many entries as the contract allows do not make
// a line that has to be measured because it might hold too many values.
func TestKnownIsCheckedInOneWalk(t *testing.T) {
	t.Parallel()
	contract, _ := schemas.V1().Method("instructions/diff")
	if _, values, ok := contract.Params.Match([]byte(`{"known":[]}`), nil); !ok || values > rpc.MaxValues-100 {
		t.Errorf("known may have %d values in it, %v", values, ok)
	}
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
