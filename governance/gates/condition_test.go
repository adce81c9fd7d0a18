package gates

import (
	"encoding/json"
	"testing"
)

// TestCondition checks that a figure is rounded, unless that would hide why the gate
// failed.
func TestCondition(t *testing.T) {
	t.Parallel()
	tenth, fifth := 0.1, 0.2
	sum, third := tenth+fifth, 1.0/3
	for _, tt := range []struct {
		figure float64
		op     Op
		value  json.Number
		passed bool
		want   string
	}{
		{sum, "<", "1", true, "0.3 < 1"},
		{sum, ">=", "1", false, "0.3 >= 1"},
		{sum, "<=", "0.3", false, "0.30000000000000004 <= 0.3"},
		{third, ">", "0", true, "0.333333333333333 > 0"},
		{1e14 + 1, ">", "0", true, "100000000000001 > 0"},
		{25, "==", "25", true, "25 == 25"},
	} {
		g := Result{Actual: &tt.figure, Op: tt.op, Value: tt.value, Passed: tt.passed}
		if got := g.Condition(); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.figure, got, tt.want)
		}
	}
}
