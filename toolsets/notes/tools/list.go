package tools

import (
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

// list is a list result with elements of type T. If they are notes, warnings about them
// are returned in the result's metadata, if the protocol supports that.
type list[T any] struct {
	toolset  *toolset
	snapshot *notes.Snapshot
	notes    []*notes.Note
	shown    []T
	total    int      // number of all matching elements
	nearest  []string // similar ids, if the requested id is unknown
}

func newList[T any](t *toolset, s *notes.Snapshot, total int) *list[T] {
	return &list[T]{toolset: t, snapshot: s, shown: []T{}, total: total}
}

// add appends a note and the form in which it is shown.
func (l *list[T]) add(n *notes.Note, shown T) {
	l.notes = append(l.notes, n)
	l.shown = append(l.shown, shown)
}

// Shape implements rpc.Shaped.
func (l *list[T]) Shape() any { return []T{} }

// EncodeJSON implements rpc.Encoder.
func (l *list[T]) EncodeJSON() rpc.JSON { return mustEncode(l.shown) }

// Metadata keys of a result.
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

// nearestMeta returns metadata with the ids similar to an unknown one, or nil if ids is
// empty.
func nearestMeta(ids []string) map[string]any {
	if len(ids) == 0 {
		return nil
	}
	return map[string]any{nearestKey: ids}
}

// optional is a value, or null together with the ids most similar to the requested one.
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

// mustEncode encodes a value that consists of strings and numbers. It panics on an
// error, which cannot occur for such values.
func mustEncode(value any) rpc.JSON {
	encoded, err := rpc.Encode(value)
	if err != nil {
		panic("notes: " + err.Error())
	}
	return encoded
}
