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
	total    int      // of the elements that there are
	nearest  []string // ids, if the one that was asked about names no note
}

func newList[T any](t *toolset, s *notes.Snapshot, total int) *list[T] {
	return &list[T]{toolset: t, snapshot: s, shown: []T{}, total: total}
}

// add takes up a note, and how it is shown.
func (l *list[T]) add(n *notes.Note, shown T) {
	l.notes = append(l.notes, n)
	l.shown = append(l.shown, shown)
}

// Shape implements rpc.Shaped.
func (l *list[T]) Shape() any { return []T{} }

// EncodeJSON implements rpc.Encoder.
func (l *list[T]) EncodeJSON() rpc.JSON { return mustEncode(l.shown) }

// The keys under which agents find what is said beside a result.
const (
	warningsKey  = "instruction-catalog/warnings"
	totalKey     = "instruction-catalog/total"
	truncatedKey = "instruction-catalog/truncated"
	nearestKey   = "instruction-catalog/nearest"
)

// Meta implements rpc.Annotated.
func (l *list[T]) Meta() map[string]any {
	meta := nearestMeta(l.nearest)
	if meta == nil {
		meta = map[string]any{}
	}
	meta[totalKey], meta[truncatedKey] = l.total, l.total > len(l.shown)
	var warnings []string
	for _, n := range l.notes {
		for _, w := range l.toolset.told.news(l.snapshot, n) {
			warnings = append(warnings, w+" (in "+string(n.ID)+")")
		}
	}
	if warnings != nil {
		meta[warningsKey] = capped(warnings)
	}
	return meta
}

// nearestMeta names the ids that are most like one that names no note.
func nearestMeta(ids []string) map[string]any {
	if len(ids) == 0 {
		return nil
	}
	return map[string]any{nearestKey: ids}
}

// optional is a value, or null and the ids that are most like the one that was asked for.
type optional[T any] struct {
	value   *T
	nearest []string
}

// Shape implements rpc.Shaped.
func (o *optional[T]) Shape() any { return new(T) }

// EncodeJSON implements rpc.Encoder.
func (o *optional[T]) EncodeJSON() rpc.JSON { return mustEncode(o.value) }

// Meta implements rpc.Annotated.
func (o *optional[T]) Meta() map[string]any { return nearestMeta(o.nearest) }

// mustEncode encodes a value of strings and numbers, which always can be.
func mustEncode(value any) rpc.JSON {
	encoded, err := rpc.Encode(value)
	if err != nil {
		panic("notes: " + err.Error())
	}
	return encoded
}
