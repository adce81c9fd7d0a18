package instructions

import (
	"fmt"
	"slices"
	"testing"

	"instruction-catalog/catalog"
)

func TestByForce(t *testing.T) {
	t.Parallel()
	entries := []*catalog.Entry{
		{ID: "a", Requirement: catalog.Deprecated, Priority: 1},
		{ID: "b", Requirement: catalog.Optional, Priority: 1},
		{ID: "c", Requirement: catalog.Mandatory, Priority: 2},
		{ID: "d", Requirement: catalog.Recommended, Priority: 1},
		{ID: "e", Requirement: catalog.Mandatory, Priority: 1},
		{ID: "g", Requirement: catalog.Critical, Priority: 100},
		{ID: "f", Requirement: catalog.Critical, Priority: 100},
	}
	before := slices.Clone(entries)
	var got string
	for _, e := range byForce(entries) {
		got += string(e.ID)
	}
	if got != "fgecdba" {
		t.Errorf("got %s", got)
	}
	if !slices.Equal(entries, before) {
		t.Error("the entries of the snapshot were moved")
	}
}

func TestImportance(t *testing.T) {
	t.Parallel()
	tests := []struct {
		requirement catalog.Requirement
		priority    int
		want        string
	}{
		{catalog.Critical, 1, "1.00"}, {catalog.Mandatory, 1, "1.00"}, {catalog.Mandatory, 50, "0.75"}, {catalog.Critical, 100, "0.50"},
		{catalog.Recommended, 1, "0.50"}, {catalog.Recommended, 50, "0.25"}, {catalog.Optional, 50, "0.25"}, {catalog.Optional, 100, "0.00"},
		{catalog.Deprecated, 1, "0.00"},
	}
	for _, tt := range tests {
		e := &catalog.Entry{Requirement: tt.requirement, Priority: tt.priority}
		if got := fmt.Sprintf("%.2f", importance(e)); got != tt.want {
			t.Errorf("%s, priority %d: %s, want %s", tt.requirement, tt.priority, got, tt.want)
		}
	}
}

// TestImportanceFollowsPriority checks that within a requirement, a lower priority
// number never yields a lower importance.
func TestImportanceFollowsPriority(t *testing.T) {
	t.Parallel()
	for _, r := range catalog.Requirements() {
		for p := catalog.HighestPriority; p < catalog.LowestPriority; p++ {
			higher, lower := &catalog.Entry{Requirement: r, Priority: p}, &catalog.Entry{Requirement: r, Priority: p + 1}
			if importance(higher) < importance(lower) {
				t.Errorf("%s: priority %d has %v, %d has %v", r, p, importance(higher), p+1, importance(lower))
			}
		}
	}
}
