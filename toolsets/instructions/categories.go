package instructions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/search/nearest"
	"instruction-catalog/rpc"
)

// categoryCount is the number of entries in a category.
type categoryCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// maxCategories is the maximum number of categories in an answer that has a size budget.
const maxCategories = 50

// countCategories counts the entries in each category, sorted by count in descending
// order and then by name. If briefly is set, it returns only the first maxCategories.
func countCategories(entries []*catalog.Entry, briefly bool) []categoryCount {
	counts := map[string]int{}
	for _, e := range entries {
		for _, name := range e.Categories {
			counts[name]++
		}
	}
	all := make([]categoryCount, 0, len(counts))
	for name, count := range counts {
		all = append(all, categoryCount{name, count})
	}
	slices.SortFunc(all, func(a, b categoryCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	if briefly {
		all = all[:min(len(all), maxCategories)]
	}
	return all
}

// nearestCategories returns the categories most similar to asked, or nil if an entry has
// that category.
func nearestCategories(s *catalog.Snapshot, asked string) []string {
	all := categoriesOf(s)
	if slices.Contains(all, strings.ToLower(asked)) {
		return nil
	}
	return nearest.Of(strings.ToLower(asked), all)
}

// nearestText suggests categories when no entry has the requested one. It returns "" if
// there are no suggestions.
func (a answer) nearestText() string {
	if len(a.instead) == 0 {
		return ""
	}
	shown := make([]string, len(a.instead))
	for i, name := range a.instead {
		shown[i] = quoted(brief(name, maxTitle))
	}
	return " No entry has that category. The nearest are " + strings.Join(shown, ", ") + "."
}

// categoriesText formats the counts as the categories line of a list. It returns "" if
// counts is nil.
func categoriesText(counts *[]categoryCount) string {
	if counts == nil {
		return ""
	}
	var parts []string
	for _, c := range *counts {
		parts = append(parts, fmt.Sprintf("%s (%s)", brief(c.Name, maxTitle), rpc.Grouped(c.Count)))
	}
	if len(parts) == 0 {
		return "\nCategories: none."
	}
	return "\nCategories: " + strings.Join(parts, ", ") + "."
}
