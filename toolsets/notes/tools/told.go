package tools

import (
	"fmt"
	"slices"
	"sync"

	"instruction-catalog/toolsets/notes"
)

// told records which warnings were reported. The zero value is ready to use.
type told struct {
	mu       sync.Mutex
	snapshot *notes.Snapshot // the snapshot of the last call of news
	asked    map[notes.ID]bool
	last     map[notes.ID]toldNote
}

// toldNote is a version of a note and the warnings reported for it.
type toldNote struct {
	note     *notes.Note
	warnings []string
}

// news returns the warnings of a note if the note changed or has a new warning since the
// last call for that note. A second call for a note with the same snapshot returns nil.
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

// maxWarnings is the maximum number of warnings in an answer. One more line counts the
// rest.
const maxWarnings = 20

func capped(warnings []string) []string {
	if len(warnings) <= maxWarnings {
		return warnings
	}
	return append(slices.Clone(warnings[:maxWarnings]), fmt.Sprintf("%d more warnings", len(warnings)-maxWarnings))
}
