package main

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"instruction-catalog/bench"
)

var update = flag.Bool("update", false, "write the golden files")

// The report of invented measurements equals the golden files, byte for byte.
func TestReportIsGolden(t *testing.T) {
	t.Parallel()
	files, err := madeUp().files()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := madeUp().write("testdata"); err != nil {
			t.Fatal(err)
		}
	}
	if len(files) != 7 {
		t.Errorf("%d files, want the report, the measurements and five charts", len(files))
	}
	for name, got := range files {
		want, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what testdata has (%v): after a change, run go test . -update and look at the difference", name, err)
		}
	}
}

// The written measurements are enough to render the report again.
func TestRenderAgain(t *testing.T) {
	t.Parallel()
	m, err := readMeasurements(filepath.Join("testdata", chartsFolder, measurementsName))
	if err != nil {
		t.Fatal(err)
	}
	if reportOf(t, m) != reportOf(t, madeUp()) {
		t.Error("the measurements that were read make another report than those that were written")
	}
}

func reportOf(t *testing.T, m *measurements) string {
	t.Helper()
	text, err := m.report()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The report in the repository matches the measurements beside it.
func TestTheRepositorysReportIsCurrent(t *testing.T) {
	t.Parallel()
	docs := filepath.Join(root, "docs")
	m, err := readMeasurements(filepath.Join(docs, chartsFolder, measurementsName))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is none yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := m.files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(docs, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/%s is not made of the measurements (%v): run go -C bench/peers run . --render", name, err)
		}
	}
}

// Without bounds, charts and peers, their sections are omitted.
func TestReportOfLittle(t *testing.T) {
	t.Parallel()
	m := &measurements{Catalog: []*bench.Report{{Results: []bench.Result{{Size: 7, Operations: []bench.Operation{{Name: "think", P50: 1}}}}}}}
	text := reportOf(t, m)
	if strings.Contains(text, "## Bounds") || strings.Contains(text, "## Peers") || !strings.Contains(text, "| think |") {
		t.Error(text)
	}
	if len(m.charts()) != 0 {
		t.Error("charts of nothing")
	}
}

func TestBoundsAgreeInNumber(t *testing.T) {
	t.Parallel()
	kept, missed := bench.Verdict{Pass: true}, bench.Verdict{}
	for want, bounds := range map[string][]bench.Verdict{
		"2 of 2 hold.":  {kept, kept},
		"1 of 2 holds.": {kept, missed},
		"0 of 2 hold.":  {missed, missed},
		"1 of 1 holds.": {kept},
		"0 of 1 holds.": {missed},
	} {
		m := &measurements{Catalog: []*bench.Report{{Bounds: bounds}}}
		if got := reportOf(t, m); !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("want %q, got %s", want, got)
		}
	}
}

// A single size also gives a chart.
func TestChartOfOneSize(t *testing.T) {
	t.Parallel()
	m := madeUp()
	m.Catalog[0].Results, m.Catalog = m.Catalog[0].Results[:1], m.Catalog[:1]
	for _, c := range m.charts() {
		svg, err := c.svg()
		if err != nil || bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
			t.Errorf("%s: %v\n%s", c.File, err, svg)
		}
	}
}

