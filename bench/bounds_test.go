package bench

import (
	"reflect"
	"slices"
	"testing"
)

// reportOf makes a report with one operation at each size.
func reportOf(results ...Result) *Report {
	return &Report{Benchmark: Name, Runs: 1, Iterations: 1, Results: results}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	small := Result{Size: 10, CatalogBytes: 1000, IndexMs: 7, FirstAnswerRatio: 2.1, FirstSearchMs: 3.5, PeakMemoryBytes: 5000, ProcessPeakMemoryBytes: 6000, Operations: []Operation{
		{Name: "get", Transport: Pipe, P50: 1, P95: 2, RatioP50: 2, Ratio: 3.01},
		{Name: "get", Transport: Process, P50: 0.002, P95: 0.1},
	}}
	large := Result{Size: 90, Operations: []Operation{{Name: "get", Transport: Process, P50: 0.0031, P95: 0.3}}}
	tests := []struct {
		name  string
		bound bound
		want  []Verdict
	}{
		{"met exactly", bound{size: 10, over: Pipe, operations: []string{"get"}, statistic: StatRatioP50, max: 2},
			[]Verdict{{10, Pipe, "get", StatRatioP50, 2, 2, true}}},
		{"missed by little", bound{size: 10, over: Pipe, operations: []string{"get"}, statistic: StatRatioP95, max: 3},
			[]Verdict{{10, Pipe, "get", StatRatioP95, 3.01, 3, false}}},
		{"time, at any size", bound{over: Process, operations: []string{"get"}, statistic: StatP95, max: 0.2},
			[]Verdict{{10, Process, "get", StatP95, 0.1, 0.2, true}, {90, Process, "get", StatP95, 0.3, 0.2, false}}},
		{"median", bound{size: 90, over: Process, operations: []string{"get"}, statistic: StatP50, max: 1},
			[]Verdict{{90, Process, "get", StatP50, 0.0031, 1, true}}},
		{"start", bound{size: 10, over: Pipe, operations: []string{firstAnswer}, statistic: StatFirstAnswer, max: 2},
			[]Verdict{{10, Pipe, firstAnswer, StatFirstAnswer, 2.1, 2, false}}},
		{"index", bound{size: 10, over: Process, operations: []string{indexBuild}, statistic: StatIndex, max: 8},
			[]Verdict{{10, Process, indexBuild, StatIndex, 7, 8, true}}},
		{"memory by the byte", bound{size: 10, over: Pipe, operations: []string{peakMemory}, statistic: StatPipePeak, max: 1000, perByte: 4},
			[]Verdict{{10, Pipe, peakMemory, StatPipePeak, 5000, 5000, true}}},
		{"memory of this process", bound{size: 10, over: Process, operations: []string{peakMemory}, statistic: StatProcessPeak, max: 1000, perByte: 4},
			[]Verdict{{10, Process, peakMemory, StatProcessPeak, 6000, 5000, false}}},
		{"little more than later ones", bound{size: 10, over: Pipe, operations: []string{firstSearch}, statistic: StatFirstSearch, max: 2, later: "get"},
			[]Verdict{{10, Pipe, firstSearch, StatFirstSearch, 3.5, 3, false}}},
		{"another size", bound{size: 11, over: Pipe, operations: []string{"get"}, statistic: StatP50, max: 2}, []Verdict{}},
		{"not measured", bound{over: Pipe, operations: []string{"list"}, statistic: StatP50, max: 2}, []Verdict{}},
		{"memory not told", bound{size: 90, over: Pipe, operations: []string{peakMemory}, statistic: StatPipePeak, max: 2}, []Verdict{}},
	}
	for _, test := range tests {
		// The order of the sizes does not matter.
		got := reportOf(small, large).judge([]bound{test.bound})
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
		reversed := reportOf(large, small).judge([]bound{test.bound})
		slices.SortFunc(reversed, func(a, b Verdict) int { return a.Size - b.Size })
		if !reflect.DeepEqual(reversed, test.want) {
			t.Errorf("%s: %+v, want %+v, whatever the order of sizes", test.name, reversed, test.want)
		}
	}
	if miss := (&Verdict{Value: 3, Bound: 2}).Miss(); miss != 1.5 {
		t.Errorf("3 misses 2 by %v", miss)
	}
}

// Every bound is about something that is measured.
func TestBoundsAreOfWhatIsMeasured(t *testing.T) {
	t.Parallel()
	var names []string
	for _, q := range questions(&corpus{form: &folderForm, truth: &truth{known: []known{{}}}}) {
		names = append(names, q.name)
	}
	names = append(names, dispatchOnly, trackKept, firstAnswer, firstSearch, firstRanked, initialize, peakMemory, indexBuild,
		reloadOne, notified, diffSince, searchMeanwhile, manySwaps, idleServer)
	for _, b := range bounds() {
		if b.max <= 0 || b.over != Pipe && b.over != Process || b.over == Pipe && b.size > MaxPipeSize {
			t.Errorf("%+v", b)
		}
		for _, operation := range b.operations {
			if !slices.Contains(names, operation) {
				t.Errorf("%q is not measured", operation)
			}
		}
	}
}

func TestMedianResult(t *testing.T) {
	t.Parallel()
	run := func(n float64) Result {
		ms := Milliseconds(n)
		return Result{
			Size: 5, Form: Folder, CatalogBytes: 99, EntryBytes: 9,
			SearchP95: ms, SearchMax: ms + 1, StartMs: ms + 2, FirstAnswerMs: ms + 3, FloorStartMs: ms + 4,
			ReadAndHashMs: ms + 5, InitializeMs: ms + 11, FirstSearchMs: ms + 12, FirstRankedMs: ms + 13, FirstAnswerRatio: n + 6, LoadMs: ms + 7, IndexMs: ms + 8,
			PeakMemoryBytes: int64(n) + 9, ProcessPeakMemoryBytes: int64(n) + 10,
			Swaps: int(n) + 14, IdlePercent: n + 15,
			Operations: []Operation{{
				Name: "get", Transport: Pipe, Iterations: int(n), AnswerBytes: int(n) + 1, Floor: FloorAnswer,
				P50: ms, P95: ms + 1, Max: ms + 2, FloorP50: ms + 3, FloorP95: ms + 4, RatioP50: n + 5, Ratio: n + 6,
			}},
		}
	}
	for _, test := range []struct {
		runs []float64
		want float64
	}{{[]float64{4}, 4}, {[]float64{9, 4}, 9}, {[]float64{9, 1, 4}, 4}, {[]float64{1, 2, 3, 4, 5}, 3}} {
		var runs []Result
		for _, n := range test.runs {
			runs = append(runs, run(n))
		}
		want := run(test.want)
		if len(runs) > 1 {
			want.Runs = runs
		}
		if got := medianResult(runs); !reflect.DeepEqual(got, want) {
			t.Errorf("of %v:\n%+v, want\n%+v", test.runs, got, want)
		}
		if first := run(test.runs[0]); !reflect.DeepEqual(runs[0], first) {
			t.Errorf("the first run has changed: %+v", runs[0])
		}
	}
	// Each figure by itself.
	a, b, c := run(1), run(2), run(3)
	a.LoadMs, c.LoadMs = c.LoadMs, a.LoadMs
	a.Operations[0].Ratio = 100
	m := medianResult([]Result{a, b, c})
	if m.LoadMs != 9 || m.Operations[0].Ratio != 9 || m.Operations[0].P50 != 2 {
		t.Errorf("%+v", m)
	}
}
