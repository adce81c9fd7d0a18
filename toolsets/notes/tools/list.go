package tools

import (
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

// list is notes as the contract shows them, as elements of a kind. What is wrong
// with the notes is told beside the list, where the protocol has a place for that.
type list[T any] struct {
	toolset  *toolset
	snapshot *notes.Snapshot
	notes    []*notes.Note
	shown    []T
}

func newList[T any](t *toolset, s *notes.Snapshot) *list[T] {
	return &list[T]{toolset: t, snapshot: s, shown: []T{}}
}

// add takes up a note, and how it is shown.
func (l *list[T]) add(n *notes.Note, shown T) {
	l.notes = append(l.notes, n)
	l.shown = append(l.shown, shown)
}

// Shape implements rpc.Shaped.
func (l *list[T]) Shape() any { return []T{} }

// EncodeJSON implements rpc.Encoder.
func (l *list[T]) EncodeJSON() rpc.JSON {
	encoded, err := rpc.Encode(l.shown)
	if err != nil {
		panic("notes: " + err.Error()) // strings and numbers always can be
	}
	return encoded
}

// warningsKey is where agents find warnings.
const warningsKey = "instruction-catalog/warnings"

// Meta implements rpc.Annotated.
func (l *list[T]) Meta() map[string]any {
	var warnings []string
	for _, n := range l.notes {
		for _, w := range l.toolset.told.news(l.snapshot, n) {
			warnings = append(warnings, w+" (in "+string(n.ID)+")")
		}
	}
	if warnings == nil {
		return nil
	}
	return map[string]any{warningsKey: capped(warnings)}
}
