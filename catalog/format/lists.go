package format

import (
	"slices"
	"strings"

	"instruction-catalog/catalog"
)

func readCategories(n *normaliser, f field) {
	n.entry.Categories = []string{}
	if !n.hasOr(f, "[]") {
		return
	}
	spelled, ok := n.categoriesAsSpelled(f)
	if !ok {
		return
	}
	categories, changed := normaliseCategories(spelled)
	if changed {
		n.warn(FieldCoerced, f, "%s are read as %s", shownList(spelled), shownList(categories))
	}
	if len(categories) > catalog.MaxCategories {
		n.fail(FieldTooLong, f, "there are %d, and %d are allowed: keep those that people search for", len(categories), catalog.MaxCategories)
		return
	}
	n.entry.Categories = categories
}

// categoriesAsSpelled returns the items of a list, or the comma-separated parts of a
// text.
func (n *normaliser) categoriesAsSpelled(f field) ([]string, bool) {
	if f.value.kind == list {
		return n.textsOf(f)
	}
	joined, ok := n.textOf(f)
	if !ok {
		return nil, false
	}
	parts := strings.Split(joined, ",")
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
	}
	if n.doc.form == jsonForm && f.value.kind == text {
		n.taken(f, "the list "+shownList(parts))
	}
	return parts, true
}

// normaliseCategories trims, lower-cases, sorts and deduplicates categories, and drops
// empty ones. changed is false if only the order differs.
func normaliseCategories(spelled []string) (categories []string, changed bool) {
	categories = make([]string, 0, len(spelled))
	for _, s := range spelled {
		c := strings.ToLower(strings.TrimSpace(s))
		changed = changed || c != s
		if c != "" {
			categories = append(categories, c)
		}
	}
	slices.Sort(categories)
	categories = slices.Compact(categories)
	return categories, changed || len(categories) != len(spelled)
}

func readTeamIDs(n *normaliser, f field) {
	if !n.has(f) {
		return
	}
	if f.value.kind != list {
		n.fail(FieldValue, f, "%s is not a list: write [%s]", f.value, `"…"`)
		return
	}
	spelled, ok := n.textsOf(f)
	if !ok {
		return
	}
	teams := slices.DeleteFunc(slices.Clone(spelled), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(teams) != len(spelled) {
		n.warn(FieldCoerced, f, "%s are read as %s", shownList(spelled), shownList(teams))
	}
	n.entry.TeamIDs = teams
}

// textsOf returns the items of a list of texts. A null item becomes an empty text.
func (n *normaliser) textsOf(f field) ([]string, bool) {
	items := f.value.items()
	texts := make([]string, 0, len(items))
	for _, item := range items {
		s, ok := n.textOf(field{f.name, item, f.line})
		if !ok {
			return nil, false
		}
		texts = append(texts, s)
	}
	return texts, true
}

// shownList returns a list for a diagnostic, shortened.
func shownList(items []string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > 3*shown {
			b.WriteString("…")
			break
		}
		b.WriteString(Quote(item))
	}
	b.WriteByte(']')
	return b.String()
}
