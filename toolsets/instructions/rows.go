package instructions

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

// asked is what the texts of list and search say of the params.
type asked struct {
	Query       string              `json:"q"`
	Mode        mode                `json:"mode"`
	Category    string              `json:"category"`
	Requirement catalog.Requirement `json:"requirement"`
	Audience    catalog.Audience    `json:"audience"`
	Fields      []catalog.Field     `json:"fields"`
}

// found is what list and search answer.
type found struct {
	Hash       catalog.Fingerprint `json:"hash"`
	Count      *int                `json:"count"` // nil where it was not wanted
	Items      []row               `json:"items"`
	NextCursor catalog.Cursor      `json:"nextCursor"`
}

// none reports whether nothing was found.
func (f found) none() bool {
	if f.Count == nil {
		return len(f.Items) == 0
	}
	return *f.Count == 0
}

// amount says how many are shown, and of how many where that is known.
func (f found) amount(one, many string) string {
	if f.Count == nil {
		return counted(len(f.Items), one, many)
	}
	return grouped(len(f.Items)) + " of " + counted(*f.Count, one, many)
}

// row is an entry as it was answered with.
type row map[catalog.Field]json.RawMessage

// text returns a member that is a string, "" where there is none.
func (r row) text(name catalog.Field) string {
	var text string
	_ = json.Unmarshal(r[name], &text)
	return text
}

func (r row) snippet() string {
	var snippet struct{ Text string }
	_ = json.Unmarshal(r["snippet"], &snippet)
	return snippet.Text
}

// searchText renders what a search found.
func searchText(params, result json.RawMessage) (string, error) {
	return rowsText(params, result, mostSearch, func(a asked, f found) string {
		if f.none() {
			return fmt.Sprintf("No instruction matches %s%s (catalog %s). Try %s, or see all with %s.",
				a.query(), a.filters(), f.Hash, a.otherwise(), listName)
		}
		return fmt.Sprintf("%s %s%s%s (catalog %s):",
			f.amount("instruction matches", "instructions match"), a.query(), a.filters(), a.order(), f.Hash)
	})
}

// otherwise is what to search for where nothing was found.
func (a asked) otherwise() string {
	if a.Mode == ranked {
		return "fewer or other words"
	}
	return "one shorter word"
}

// order says in which order the rows are, unless it is that of the ids.
func (a asked) order() string {
	if a.Mode == ranked {
		return ", best first"
	}
	return ""
}

// listText renders a list.
func listText(params, result json.RawMessage) (string, error) {
	return rowsText(params, result, mostList, func(a asked, f found) string {
		if f.none() {
			return fmt.Sprintf("There is no instruction%s (catalog %s). Leave the filter out to see all.", a.filters(), f.Hash)
		}
		return fmt.Sprintf("%s%s (catalog %s):",
			f.amount("instruction", "instructions"), a.filters(), f.Hash)
	})
}

// envelope is about how many bytes an answer has around text and result.
const envelope = 300

// rowsText renders what was found under a heading. An answer with a single row
// cannot be made shorter by a smaller limit: there the text gives way where it
// does not fit into most bytes beside the result.
func rowsText(params, result json.RawMessage, most int, heading func(asked, found) string) (string, error) {
	var a asked
	var f found
	encoded, err := json.Marshal(result) // as it is sent
	if err := errors.Join(err, json.Unmarshal(params, &a), json.Unmarshal(result, &f)); err != nil {
		return "", fmt.Errorf("render for a model: %w", err)
	}
	room := math.MaxInt
	if len(f.Items) == 1 && len(encoded) < most {
		room = most - envelope - len(encoded) - wireSize(page(a, f, heading, 0))
	}
	return page(a, f, heading, room), nil
}

// page is the heading, a line for each row, and how to go on. Room is how many
// bytes each title with its snippet may take.
func page(a asked, f found, heading func(asked, found) string, room int) string {
	lines := []string{heading(a, f)}
	for _, r := range f.Items {
		lines = append(lines, a.line(r, room))
	}
	if len(f.Items) > 0 {
		lines = append(lines, fmt.Sprintf(`Read one with %s {"id":"…"}.`, getName))
	}
	if f.NextCursor != "" {
		lines = append(lines, fmt.Sprintf(`For more, repeat the call with "cursor":"%s".`, f.NextCursor))
	}
	return strings.Join(lines, "\n")
}

// The most characters of a row that are shown.
const (
	mostTitle = 80
	mostField = 200
)

// line is a row: "- id [requirement] title: snippet", and what else the caller
// asked for.
func (a asked) line(r row, room int) string {
	line := "- " + r.text("id")
	if requirement := r.text("requirement"); requirement != "" {
		line += " [" + requirement + "]"
	}
	title := cutWire(brief(r.text("title"), mostTitle), room/3)
	if title != "" {
		line += " " + title
	}
	if snippet := cutWire(brief(r.snippet(), catalog.MaxSnippet), room-wireSize(title)-len(" : ")); snippet != "" {
		line += ": " + snippet
	}
	return line + a.others(r)
}

// others are the fields that were asked for beyond those that every row has.
func (a asked) others(r row) string {
	var text string
	for _, name := range a.Fields {
		if value, ok := r[name]; ok && !slices.Contains([]catalog.Field{"id", "title", "requirement"}, name) {
			text += fmt.Sprintf("; %s: %s", name, brief(string(value), mostField))
		}
	}
	return text
}

// query is the text that was searched for, in few bytes.
func (a asked) query() string { return quoted(cutWire(brief(a.Query, mostTitle), mostTitle)) }

// filters says which entries were asked for, with a blank before it.
func (a asked) filters() string {
	var filters []string
	if a.Category != "" {
		filters = append(filters, "category "+quoted(a.Category))
	}
	if a.Requirement != "" {
		filters = append(filters, "requirement "+string(a.Requirement))
	}
	if a.Audience != "" {
		filters = append(filters, "audience "+string(a.Audience))
	}
	if len(filters) == 0 {
		return ""
	}
	return " with " + strings.Join(filters, ", ")
}

// text is how a list reads to a model.
func (l listing) text(p listParams) string { return ofJSON(listText, p, l) }

// text is how the result of a search reads to a model.
func (r searchResult) text(p searchParams) string { return ofJSON(searchText, p, r) }

// ofJSON gives a text what it is made of.
func ofJSON(text func(params, result json.RawMessage) (string, error), params, result any) string {
	asked, _ := json.Marshal(params)
	found, _ := rpc.Encode(result)
	said, _ := text(asked, found.Bytes())
	return said
}
