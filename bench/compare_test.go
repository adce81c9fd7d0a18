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
		Size: 10, CatalogBytes: 1000, FirstAnswerRatio: 2, LoadMs: 10, IndexMs: 20, PeakMemoryBytes: 1e6,
		Operations: []Operation{
			{Name: "get", Transport: Pipe, P50: 1, P95: 2, Floor: FloorAnswer, FloorP50: 0.5, FloorP95: 1, RatioP50: 2, Ratio: 2},
			{Name: "get", Transport: Process, P50: 0.01, P95: 0.02},
		},
	}}}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	now := earlierReport()
	if c := now.Compare(earlierReport()); len(c.Moves) != 0 || len(c.Differences) != 0 || c.Compared != 8 {
		t.Errorf("a report differs from itself: %+v", c)
	}
	r := &now.Results[0]
	r.FirstAnswerRatio = 3                          // worse
	r.IndexMs = 24                                  // within noise
	r.PeakMemoryBytes = 0                           // not told
	r.Operations[0].P50, r.Operations[0].P95 = 9, 9 // a slower machine, since the ratios do not move
	r.Operations[0].RatioP50 = 1.5                  // better
	r.Operations[0].Ratio = 2.5                     // within noise
	r.Operations[1].P50 = 0.0079                    // better
	r.Operations[1].P95 = 0.05                      // worse
	r.Operations = append(r.Operations, Operation{Name: "new", Transport: Process, P50: 1, P95: 2})
	c := now.Compare(earlierReport())
	want := []Move{
		{10, Pipe, firstAnswer, StatFirstAnswer, 2, 3, 1.5},
		{10, Pipe, "get", StatRatioP50, 2, 1.5, 0.75},
		{10, Process, "get", StatP50, 0.01, 0.0079, 0.79},
		{10, Process, "get", StatP95, 0.02, 0.05, 2.5},
	}
	if !reflect.DeepEqual(c.Moves, want) || c.Compared != 7 {
		t.Errorf("compared %d:\n%+v, want\n%+v", c.Compared, c.Moves, want)
	}
	if !c.Moves[0].Worse() || c.Moves[1].Worse() {
		t.Errorf("worse and better are mixed up: %+v", c.Moves)
	}
}

// What differs between runs of one report has not moved.
func TestCompareRuns(t *testing.T) {
	t.Parallel()
	with := func(median float64, runs ...float64) *Report {
		r := earlierReport()
		r.Results[0].IndexMs = Milliseconds(median)
		for _, found := range runs {
			r.Results[0].Runs = append(r.Results[0].Runs, Result{IndexMs: Milliseconds(found)})
		}
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
			t.Errorf("from %+v to %+v: %+v", test.was.Results[0].Runs, test.is.Results[0].Runs, c.Moves)
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
