package catalog

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Field names a member of an entry's JSON, such as "title".
type Field string

// Fields returns the names of all fields, in the order in which they are served.
func Fields() []Field {
	names := make([]Field, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	return names
}

// Encoded returns the entry as JSON, followed by a comma, and so as an element of
// an array. It lacks usageCount and lastUsedAt, which change while the rest does
// not: whoever writes them puts them in place of the last two bytes. It must not
// be changed.
func (e *Entry) Encoded() []byte { return slices.Clip(e.encoded) }

// AppendEncoded appends what [Entry.Encoded] returns to the pieces of an array.
// Where it lies behind the last piece, that becomes longer: neighbours in a
// catalog are mostly neighbours in memory, and a list of many entries has few
// pieces. They have a capacity beyond their length and must not be appended to.
func (e *Entry) AppendEncoded(pieces [][]byte) [][]byte {
	if len(pieces) > 0 {
		last := &pieces[len(pieces)-1]
		if end := len(*last); end < cap(*last) && &(*last)[:end+1][end] == &e.encoded[0] {
			*last = (*last)[:end+len(e.encoded)]
			return pieces
		}
	}
	return append(pieces, e.encoded)
}

// Project returns, in the form of [Entry.Encoded], only the named fields that
// the entry has, and the id always.
func (e *Entry) Project(fields []Field) []byte {
	return e.appendElement(make([]byte, 0, 256), func(name Field) bool {
		return name == "id" || slices.Contains(fields, name)
	})
}

// appendElement appends the wanted members in the form of [Entry.Encoded].
func (e *Entry) appendElement(dst []byte, wanted func(Field) bool) []byte {
	return append(e.appendMembers(dst, wanted), closing...)
}

// closing is what ends the form of [Entry.Encoded].
const closing = "},"

func (e *Entry) appendMembers(dst []byte, wanted func(Field) bool) []byte {
	return e.appendNoting(dst, wanted, func(int, int, int) {})
}

// appendNoting appends the wanted members as an object without its closing
// brace, and tells where the value of each member begins and ends.
func (e *Entry) appendNoting(dst []byte, wanted func(Field) bool, note func(member, start, end int)) []byte {
	dst = append(dst, '{')
	first := len(dst)
	for i, m := range members {
		if m.append == nil || !wanted(m.name) {
			continue
		}
		before := len(dst)
		if before > first {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), m.name...), '"', ':')
		start := len(dst)
		if dst = m.append(dst, e); len(dst) == start {
			dst = dst[:before] // the entry does not have it
			continue
		}
		note(i, start, len(dst))
	}
	return dst
}

// member is a field, what appends its value, or nothing where the entry does
// not have it, what makes the value a part of where it was appended to, or a copy
// of its own, so that it refers to nothing else, and what sets it from there where
// it is not set yet.
type member struct {
	name    Field
	append  func([]byte, *Entry) []byte
	share   func(e *Entry, encoded []byte)      // nil where the value refers to nothing
	restore func(e *Entry, encoded []byte) bool // false for what cannot have been appended
}

// members are the fields in the order of [Entry], whose json tags say the same.
var members = []member{
	text("id", func(e *Entry) *ID { return &e.ID }),
	text("title", func(e *Entry) *string { return &e.Title }),
	body(),
	optional("rationale", func(e *Entry) *string { return &e.Rationale }),
	number("priority", func(e *Entry) *int { return &e.Priority }),
	text("audience", func(e *Entry) *Audience { return &e.Audience }),
	text("requirement", func(e *Entry) *Requirement { return &e.Requirement }),
	texts("categories", func(e *Entry) *[]string { return &e.Categories }, appendStrings),
	optional("primaryCategory", func(e *Entry) *string { return &e.PrimaryCategory }),
	text("sourceHash", func(e *Entry) *Fingerprint { return &e.SourceHash }),
	text("schemaVersion", func(e *Entry) *string { return &e.SchemaVersion }),
	optional("deprecatedBy", func(e *Entry) *string { return &e.DeprecatedBy }),
	text("createdAt", func(e *Entry) *Timestamp { return &e.CreatedAt }),
	text("updatedAt", func(e *Entry) *Timestamp { return &e.UpdatedAt }),
	{name: "usageCount"},
	{name: "lastUsedAt"},
	number("riskScore", func(e *Entry) *int { return &e.RiskScore }),
	optional("owner", func(e *Entry) *string { return &e.Owner }),
	optional("status", func(e *Entry) *Status { return &e.Status }),
	optional("priorityTier", func(e *Entry) *PriorityTier { return &e.PriorityTier }),
	optional("classification", func(e *Entry) *Classification { return &e.Classification }),
	optional("version", func(e *Entry) *string { return &e.Version }),
	optional("semanticSummary", func(e *Entry) *string { return &e.SemanticSummary }),
	optional("contentType", func(e *Entry) *string { return &e.ContentType }),
	optional("supersedes", func(e *Entry) *string { return &e.Supersedes }),
	optional("lastReviewedAt", func(e *Entry) *Timestamp { return &e.LastReviewedAt }),
	optional("nextReviewDue", func(e *Entry) *Timestamp { return &e.NextReviewDue }),
	reviewInterval(),
	texts("teamIds", func(e *Entry) *[]string { return &e.TeamIDs }, appendPresent),
	optional("workspaceId", func(e *Entry) *string { return &e.WorkspaceID }),
	optional("userId", func(e *Entry) *string { return &e.UserID }),
	written("changeLog", func(e *Entry) *json.RawMessage { return &e.ChangeLog }),
	written("extensions", func(e *Entry) *json.RawMessage { return &e.Extensions }),
}

