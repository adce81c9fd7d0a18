package catalog

import (
	"cmp"
	"slices"

	"instruction-catalog/schemas/jsonscan"
)

// Encoded returns the entry as one JSON object, without usageCount and lastUsedAt. These
// two change while the other fields do not. A caller that serves them inserts them
// before the closing brace. The result must not be changed.
func (e *Entry) Encoded() []byte { return slices.Clip(e.encoded) }

// Field returns the value of a field in the JSON that [Entry.Encoded] returns, or nil if
// the field is missing.
func (e *Entry) Field(name Field) []byte {
	for m := range jsonscan.Members(e.encoded) {
		if string(m.Name) == string(name) {
			return m.Value
		}
	}
	return nil
}

// Project returns a JSON object like that of [Entry.Encoded], but with only the id and
// the named fields. It omits named fields that the entry does not have.
func (e *Entry) Project(fields []Field) []byte {
	return e.rewrite(nil, func(name Field, value []byte) []byte {
		if name == "id" || slices.Contains(fields, name) {
			return value
		}
		return nil
	})
}

// AppendRecord appends the entry to dst as one line of JSON in the form of an
// instruction file. Reading the line yields the same entry. The line therefore has the
// id as the file spells it, the recorded usage, and the recorded hash, or else the
// computed one. It also has the scope, which an agent's file gets from its path. It
// omits times that were taken from the file system.
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

// rewrite appends the entry's JSON to dst, with the value of each member replaced by the
// result of change. If change returns nil, the member is omitted.
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
