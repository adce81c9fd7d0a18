package instructions

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

// searchText formats the result of a search for a model. It shows only a prefix of the
// catalog hash, since the result contains the whole hash.
func searchText(p searchParams, r searchResult) string {
	f := found{r.Count, len(r.Items.entries)}
	heading := fmt.Sprintf("%s %s%s%s (catalog %.12s):",
		f.amount("instruction matches", "instructions match"), p.query(), p.filters(), p.order(), r.Hash)
	if f.none() {
		heading = fmt.Sprintf("No instruction matches %s%s (catalog %.12s). Try %s, or see all with %s.",
			p.query(), p.filters(), r.Hash, p.otherwise(), listName)
	}
	heading += r.nearestText()
	return page{heading, &r.Items.items, r.Items.snippets, r.NextCursor}.within(maxSearch, r)
}

// query returns the search text in quotes, shortened.
func (p searchParams) query() string { return quoted(cutWire(brief(p.Query, maxTitle), maxTitle)) }

// order describes the order of the rows, or returns "" if they are in id order.
func (p searchParams) order() string {
	if p.Mode == ranked && p.Sort == "" {
		return ", best first"
	}
	return p.view.order()
}

// order describes the order of the rows, or returns "" if it is the default.
func (v view) order() string {
	if v.Sort == catalog.SortPriority {
		return ", by priority"
	}
	return ""
}

// otherwise suggests what to search for when nothing was found.
func (p searchParams) otherwise() string {
	if p.Mode == ranked {
		return "fewer or other words"
	}
	return "one shorter word"
}

// listText formats the result of a list for a model.
func listText(p listParams, l listing) string {
	f := found{l.Count, len(l.Items.entries)}
	heading := fmt.Sprintf("%s%s%s (catalog %.12s):", f.amount("instruction", "instructions"), p.filters(), p.order(), l.Hash)
	if f.none() {
		heading = fmt.Sprintf("There is no instruction%s (catalog %.12s). Leave the filter out to see all.", p.filters(), l.Hash)
	}
	heading += l.nearestText() + categoriesText(l.Categories)
	return page{heading, l.Items, nil, l.NextCursor}.within(maxList, l)
}

// filters describes the filters of the call, after a leading space.
func (p listParams) filters() string {
	var words []string
	if p.Load != "" {
		words = append(words, "load "+string(p.Load))
	}
	return p.view.filters(words...)
}

// filters describes the filters of the call: first the category, then words, then the
// others.
func (v view) filters(words ...string) string {
	if v.Category != "" {
		words = append([]string{"category " + quoted(brief(v.Category, maxTitle))}, words...)
	}
	if v.Status != "" {
		words = append(words, "status "+string(v.Status))
	}
	if v.Requirement != "" {
		words = append(words, "requirement "+string(v.Requirement))
	}
	if v.Audience != "" {
		words = append(words, "audience "+string(v.Audience))
	}
	if v.AppliesTo != "" {
		words = append(words, "what applies to "+quoted(brief(v.AppliesTo, maxTitle)))
	}
	if len(words) == 0 {
		return ""
	}
	return " with " + strings.Join(words, ", ")
}

// found holds the number of all matches, nil if not requested, and the number shown.
type found struct {
	count *int
	shown int
}

func (f found) none() bool { return f.count == nil && f.shown == 0 || f.count != nil && *f.count == 0 }

// amount says how many entries are shown, and of how many if that is known.
func (f found) amount(one, many string) string {
	if f.count == nil {
		return counted(f.shown, one, many)
	}
	return rpc.Grouped(f.shown) + " of " + counted(*f.count, one, many)
}

// page is the text form of a page of entries: a heading, a line per entry, and how to
// get more.
type page struct {
	heading  string
	items    *items
	snippets []catalog.Snippet // one per entry; nil if not requested
	next     catalog.Cursor
}

// envelope is the approximate size of an answer without its text and result, in bytes.
const envelope = 300

// within returns the text. A smaller limit param cannot shorten an answer with a single
// row, so within cuts the title and snippet of that row if text and result together
// exceed limit bytes.
func (p page) within(limit int, result any) string {
	room := math.MaxInt
	if len(p.items.entries) == 1 {
		if size := encodedSize(result); size < limit {
			room = limit - envelope - size - wireSize(p.text(0))
		}
	}
	return p.text(room)
}

// encodedSize returns the size in bytes of a result as sent. If the result cannot be
// encoded, it returns 0.
func encodedSize(result any) int {
	encoded, _ := rpc.Encode(result)
	sent, _ := json.Marshal(json.RawMessage(encoded.Bytes()))
	return len(sent)
}

// text returns the text. room is the number of bytes that each title with its snippet
// may take.
func (p page) text(room int) string {
	lines := []string{p.heading}
	for i, e := range p.items.entries {
		snippet := ""
		if p.snippets != nil {
			snippet = p.snippets[i].Text
		}
		lines = append(lines, p.items.line(e, snippet, room))
	}
	if len(lines) > 1 {
		lines = append(lines, fmt.Sprintf(`Read one with %s {"id":"…"}.`, getName))
	}
	if p.next != "" {
		lines = append(lines, fmt.Sprintf(`For more, repeat the call with "cursor":"%s".`, p.next))
	}
	return strings.Join(lines, "\n")
}

// maxTitle and maxField limit the title and the other fields of a row, in characters.
const (
	maxTitle = 80
	maxField = 200
)

// line formats a row as "- id [requirement] title: snippet", followed by the other
// requested fields.
func (s *items) line(e *catalog.Entry, snippet string, room int) string {
	line, title := "- "+string(e.ID), ""
	if s.serves("requirement") {
		line += " [" + string(e.Requirement) + "]"
	}
	if s.serves("title") {
		title = cutWire(brief(e.Title, maxTitle), room/3)
	}
	if title != "" {
		line += " " + title
	}
	if snippet := cutWire(brief(snippet, catalog.MaxSnippet), room-wireSize(title)-len(" : ")); snippet != "" {
		line += ": " + snippet
	}
	return line + s.others(e)
}

func (s *items) serves(f catalog.Field) bool { return s.fields == nil || slices.Contains(s.fields, f) }

// others formats the requested fields that are not part of every row.
func (s *items) others(e *catalog.Entry) string {
	var text string
	for _, name := range s.fields {
		if slices.Contains([]catalog.Field{"id", "title", "requirement"}, name) {
			continue
		}
		if value := s.value(e, name); value != "" {
			text += fmt.Sprintf("; %s: %s", name, brief(value, maxField))
		}
	}
	return text
}

// value returns a field of an entry for display, mostly as JSON, or "" if the entry does
// not have it.
func (s *items) value(e *catalog.Entry, field catalog.Field) string {
	switch use := s.uses.Of(e); {
	case field == "usageCount" && use.Count > 0:
		return strconv.FormatInt(use.Count, 10)
	case field == "lastUsedAt" && use.LastUsedAt != "":
		return strconv.Quote(string(use.LastUsedAt))
	}
	switch field {
	case "entryHash":
		return strconv.Quote(string(e.Hash()))
	case "origin":
		return e.Origin.Path + ":" + strconv.Itoa(e.Origin.FirstLine())
	}
	return string(e.Field(field))
}
