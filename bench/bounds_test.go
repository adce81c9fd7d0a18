package bench

import (
	"reflect"
	"testing"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	report := &Report{Results: []Result{
		{Size: 90, Operations: []Operation{{Name: "get", Transport: Process, P50: 0.0031}}},
		{Size: 10, CatalogBytes: 1000, Operations: []Operation{
			{Name: "get", Transport: Pipe, P50: 1, Floor: FloorAnswer, RatioP50: 2.01},
			{Name: "get", Transport: Process, P50: 0.5},
			{Name: firstSearch, Transport: Pipe, P50: 4},
			{Name: peakMemory, Transport: Pipe, Bytes: 5000},
		}},
	}}
	tests := []struct {
		name  string
		bound bound
		want  []Verdict
	}{
		{"met exactly", bound{size: 10, over: Process, operations: []string{"get"}, max: 0.5},
			[]Verdict{{10, Process, "get", UnitMilliseconds, 0.5, 0.5, true}}},
		{"missed by little", bound{size: 10, over: Pipe, operations: []string{"get"}, max: 2},
			[]Verdict{{10, Pipe, "get", UnitRatio, 2.01, 2, false}}},
		{"another size", bound{size: 90, over: Process, operations: []string{"get"}, max: 1},
			[]Verdict{{90, Process, "get", UnitMilliseconds, 0.0031, 1, true}}},
		{"memory by the byte", bound{size: 10, over: Pipe, operations: []string{peakMemory}, max: 1000, perByte: 4},
			[]Verdict{{10, Pipe, peakMemory, UnitBytes, 5000, 5000, true}}},
		{"above another operation", bound{size: 10, over: Pipe, operations: []string{firstSearch}, max: 2, above: "get"},
			[]Verdict{{10, Pipe, firstSearch, UnitMilliseconds, 4, 3, false}}},
		{"a size that was not measured", bound{size: 11, over: Pipe, operations: []string{"get"}, max: 2}, []Verdict{}},
		{"an operation that was not measured", bound{size: 90, over: Pipe, operations: []string{"get"}, max: 2}, []Verdict{}},
	}
	for _, test := range tests {
		if got := report.judge([]bound{test.bound}); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	if miss := (&Verdict{Value: 3, Bound: 2}).Miss(); miss != 1.5 {
		t.Errorf("3 misses 2 by %v", miss)
	}
}

// checkBounded checks that all bounded operations of a size are measured, in the unit
// of their bounds.
func checkBounded(t *testing.T, r *Result) {
	t.Helper()
	for _, b := range bounds() {
		for _, name := range b.operations {
			o := r.Operation(name, b.over)
			if o == nil {
				t.Errorf("%s over %s is bounded and not measured", name, b.over)
				continue
			}
			want := UnitMilliseconds
			switch {
			case name == peakMemory:
				want = UnitBytes
			case b.over == Pipe && name != firstSearch, name == trackOnDisk:
				want = UnitRatio
			}
			if value, unit := o.Value(); unit != want || value == 0 {
				t.Errorf("%s over %s is %v %s, not %s", name, b.over, value, unit, want)
			}
		}
	}
}

func TestMedianResult(t *testing.T) {
	t.Parallel()
	run := func(n float64) Result {
		ms := Milliseconds(n)
		return Result{
			Size: 5, Form: Folder, CatalogBytes: 99, EntryBytes: 9, SearchP95: ms, SearchMax: ms + 1,
			Operations: []Operation{{
				Name: "get", Transport: Pipe, Iterations: int(n), Bytes: Bytes(n) + 1, Floor: FloorAnswer,
				P50: ms, P95: ms + 1, Max: ms + 2, FloorP50: ms + 3, FloorP95: ms + 4, RatioP50: Ratio(n + 5), RatioP95: Ratio(n + 6),
			}},
		}
	}
	for _, test := range []struct {
		runs []float64
		want float64
	}{{[]float64{4}, 4}, {[]float64{9, 4}, 9}, {[]float64{9, 1, 4}, 4}, {[]float64{1, 2, 3, 4, 5}, 3}} {
		var runs []Result
		want := run(test.want)
		for _, n := range test.runs {
			runs = append(runs, run(n))
			if len(test.runs) > 1 {
				want.Operations[0].Values = append(want.Operations[0].Values, n+5)
			}
		}
		if got := medianResult(runs); !reflect.DeepEqual(got, want) {
			t.Errorf("of %v:\n%+v, want\n%+v", test.runs, got, want)
		}
		if first := run(test.runs[0]); !reflect.DeepEqual(runs[0], first) {
			t.Errorf("the first run has changed: %+v", runs[0])
		}
	}
	// The median is taken of each figure separately.
	a, b, c := run(1), run(2), run(3)
	a.Operations[0].RatioP95 = 100
	if m := medianResult([]Result{a, b, c}); m.Operations[0].RatioP95 != 9 || m.Operations[0].P50 != 2 {
		t.Errorf("%+v", m)
	}
}