// text is a member that is a string. What has no escapes is shared.
func text[S ~string](name Field, of func(*Entry) *S) member {
	return member{
		name:   name,
		append: func(b []byte, e *Entry) []byte { return appendString(b, *of(e)) },
		share: func(e *Entry, encoded []byte) {
			s := of(e)
			if len(encoded) == len(*s)+len(`""`) {
				*s = S(stringOf(encoded[1 : len(encoded)-1]))
			} else {
				*s = S(strings.Clone(string(*s)))
			}
		},
		restore: func(e *Entry, encoded []byte) bool { return restoreText(of(e), encoded) },
	}
}

// optional is a text that an entry does not have where it is empty.
func optional[S ~string](name Field, of func(*Entry) *S) member {
	m := text(name, of)
	always := m.append
	m.append = func(b []byte, e *Entry) []byte {
		if *of(e) == "" {
			return b
		}
		return always(b, e)
	}
	return m
}

func body() member {
	m := member{
		name:   "body",
		append: func(b []byte, e *Entry) []byte { return append(b, e.Body...) },
		share:  func(e *Entry, encoded []byte) { e.Body = Body(stringOf(encoded)) },
	}
	m.restore = func(e *Entry, encoded []byte) bool {
		m.share(e, encoded)
		return len(encoded) > len(`""`) && encoded[0] == '"' && encoded[len(encoded)-1] == '"'
	}
	return m
}

func number(name Field, of func(*Entry) *int) member {
	return member{
		name:    name,
		append:  func(b []byte, e *Entry) []byte { return strconv.AppendInt(b, int64(*of(e)), 10) },
		restore: func(e *Entry, encoded []byte) bool { return restoreNumber(of(e), encoded) },
	}
}

func reviewInterval() member {
	return member{
		name:   "reviewIntervalDays",
		append: func(b []byte, e *Entry) []byte { return appendNumber(b, e.ReviewIntervalDays) },
		restore: func(e *Entry, encoded []byte) bool {
			e.ReviewIntervalDays = new(int)
			return restoreNumber(e.ReviewIntervalDays, encoded)
		},
	}
}

func texts(name Field, of func(*Entry) *[]string, add func([]byte, []string) []byte) member {
	return member{
		name:    name,
		append:  func(b []byte, e *Entry) []byte { return add(b, *of(e)) },
		share:   func(e *Entry, encoded []byte) { shareTexts(*of(e), encoded) },
		restore: func(e *Entry, encoded []byte) bool { return restoreTexts(of(e), encoded) },
	}
}

// shareTexts takes texts from the list that they were encoded to, unless one has
// escapes.
func shareTexts(texts []string, encoded []byte) {
	escaped := bytes.IndexByte(encoded, '\\') >= 0
	at := len(`["`)
	for i, s := range texts {
		if escaped {
			texts[i] = strings.Clone(s)
			continue
		}
		texts[i] = stringOf(encoded[at : at+len(s)])
		at += len(s) + len(`","`)
	}
}

// written is JSON that was checked when it was read.
func written(name Field, of func(*Entry) *json.RawMessage) member {
	return member{
		name:   name,
		append: func(b []byte, e *Entry) []byte { return append(b, *of(e)...) },
		share:  func(e *Entry, encoded []byte) { *of(e) = encoded },
		restore: func(e *Entry, encoded []byte) bool {
			*of(e) = encoded
			return true
		},
	}
}

func appendNumber(dst []byte, n *int) []byte {
	if n == nil {
		return dst
	}
	return strconv.AppendInt(dst, int64(*n), 10)
}

func appendPresent(dst []byte, texts []string) []byte {
	if texts == nil {
		return dst
	}
	return appendStrings(dst, texts)
}

func appendStrings(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}
