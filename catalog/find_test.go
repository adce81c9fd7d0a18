package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// crowd returns a snapshot of entries whose texts share some words.
func crowd(n int) *Snapshot {
	entries := make([]*Entry, n)
	for i := range entries {
		body := fmt.Sprintf("Everywhere, number %d.", i)
		if i%7 == 0 {
			body += " Seldom."
		}
		entries[i] = entry(ID(fmt.Sprintf("e%05d", i)), func(e *draft) {
			e.Body = body
			e.Requirement = Requirements()[i%2]
			e.Categories = [][]string{{"all", "few"}, {"all"}, {"all", "most"}}[i%3]
		})
	}
	return NewSnapshot(entries, nil)
}

// The results are the same before and after the index is built, with and without a
// count, and page by page.
func TestFindWays(t *testing.T) {
	t.Parallel()
	const n = 60
	indexed := crowd(n)
	indexed.BuildIndex()
	for _, q := range []Query{
		{}, {Text: "everywhere"}, {Text: "seldom"}, {Text: "s"}, {Text: "number 5"}, {Text: "absent"},
		{Filter: Filter{Category: "ALL"}}, {Filter: Filter{Category: "few"}}, {Filter: Filter{Category: "none"}},
		{Filter: Filter{Category: "few", Requirement: Requirements()[1]}}, {Text: "seldom", Filter: Filter{Category: "few"}},
		{Filter: Filter{Requirement: Requirements()[1]}}, {Text: "SELDOM", Filter: Filter{Requirement: Requirements()[0]}},
	} {
		want := plainly(indexed, q)
		for name, s := range map[string]*Snapshot{"scan": crowd(n), "index": indexed} {
			for _, q.Count = range []bool{true, false} {
				for _, q.Limit = range []int{0, 1, 4, n} {
					if got := pages(t, s, q, len(want)); got != ids(want) {
						t.Errorf("%s, %+v: %s, want %s", name, q, got, ids(want))
					}
				}
			}
		}
	}
}

// plainly is a reference implementation of Find without an index.
func plainly(s *Snapshot, q Query) (found []*Entry) {
	q.Filter.Category = strings.ToLower(q.Filter.Category)
	for _, e := range s.Entries() {
		text := strings.ToLower(e.Title + "\x00" + e.Body.Text())
		if q.Filter.passes(e) && strings.Contains(text, strings.ToLower(q.Text)) {
			found = append(found, e)
		}
	}
	return found
}

// pages returns the ids on all pages of a query.
func pages(t *testing.T, s *Snapshot, q Query, count int) string {
	t.Helper()
	var all []*Entry
	for {
		page, err := s.Find(q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		served := page.Entries
		if q.Limit > 0 && len(served) > q.Limit {
			t.Fatalf("%+v: %d entries", q, len(served))
		}
		if want := map[bool]int{true: count}[q.Count]; page.Count != want {
			t.Fatalf("%+v: count %d, want %d", q, page.Count, count)
		}
		all = append(all, served...)
		if q.After = page.Next; q.After == "" {
			return ids(all)
		}
		if len(all) >= count {
			t.Fatalf("%+v: a cursor after the last entry", q)
		}
	}
}

func TestFindRefusesCursors(t *testing.T) {
	t.Parallel()
	s, other := crowd(3), crowd(4)
	page, err := other.Find(Query{Text: "number", Limit: 1})
	if err != nil || page.Next == "" {
		t.Fatalf("%+v, %v", page, err)
	}
	_, ranked, _ := s.Ranked("number", Filter{}).Page(1, "")
	for c, want := range map[Cursor]error{page.Next: ErrCursorStale, "nonsense!": ErrCursorForm, ranked: ErrCursorOther} {
		for _, count := range []bool{true, false} {
			if _, err := s.Find(Query{Text: "number", After: c, Count: count}); !errors.Is(err, want) {
				t.Errorf("%q: %v, want %v", c, err, want)
			}
		}
	}
}

// Searches during the load, while the index is built and afterwards find all matching
// entries, also after one catalog replaces another.
func TestSearchWhileTheIndexIsBuilt(t *testing.T) {
	t.Parallel()
	const n, callers = 700, 6
	newStore := func() *Store {
		return NewStore(func(context.Context) (*Snapshot, error) { return crowd(n), nil })
	}
	store, next := newStore(), newStore()
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for round := range 20 {
				of := store
				if round >= 10 {
					of = next
				}
				s, err := of.Snapshot(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				for text, want := range map[string]int{"everywhere": n, "seldom": (n + 6) / 7, "e": n, "absent": 0} {
					page, err := s.Find(Query{Text: text, Limit: 3, Count: true})
					if err != nil {
						t.Error(err)
						return
					}
					if served := len(page.Entries); page.Count != want || served != min(3, want) {
						t.Errorf("%s: %d of %d; want %d", text, served, page.Count, want)
					}
				}
			}
		})
	}
	all.Wait()
}
