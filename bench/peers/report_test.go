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
)

var update = flag.Bool("update", false, "write the golden files")

// Golden files: what is made of made-up measurements, byte for byte.
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

// What is written beside the report is enough to make it again.
func TestRenderAgain(t *testing.T) {
	t.Parallel()
	m, err := readMeasurements(filepath.Join("testdata", chartsFolder, measurementsName))
	if err != nil {
		t.Fatal(err)
	}
	if m.report() != madeUp().report() {
		t.Error("the measurements that were read make another report than those that were written")
	}
}

// The report of the repository is made of the measurements beside it.
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

// An older result file has no bounds and other operations; without peers there
// is no section on them.
func TestReportOfLittle(t *testing.T) {
	t.Parallel()
	m := &measurements{Catalog: []*results{{Results: []result{{Size: 7, Operations: []measurement{{Name: "think", P50: 1}}}}}}}
	text := m.report()
	if strings.Contains(text, "## Bounds") || strings.Contains(text, "## Peers") || !strings.Contains(text, "| think |") {
		t.Error(text)
	}
	if len(m.charts()) != 0 {
		t.Error("charts of nothing")
	}
}

func TestPromisesAgreeInNumber(t *testing.T) {
	t.Parallel()
	kept, missed := verdict{Pass: true}, verdict{}
	for want, bounds := range map[string][]verdict{
		"2 of 2 hold.":  {kept, kept},
		"1 of 2 holds.": {kept, missed},
		"0 of 2 hold.":  {missed, missed},
		"1 of 1 holds.": {kept},
		"0 of 1 holds.": {missed},
	} {
		m := &measurements{Catalog: []*results{{Bounds: bounds}}}
		if got := m.promises(); !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("want %q, got %s", want, got)
		}
	}
}

// A single size is a picture, too.
func TestChartOfOneSize(t *testing.T) {
	t.Parallel()
	m := madeUp()
	m.Catalog[0].Results, m.Catalog = m.Catalog[0].Results[:1], m.Catalog[:1]
	for _, c := range m.charts() {
		svg, err := c.svg()
		if err != nil || bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
			t.Errorf("%s: %v\n%s", c.file, err, svg)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(wrap(strings.Repeat("a word or two ", 50))) {
		if n := len(strings.TrimSpace(line)); n > 120 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// madeUp returns measurements that nobody measured: a straight line for each
// operation, of so much at once and so much for each entry.
func madeUp() *measurements {
	operations := []struct {
		name               string
		over               transport
		once, each, answer float64
	}{
		{"search common", overPipe, 0.04, 0.0008, 1800},
		{"search rare", overPipe, 0.03, 0, 0},
		{"list", overPipe, 0.04, 0.0009, 1800},
		{"get", overPipe, 0.028, 0, 0},
		{"diff by hash", overPipe, 0.027, 0, 0},
		{"diff 10% stale", overPipe, 0.1, 0.0012, 200},
		{"search common", inProcess, 0.01, 0.0001, 1800},
		{"search rare", inProcess, 0.003, 0, 0},
		{"search 13%", inProcess, 0.004, 0.00003, 200},
		{"page common", inProcess, 0.02, 0, 0},
		{"dispatch", inProcess, 0.002, 0, 0},
	}
	m := &measurements{Machine: machine{CPU: "Made Up 9000", CPUs: 2, Memory: 24e9, System: "Example OS 1", OS: "linux", Arch: "amd64", GoVersion: "go1.26.8"}}
	piped := &results{
		Benchmark: "catalog", GeneratedAt: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC),
		GoVersion: "go1.26.8", OS: "linux", Arch: "amd64", CPUs: 2, Iterations: 200, Runs: 3,
		Bounds: []verdict{
			{5000, overPipe, "get", "ratioP50", 1.4, 2, true},
			{5000, overPipe, "list", "ratioP50", 1.95, 1.5, false},
			{5000, overPipe, "peak memory", "peakMemoryBytes", 55e6, 56e6, true},
			{5000, inProcess, "search rare", "p95Ms", 0.0051, 0.3, true},
			{5000, overPipe, "first answer", "firstAnswerRatio", 1.5, 2, true},
			{5000, inProcess, "something new", "bananas", 3, 4, true},
		},
	}
	larger := &results{Benchmark: "catalog", GeneratedAt: piped.GeneratedAt.Add(time.Hour), Iterations: 200, Runs: 3}
	m.Catalog = []*results{piped, larger}
	for _, n := range []int{100, 1000, 5000, 100_000, 1_000_000} {
		entries := float64(n)
		r := result{Size: n, CatalogBytes: byteCount(1800 * n), LoadMs: milliseconds(1 + 0.02*entries), ProcessPeakMemoryBytes: byteCount(3e7 + 5000*entries)}
		if n <= maxOverPipe {
			r.StartMs, r.FloorStartMs, r.PeakMemoryBytes = 3, 1.1, byteCount(2e7+4000*entries)
			r.FirstAnswerMs, r.ReadAndHashMs = milliseconds(4+0.03*entries), milliseconds(0.02*entries)
		}
		for _, o := range operations {
			if o.over == overPipe && n > maxOverPipe {
				continue
			}
			p50 := milliseconds(o.once + o.each*entries)
			found := measurement{Name: o.name, Transport: o.over, P50: p50, P95: 1.5 * p50, Max: 4 * p50, AnswerBytes: byteCount(200 + o.answer*entries)}
			if o.over == overPipe {
				found.FloorP50, found.FloorP95 = p50/2, p50
			}
			r.Operations = append(r.Operations, found)
		}
		if n > maxOverPipe {
			larger.Results = append(larger.Results, r)
			continue
		}
		piped.Results = append(piped.Results, r)
		m.Peers = append(m.Peers, comparison{Size: n, Bytes: r.CatalogBytes, Contenders: []performance{
			{Name: "catalog", Build: milliseconds(entries * 0.007), Holds: byteCount(2000 * n), Searches: []searching{
				{"rare", 1, 0.006}, {"absent", 0, 0.005}, {"common", n - 1, milliseconds(0.006 + entries*0.0001)}}},
			{Name: "SQLite FTS5 trigram", Version: "3.0", Build: milliseconds(entries * 0.2), Holds: byteCount(9000 * n), Searches: []searching{
				{"rare", 1, 0.1}, {"absent", 0, 0.1}, {"common", n - 1, milliseconds(0.1 + math.Sqrt(entries)*0.01)}}},
			{Name: "ripgrep", Missing: "not installed"},
		}})
	}
	return m
}
