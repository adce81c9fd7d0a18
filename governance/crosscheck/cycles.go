package crosscheck

import (
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// cycles reports entries that replace each other in a cycle, so that none of them is
// current. Each set of entries that can all reach each other is reported once.
func cycles(s *catalog.Snapshot, view View) (found []report.Finding) {
	next := successors(s)
	for _, members := range components(s.Entries(), next) {
		if len(members) == 1 && !slices.Contains(next[members[0]], members[0]) {
			continue
		}
		slices.SortFunc(members, func(a, b *catalog.Entry) int { return strings.Compare(string(a.ID), string(b.ID)) })
		found = append(found, cycle(members, view))
	}
	slices.SortFunc(found, func(a, b report.Finding) int { return strings.Compare(string(a.Entry), string(b.Entry)) })
	return found
}

func cycle(members []*catalog.Entry, view View) report.Finding {
	f := finding(Cycle, members[0], view.Place(members[0], 0))
	ids := make([]string, len(members))
	for i, e := range members {
		ids[i] = string(e.ID)
		if i > 0 {
			f.Related = append(f.Related, view.Place(e, 0))
		}
	}
	f.Match = strings.Join(ids, " ")
	f.Message = fmt.Sprintf("these replace each other in a cycle: %s: remove one deprecatedBy or supersedes", strings.Join(ids, ", "))
	return f
}

// successors maps each entry to the entries that replace it, according to its
// deprecatedBy or their supersedes.
func successors(s *catalog.Snapshot) map[*catalog.Entry][]*catalog.Entry {
	next := map[*catalog.Entry][]*catalog.Entry{}
	for _, e := range s.Entries() {
		if young, ok := s.Get(e.DeprecatedBy); ok {
			next[e] = append(next[e], young)
		}
		if old, ok := s.Get(e.Supersedes); ok {
			next[old] = append(next[old], e)
		}
	}
	return next
}

// components returns the strongly connected components of the entries, by Tarjan's
// algorithm. It may omit entries that have no successor.
func components(entries []*catalog.Entry, next map[*catalog.Entry][]*catalog.Entry) (found [][]*catalog.Entry) {
	var stack []*catalog.Entry
	index, low, waiting := map[*catalog.Entry]int{}, map[*catalog.Entry]int{}, map[*catalog.Entry]bool{}
	var visit func(e *catalog.Entry)
	visit = func(e *catalog.Entry) {
		index[e] = len(index) + 1
		low[e] = index[e]
		stack, waiting[e] = append(stack, e), true
		for _, to := range next[e] {
			if index[to] == 0 {
				visit(to)
			}
			if waiting[to] {
				low[e] = min(low[e], low[to])
			}
		}
		if low[e] < index[e] {
			return
		}
		at := len(stack) - 1
		for stack[at] != e {
			at--
		}
		for _, member := range stack[at:] {
			waiting[member] = false
		}
		found = append(found, slices.Clone(stack[at:]))
		stack = stack[:at]
	}
	for _, e := range entries {
		if index[e] == 0 && len(next[e]) > 0 {
			visit(e)
		}
	}
	return found
}
