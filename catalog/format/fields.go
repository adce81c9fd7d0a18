package format

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog"
)

// rules contains a rule for every field that the contract names, in the order in which
// they are read.
var rules = []rule{
	{"id", readID},
	{"body", readBody},
	{"title", readTitle}, // after body: it provides the default title of a Markdown file
	{"rationale", keepText(func(e *catalog.Instruction) *string { return &e.Rationale })},
	{"priority", readPriority},
	{"audience", readAudience},
	{"requirement", readRequirement},
	{"categories", readCategories},
	{"primaryCategory", keepText(func(e *catalog.Instruction) *string { return &e.PrimaryCategory })},
	{"sourceHash", readSourceHash},
	{"schemaVersion", readSchemaVersion},
	{"deprecatedBy", keepText(func(e *catalog.Instruction) *string { return &e.DeprecatedBy })},
	{"createdAt", readCreatedAt},
	{"updatedAt", readUpdatedAt},
	{"usageCount", readUsageCount},
	{"lastUsedAt", readTime(func(e *catalog.Instruction) *catalog.Timestamp { return &e.LastUsedAt })},
	{"riskScore", func(*normaliser, field) {}}, // always derived
	{"owner", keepText(func(e *catalog.Instruction) *string { return &e.Owner })},
	{"status", readStatus},
	{"priorityTier", readPriorityTier},
	{"classification", readClassification},
	{"version", keepText(func(e *catalog.Instruction) *string { return &e.Version })},
	{"semanticSummary", keepText(func(e *catalog.Instruction) *string { return &e.SemanticSummary })},
	{"contentType", keepText(func(e *catalog.Instruction) *string { return &e.ContentType })},
	{"supersedes", keepText(func(e *catalog.Instruction) *string { return &e.Supersedes })},
	{"lastReviewedAt", readTime(func(e *catalog.Instruction) *catalog.Timestamp { return &e.LastReviewedAt })},
	{"nextReviewDue", readTime(func(e *catalog.Instruction) *catalog.Timestamp { return &e.NextReviewDue })},
	{"reviewIntervalDays", readReviewInterval},
	{"approvedHash", keepText(func(e *catalog.Instruction) *string { return &e.ApprovedHash })},
	{"approvedBy", keepText(func(e *catalog.Instruction) *string { return &e.ApprovedBy })},
	{"approvedAt", readTime(func(e *catalog.Instruction) *catalog.Timestamp { return &e.ApprovedAt })},
	{"teamIds", readTeamIDs},
	{"workspaceId", keepText(func(e *catalog.Instruction) *string { return &e.WorkspaceID })},
	{"userId", keepText(func(e *catalog.Instruction) *string { return &e.UserID })},
	{"changeLog", keepJSON(list, func(e *catalog.Instruction) *json.RawMessage { return &e.ChangeLog })},
	{"extensions", keepJSON(object, func(e *catalog.Instruction) *json.RawMessage { return &e.Extensions })},
	{"load", readLoad},
	{"appliesTo", readAppliesTo},
	{scopeField, readScope},
}

func readBody(n *normaliser, f field) {
	body, ok := n.required(f, "write the instruction")
	switch {
	case !ok:
	case longerThan(body, catalog.MaxBody):
		n.fail(FieldTooLong, f, "it has %d characters, %d are allowed: split the instruction up", utf8.RuneCountInString(body), catalog.MaxBody)
	default:
		n.entry.Body = body
	}
}

func readTitle(n *normaliser, f field) {
	if n.doc.form == markdownForm && !n.has(f) {
		title := defaultTitle(n.entry.Body, n.doc.Path)
		if n.entry.Title = cutTitle(title); n.entry.Title != title {
			severity := catalog.SeverityWarning
			if n.doc.Place != nil { // its agent does not ask for a title
				severity = catalog.SeverityNote
			}
			n.say(FieldTooLong, f.line, severity, fmt.Sprintf("title: the heading has more than %d characters, the rest is cut: write a title in the front matter", catalog.MaxTitle))
		}
		return
	}
	title, ok := n.required(f, "say in a few words what the instruction is about")
	if n.doc.form == markdownForm {
		title = strings.TrimSpace(title) // YAML texts with > or | end in a newline
	}
	switch {
	case !ok:
	case longerThan(title, catalog.MaxTitle):
		n.fail(FieldTooLong, f, "%s has %d characters, %d are allowed: shorten it", f.value, utf8.RuneCountInString(title), catalog.MaxTitle)
	default:
		n.entry.Title = title
	}
}

// required returns the text of a field that every entry needs. If it is missing, empty
// or not a text, required adds an error that ends in hint and returns false. Outside
// JSON a number or a boolean counts as a text.
func (n *normaliser) required(f field, hint string) (string, bool) {
	v := f.value
	switch {
	case f.line == 0:
		n.fail(FieldMissing, f, "missing; %s", hint)
	case v.kind == text && strings.TrimSpace(v.text) == "":
		n.fail(FieldMissing, f, "empty; %s", hint)
	case v.kind != text && (n.doc.form == jsonForm || v.kind >= list):
		n.fail(FieldValue, f, "%s is not a string; %s", v, hint)
	default:
		n.mention(f)
		return v.text, true
	}
	return "", false
}

func longerThan(s string, characters int) bool {
	return len(s) > characters && utf8.RuneCountInString(s) > characters
}

// keepText returns a rule function that stores a text as it is.
func keepText(at func(*catalog.Instruction) *string) func(*normaliser, field) {
	return func(n *normaliser, f field) {
		if !n.has(f) {
			return
		}
		if s, ok := n.textOf(f); ok {
			*at(&n.entry) = s
		}
	}
}

// keepJSON returns a rule function that stores a list or an object as it is. A number
// in it that is too long or too large is an error.
func keepJSON(k kind, at func(*catalog.Instruction) *json.RawMessage) func(*normaliser, field) {
	expected := map[kind]string{list: "a list: write [ … ]", object: "an object: write { … }"}[k]
	return func(n *normaliser, f field) {
		switch {
		case !n.has(f):
		case f.value.kind != k:
			n.fail(FieldValue, f, "%s is not %s", f.value, expected)
		default:
			raw := json.RawMessage(f.value.text)
			n.checkNumbers(f, raw)
			*at(&n.entry) = raw
		}
	}
}

func readSourceHash(n *normaliser, f field) {
	if !n.has(f) {
		return
	}
	hash, _ := n.textOf(f)
	n.origin.RecordedHash = strings.TrimSpace(hash)
}

func readSchemaVersion(n *normaliser, f field) {
	n.entry.SchemaVersion = "1"
	if !n.hasOr(f, `"1"`) {
		return
	}
	version, ok := n.textOf(f)
	version = strings.TrimSpace(version)
	switch {
	case !ok:
	case len(version) != 1 || version < "1" || version > "7":
		n.fail(FieldValue, f, `%s is unknown: "1" to "7" can be read`, f.value)
	default:
		n.entry.SchemaVersion = version
	}
}
