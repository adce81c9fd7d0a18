package tools

import (
	"fmt"
	"slices"
	"sync"

	"instruction-catalog/toolsets/notes"
)

// told is which warnings have been told. The zero value has told none.
type told struct {
	mu       sync.Mutex
	snapshot *notes.Snapshot // of the last question
	asked    map[notes.ID]bool
	last     map[notes.ID]toldNote
}

// toldNote is what was told of a note as it was.
type toldNote struct {
	note     *notes.Note
	warnings []string
}

// news returns the warnings of a note if it was not asked for since it changed, or
// if there is a new one among them.
func (t *told) news(s *notes.Snapshot, n *notes.Note) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.snapshot != s {
		t.snapshot, t.asked = s, map[notes.ID]bool{}
	}
	if t.asked[n.ID] {
		return nil
	}
	if t.last == nil {
		t.last = map[notes.ID]toldNote{}
	}
	t.asked[n.ID] = true
	before, now := t.last[n.ID], toldNote{n, s.Warnings(n)}
	t.last[n.ID] = now
	known := func(w string) bool { return slices.Contains(before.warnings, w) }
	if before.note == n && !slices.ContainsFunc(now.warnings, func(w string) bool { return !known(w) }) {
		return nil
	}
	return now.warnings
}

// maxWarnings is how many warnings an answer has, and one line for the others.
const maxWarnings = 20

func capped(warnings []string) []string {
	if len(warnings) <= maxWarnings {
		return warnings
	}
	return append(slices.Clone(warnings[:maxWarnings]), fmt.Sprintf("%d more warnings", len(warnings)-maxWarnings))
}
