package gates

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// plainlyPasses reports whether the gate at index passes. It reads the file without the
// types, the schema and the columns of the package, one entry at a time.
func plainlyPasses(data []byte, index int, entries []*catalog.Entry) bool {
	var file map[string][]map[string]any
	err := json.Unmarshal(files.TrimByteOrderMark(data), &file)
	if _, wrongType := err.(*json.UnmarshalTypeError); err != nil && !wrongType {
		return false
	}
	if len(file) != 1 || index >= len(file["gates"]) {
		return false
	}
	g := file["gates"][index]
	value, ok := g["value"].(float64)
	if !ok {
		return false
	}
	switch figure := plainFigure(g, entries); g["op"] {
	case ">=":
		return figure >= value
	case ">":
		return figure > value
	case "<=":
		return figure <= value
	case "<":
		return figure < value
	case "==":
		return figure == value
	case "!=":
		return figure != value && figure == figure
	}
	return false
}

// plainFigure returns the figure of a gate, or NaN if it cannot be computed.
func plainFigure(g map[string]any, entries []*catalog.Entry) float64 {
	kind, name := fmt.Sprint(g["type"]), fmt.Sprint(g["field"])
	var numbers []float64
	values, chosen, whole := map[string]float64{}, 0.0, 0.0
	for _, e := range entries {
		entry := plainEntry(e)
		if kind == "ratio" && !plainlyFits(g["of"], entry) {
			continue
		}
		whole++
		if !plainlyFits(g["where"], entry) {
			continue
		}
		chosen++
		switch v := entry[name].(type) {
		case nil:
		case float64:
			numbers = append(numbers, v)
			values[fmt.Sprint(v)]++
		case []any:
			for _, item := range v {
				values[fmt.Sprint(item)]++
			}
		default:
			values[fmt.Sprint(v)]++
		}
	}
	switch kind {
	case "count":
		return chosen
	case "ratio":
		return chosen / whole
	case "distinct":
		return float64(len(values))
	case "unique":
		shared := 0.0
		for _, n := range values {
			if n > 1 {
				shared += n
			}
		}
		return shared
	}
	return plainNumber(kind, numbers)
}

func plainNumber(kind string, numbers []float64) float64 {
	switch {
	case kind == "sum":
		sum := 0.0
		for _, n := range numbers {
			sum += n
		}
		return sum
	case kind == "min" && len(numbers) > 0:
		return slices.Min(numbers)
	case kind == "max" && len(numbers) > 0:
		return slices.Max(numbers)
	}
	return math.NaN()
}

// plainEntry returns an entry as a gate sees it. It supports only the fields of the tests'
// team.
func plainEntry(e *catalog.Entry) map[string]any {
	var entry map[string]any
	if err := json.Unmarshal(e.Encoded(), &entry); err != nil {
		panic(err)
	}
	if e.UsageCount > 0 {
		entry["usageCount"] = float64(e.UsageCount)
	}
	if items, _ := entry["categories"].([]any); len(items) == 0 {
		delete(entry, "categories")
	}
	entry["bodyTokens"] = math.Ceil(float64(len(e.Body.Text())) / 4)
	entry["successor"] = map[catalog.ID]string{"d": "living", "e": "dead", "f": "dead"}[e.ID]
	if entry["successor"] == "" {
		entry["successor"] = "none"
	}
	entry["approval"] = map[catalog.ID]string{"a": "current", "b": "stale", "c": "stale"}[e.ID]
	if entry["approval"] == "" {
		entry["approval"] = "none"
	}
	for name, v := range entry {
		if v == "" {
			delete(entry, name)
		}
	}
	return entry
}

func plainlyFits(where any, entry map[string]any) bool {
	w, _ := where.(map[string]any)
	each := func(name string) (fit, all int) {
		parts, _ := w[name].([]any)
		for _, part := range parts {
			if all++; plainlyFits(part, entry) {
				fit++
			}
		}
		return fit, all
	}
	if w["all"] != nil {
		fit, all := each("all")
		return fit == all
	}
	if w["any"] != nil {
		fit, _ := each("any")
		return fit > 0
	}
	if w["not"] != nil {
		fit, _ := each("not")
		return fit == 0
	}
	if w["field"] != nil {
		return plainlyHolds(fmt.Sprint(w["op"]), entry[fmt.Sprint(w["field"])], w["value"])
	}
	if wanted, ok := w["requirement"]; ok && wanted != entry["requirement"] {
		return false
	}
	least, ok := w["priorityGt"].(float64)
	return !ok || entry["priority"].(float64) > least
}

func plainlyHolds(op string, has, wanted any) bool {
	switch op {
	case "exists":
		return (has != nil) == wanted
	case "ne":
		return !plainlyHolds("eq", has, wanted)
	}
	if has == nil {
		return false
	}
	if op == "in" {
		list, _ := wanted.([]any)
		return slices.Contains(list, has)
	}
	if list, ok := has.([]any); ok {
		return slices.Contains(list, wanted)
	}
	if s, ok := wanted.(string); ok {
		return plainlyHoldsText(op, has.(string), s)
	}
	a, b := has.(float64), wanted.(float64)
	return map[string]bool{"eq": a == b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[op]
}

func plainlyHoldsText(op, has, wanted string) bool {
	at, isTime := plainTime(has)
	switch limit, ok := plainTime(wanted); {
	case op == "contains":
		return strings.Contains(has, wanted)
	case op == "matches":
		return regexp.MustCompile(wanted).MatchString(has)
	case op == "olderThan":
		var days int
		fmt.Sscanf(wanted, "%dd", &days)
		return now.Sub(at) > time.Duration(days)*24*time.Hour
	case isTime && ok:
		order := at.Compare(limit)
		return map[string]bool{"eq": order == 0, "lt": order < 0, "le": order <= 0, "gt": order > 0, "ge": order >= 0}[op]
	}
	return op == "eq" && has == wanted
}

func plainTime(s string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, s); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
