package bench

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func earlierReport() *Report {
	return &Report{Benchmark: Name, GoVersion: "go1", OS: "linux", Arch: "amd64", CPUs: 2, Iterations: 10, Runs: 3, Results: []Result{{
		Size: 10, CatalogBytes: 1000,
		Operations: []Operation{
			{Name: firstAnswer, Transport: Pipe, P50: 20, Floor: FloorReadAndHash, FloorP50: 10, RatioP50: 2},
			{Name: "get", Transport: Pipe, P50: 1, P95: 2, Floor: FloorAnswer, FloorP50: 0.5, FloorP95: 1, RatioP50: 2, RatioP95: 2},
			{Name: peakMemory, Transport: Pipe, Bytes: 1e6},
			{Name: "get", Transport: Process, P50: 0.01, P95: 0.02},
			{Name: indexBuild, Transport: Process, P50: 20},
		},
	}}}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	now := earlierReport()
	if c := now.Compare(earlierReport()); len(c.Moves) != 0 || len(c.Differences) != 0 || c.Compared != 5 {
		t.Errorf("a report differs from itself: %+v", c)
	}
	o := now.Results[0].Operations
	o[0].RatioP50 = 3                // worse
	o[1].P50, o[1].RatioP50 = 9, 1.5 // better, on a slower machine
	o[1].RatioP95 = 9                // not compared
	o[2].Bytes = 2e6                 // worse
	o[3].P50 = 0.0079                // better
	o[4].P50 = 24                    // within noise
	now.Results[0].Operations = append(o, Operation{Name: "new", Transport: Process, P50: 1, P95: 2})
	c := now.Compare(earlierReport())
	want := []Move{
		{10, Pipe, firstAnswer, UnitRatio, 2, 3, 1.5},
		{10, Pipe, "get", UnitRatio, 2, 1.5, 0.75},
		{10, Pipe, peakMemory, UnitBytes, 1e6, 2e6, 2},
		{10, Process, "get", UnitMilliseconds, 0.01, 0.0079, 0.79},
	}
	if !reflect.DeepEqual(c.Moves, want) || c.Compared != 5 {
		t.Errorf("compared %d:\n%+v, want\n%+v", c.Compared, c.Moves, want)
	}
	if !c.Moves[0].Worse() || c.Moves[1].Worse() {
		t.Errorf("worse and better are mixed up: %+v", c.Moves)
	}
	var shown []string
	for _, row := range c.Table().Rows {
		shown = append(shown, strings.Join(row, " "))
	}
	if !slices.Equal(shown, []string{
		"10 pipe first answer p50 / floor 2.00× 3.00× worse, 1.50×",
		"10 pipe peak memory bytes 1.00 MB 2.00 MB worse, 2.00×",
		"10 pipe get p50 / floor 2.00× 1.50× better, 0.75×",
		"10 process get p50 10.0 µs 7.90 µs better, 0.79×",
	}) {
		t.Errorf("shown: %q", shown)
	}
}

// A difference that also occurs between runs of one report is not a move.
func TestCompareRuns(t *testing.T) {
	t.Parallel()
	with := func(median float64, runs ...float64) *Report {
		r := earlierReport()
		r.Results[0].Operations = []Operation{{Name: indexBuild, Transport: Process, P50: Milliseconds(median), Values: runs}}
		return r
	}
	for _, test := range []struct {
		was, is *Report
		moves   int
	}{
		{with(10, 9, 10, 11), with(20, 18, 20, 30), 1},
		{with(10, 9, 10, 18), with(20, 18, 20, 30), 0},
		{with(20, 18, 20, 30), with(10, 9, 10, 11), 1},
		{with(20, 10, 20, 30), with(10, 9, 10, 11), 0},
		{with(10, 9, 10, 11), with(12, 12, 12, 12), 0},
		{with(10, 9, 10, 11), with(20), 1},
	} {
		if c := test.is.Compare(test.was); len(c.Moves) != test.moves {
			t.Errorf("from %+v to %+v: %+v", test.was.Results[0], test.is.Results[0], c.Moves)
		}
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	now := earlierReport()
	now.GoVersion, now.CPUs, now.Runs = "go2", 64, 1
	now.Results[0].CatalogBytes = 2000
	now.Results = append(now.Results, Result{Size: 99})
	earlier := earlierReport()
	earlier.Results = append(earlier.Results, Result{Size: 77})
	want := []string{
		"the Go version was go1 and is go2",
		"the number of CPUs was 2 and is 64",
		"the number of runs was 3 and is 1",
		"size 10 was another catalog, of 1000 bytes and not 2000",
		"the earlier run has no size 99",
		"the earlier run also has size 77",
	}
	if got := now.Compare(earlier).Differences; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestParseReport(t *testing.T) {
	t.Parallel()
	good, err := json.Marshal(earlierReport())
	if err != nil {
		t.Fatal(err)
	}
	r, err := ParseReport(good)
	if err != nil || !reflect.DeepEqual(r, earlierReport()) {
		t.Errorf("%+v, %v", r, err)
	}
	for data, want := range map[string]string{
		"":                           "unexpected end of JSON input",
		"P95 3 ms":                   "invalid character",
		`{"benchmark":"catalog","re`: "unexpected end of JSON input",
		`[]`:                         "cannot unmarshal array",
		`{}`:                         `"benchmark": "", not "catalog"`,
		`{"benchmark":"catalog"}`:    "without any size",
		`{"benchmark":"sqlite","results":[{"size":1}]}`:    `"benchmark": "sqlite", not "catalog"`,
		`{"benchmark":"catalog","results":[{"size":"1"}]}`: "cannot unmarshal string",
	} {
		if r, err := ParseReport([]byte(data)); r != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want an error with %q", data, r, err, want)
		}
	}
}