// madeUp returns invented measurements: for each operation a straight line with a fixed
// part and a part for each entry.
func madeUp() *measurements {
	operations := []struct {
		name                      string
		over                      bench.Transport
		once, each, answer, floor float64
	}{
		{"start", bench.Pipe, 3, 0, 0, 2},
		{"first answer", bench.Pipe, 4, 0.03, 0, 1.5},
		{"search common", bench.Pipe, 0.04, 0.0008, 1800, 2},
		{"search rare", bench.Pipe, 0.03, 0, 0, 2},
		{"list", bench.Pipe, 0.04, 0.0009, 1800, 2},
		{"get", bench.Pipe, 0.028, 0, 0, 2},
		{"diff by hash", bench.Pipe, 0.027, 0, 0, 2},
		{"diff 10% stale", bench.Pipe, 0.1, 0.0012, 200, 2},
		{"load", bench.Process, 1, 0.02, 1800, 0},
		{"search common", bench.Process, 0.01, 0.0001, 1800, 0},
		{"search rare", bench.Process, 0.003, 0, 0, 0},
		{"search 13%", bench.Process, 0.004, 0.00003, 200, 0},
		{"page common", bench.Process, 0.02, 0, 0, 0},
	}
	m := &measurements{Machine: machine{CPU: "Made Up 9000", CPUs: 2, Memory: 24e9, System: "Example OS 1", OS: "linux", Arch: "amd64", GoVersion: "go1.26.8"}}
	piped := &bench.Report{
		Benchmark: "catalog", GeneratedAt: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC),
		GoVersion: "go1.26.8", OS: "linux", Arch: "amd64", CPUs: 2, Iterations: 200, Runs: 3,
		Bounds: []bench.Verdict{
			{Size: 5000, Transport: bench.Pipe, Operation: "get", Unit: bench.UnitRatio, Value: 1.4, Bound: 2, Pass: true},
			{Size: 5000, Transport: bench.Pipe, Operation: "list", Unit: bench.UnitRatio, Value: 1.95, Bound: 1.5, Pass: false},
			{Size: 5000, Transport: bench.Pipe, Operation: "peak memory", Unit: bench.UnitBytes, Value: 55e6, Bound: 56e6, Pass: true},
			{Size: 5000, Transport: bench.Process, Operation: "search rare", Unit: bench.UnitMilliseconds, Value: 0.0051, Bound: 0.3, Pass: true},
		},
	}
	larger := &bench.Report{Benchmark: "catalog", GeneratedAt: piped.GeneratedAt.Add(time.Hour), Iterations: 200, Runs: 3}
	m.Catalog = []*bench.Report{piped, larger}
	for _, n := range []int{100, 1000, 5000, 100_000, 1_000_000} {
		entries := float64(n)
		r := bench.Result{Size: n, CatalogBytes: int64(1800 * n)}
		for _, o := range operations {
			if o.over == bench.Pipe && n > bench.MaxPipeSize {
				continue
			}
			p50 := bench.Milliseconds(o.once + o.each*entries)
			found := bench.Operation{Name: o.name, Transport: o.over, P50: p50, P95: 1.5 * p50, Max: 4 * p50, Bytes: bench.Bytes(200 + o.answer*entries)}
			if o.floor > 0 {
				found.Floor, found.FloorP50, found.FloorP95 = bench.FloorAnswer, p50/bench.Milliseconds(o.floor), p50
				found.RatioP50, found.RatioP95 = bench.Ratio(o.floor), 1.5
			}
			r.Operations = append(r.Operations, found)
		}
		r.Operations = append(r.Operations, bench.Operation{Name: "peak memory", Transport: bench.Process, Bytes: bench.Bytes(3e7 + 5000*entries)})
		if n > bench.MaxPipeSize {
			larger.Results = append(larger.Results, r)
			continue
		}
		r.Operations = append(r.Operations, bench.Operation{Name: "peak memory", Transport: bench.Pipe, Bytes: bench.Bytes(2e7 + 4000*entries)})
		piped.Results = append(piped.Results, r)
		m.Peers = append(m.Peers, comparison{Size: n, Bytes: bench.Bytes(r.CatalogBytes), Contenders: []performance{
			{Name: "catalog", Build: bench.Milliseconds(entries * 0.007), Holds: bench.Bytes(2000 * n), Searches: []searching{
				{"rare", 1, 0.006}, {"absent", 0, 0.005}, {"common", n - 1, bench.Milliseconds(0.006 + entries*0.0001)}}},
			{Name: "SQLite FTS5 trigram", Version: "3.0", Build: bench.Milliseconds(entries * 0.2), Holds: bench.Bytes(9000 * n), Searches: []searching{
				{"rare", 1, 0.1}, {"absent", 0, 0.1}, {"common", n - 1, bench.Milliseconds(0.1 + math.Sqrt(entries)*0.01)}}},
			{Name: "ripgrep", Missing: "not installed"},
		}})
	}
	return m
}
