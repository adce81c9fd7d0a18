package catalog

import (
	"cmp"
	"slices"

	"instruction-catalog/schemas/jsonscan"
)

// Encoded returns the entry as one JSON object. It lacks usageCount and lastUsedAt,
// which change while the rest does not: a caller that serves them writes them before
// the closing brace. The result must not be changed.
func (e *Entry) Encoded() []byte { return slices.Clip(e.encoded) }

// Field returns the value of a field as it is in [Entry.Encoded], nil if it is not there.
func (e *Entry) Field(name Field) []byte {
	for m := range jsonscan.Members(e.encoded) {
		if string(m.Name) == string(name) {
			return m.Value
		}
	}
	return nil
}

// Project returns, in the form of [Entry.Encoded], only the named fields that
// the entry has, and the id always.
func (e *Entry) Project(fields []Field) []byte {
	return e.rewrite(nil, func(name Field, value []byte) []byte {
		if name == "id" || slices.Contains(fields, name) {
			return value
		}
		return nil
	})
}

// AppendRecord appends the entry as one line of JSON in the form of an instruction
// file. Reading the line yields the same entry: it has the id as its file spells it,
// the recorded usage, the recorded hash or else the computed one, and the scope,
// which an agent's file gets from its place. It leaves out a time that was taken from
// the file system.
func (e *Entry) AppendRecord(dst []byte) []byte {
	dst = e.rewrite(dst, func(name Field, value []byte) []byte {
		switch {
		case name == "id":
			return jsonscan.MustEncode(cmp.Or(e.Origin.SpelledID, string(e.ID)))
		case name == "sourceHash":
			return jsonscan.MustEncode(e.expected())
		case e.Origin.timed(name):
			return nil
		}
		return value
	})
	recorded := jsonscan.MustEncode(struct {
		UsageCount int64     `json:"usageCount,omitempty"`
		LastUsedAt Timestamp `json:"lastUsedAt,omitempty"`
		Scope      *Scope    `json:"scope,omitempty"`
	}{e.UsageCount, e.LastUsedAt, e.Origin.Scope})
	if string(recorded) == "{}" {
		return dst
	}
	return append(append(dst[:len(dst)-1], ','), recorded[1:]...)
}

// rewrite appends the entry's JSON with the value of each member replaced by what
// change returns; nil leaves the member out.
func (e *Entry) rewrite(dst []byte, change func(name Field, value []byte) []byte) []byte {
	before := byte('{')
	for m := range jsonscan.Members(e.encoded) {
		value := change(Field(m.Name), m.Value)
		if value == nil {
			continue
		}
		dst = append(append(append(dst, before, '"'), m.Name...), '"', ':')
		before = ','
		dst = append(dst, value...)
	}
	return append(dst, '}')
}
