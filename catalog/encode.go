package catalog

import (
	"encoding/json"
	"slices"
	"strconv"
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

// Encoded returns the entry as JSON without the closing brace and without
// usageCount and lastUsedAt, which change while the rest does not: whoever
// writes it adds them. It must not be changed.
func (e *Entry) Encoded() []byte { return e.encoded }

// Project returns, in the form of [Entry.Encoded], only the named fields that
// the entry has, and the id always.
func (e *Entry) Project(fields []Field) []byte {
	return e.appendMembers(make([]byte, 0, 256), func(name Field) bool {
		return name == "id" || slices.Contains(fields, name)
	})
}

func (e *Entry) appendMembers(dst []byte, wanted func(Field) bool) []byte {
	dst = append(dst, '{')
	first := len(dst)
	for _, m := range members {
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
		}
	}
	return dst
}

// member is a field and what appends its value, or nothing where the entry
// does not have it.
type member struct {
	name   Field
	append func([]byte, *Entry) []byte
}

// members are the fields in the order of [Entry], whose json tags say the same.
var members = []member{
	{"id", func(b []byte, e *Entry) []byte { return appendString(b, e.ID) }},
	{"title", func(b []byte, e *Entry) []byte { return appendString(b, e.Title) }},
	{"body", func(b []byte, e *Entry) []byte { return append(b, e.Body...) }},
	{"rationale", func(b []byte, e *Entry) []byte { return appendOptional(b, e.Rationale) }},
	{"priority", func(b []byte, e *Entry) []byte { return strconv.AppendInt(b, int64(e.Priority), 10) }},
	{"audience", func(b []byte, e *Entry) []byte { return appendString(b, e.Audience) }},
	{"requirement", func(b []byte, e *Entry) []byte { return appendString(b, e.Requirement) }},
	{"categories", func(b []byte, e *Entry) []byte { return appendStrings(b, e.Categories) }},
	{"primaryCategory", func(b []byte, e *Entry) []byte { return appendOptional(b, e.PrimaryCategory) }},
	{"sourceHash", func(b []byte, e *Entry) []byte { return appendString(b, e.SourceHash) }},
	{"schemaVersion", func(b []byte, e *Entry) []byte { return appendString(b, e.SchemaVersion) }},
	{"deprecatedBy", func(b []byte, e *Entry) []byte { return appendOptional(b, e.DeprecatedBy) }},
	{"createdAt", func(b []byte, e *Entry) []byte { return appendString(b, e.CreatedAt) }},
	{"updatedAt", func(b []byte, e *Entry) []byte { return appendString(b, e.UpdatedAt) }},
	{"usageCount", nil},
	{"lastUsedAt", nil},
	{"riskScore", func(b []byte, e *Entry) []byte { return strconv.AppendInt(b, int64(e.RiskScore), 10) }},
	{"owner", func(b []byte, e *Entry) []byte { return appendOptional(b, e.Owner) }},
	{"status", func(b []byte, e *Entry) []byte { return appendOptional(b, e.Status) }},
	{"priorityTier", func(b []byte, e *Entry) []byte { return appendOptional(b, e.PriorityTier) }},
	{"classification", func(b []byte, e *Entry) []byte { return appendOptional(b, e.Classification) }},
	{"version", func(b []byte, e *Entry) []byte { return appendOptional(b, e.Version) }},
	{"semanticSummary", func(b []byte, e *Entry) []byte { return appendOptional(b, e.SemanticSummary) }},
	{"contentType", func(b []byte, e *Entry) []byte { return appendOptional(b, e.ContentType) }},
	{"supersedes", func(b []byte, e *Entry) []byte { return appendOptional(b, e.Supersedes) }},
	{"lastReviewedAt", func(b []byte, e *Entry) []byte { return appendOptional(b, e.LastReviewedAt) }},
	{"nextReviewDue", func(b []byte, e *Entry) []byte { return appendOptional(b, e.NextReviewDue) }},
	{"reviewIntervalDays", func(b []byte, e *Entry) []byte { return appendNumber(b, e.ReviewIntervalDays) }},
	{"teamIds", func(b []byte, e *Entry) []byte { return appendPresent(b, e.TeamIDs) }},
	{"workspaceId", func(b []byte, e *Entry) []byte { return appendOptional(b, e.WorkspaceID) }},
	{"userId", func(b []byte, e *Entry) []byte { return appendOptional(b, e.UserID) }},
	{"changeLog", func(b []byte, e *Entry) []byte { return appendJSON(b, e.ChangeLog) }},
	{"extensions", func(b []byte, e *Entry) []byte { return appendJSON(b, e.Extensions) }},
}

func appendOptional[S ~string](dst []byte, s S) []byte {
	if s == "" {
		return dst
	}
	return appendString(dst, s)
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

// appendJSON appends JSON that was checked when it was read.
func appendJSON(dst []byte, raw json.RawMessage) []byte { return append(dst, raw...) }

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
