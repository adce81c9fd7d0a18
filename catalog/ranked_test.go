package catalog

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"instruction-catalog/catalog/search/ranked"
)

func titled(id ID, title string, change ...func(*draft)) *Entry {
	return entry(id, append([]func(*draft){func(e *draft) { e.Title, e.Body = title, "nothing of interest" }}, change...)...)
}

func requirement(r Requirement, priority int) func(*draft) {
	return func(e *draft) { e.Requirement, e.Priority = r, priority }
}

func TestRanked(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{
		titled("e-deprecated", "wrap", requirement(Deprecated, 1)),
		titled("d-optional", "wrap", requirement(Optional, 1)),
		titled("c-recommended", "wrap", requirement(Recommended, 90)),
		titled("b-recommended", "wrap", requirement(Recommended, 90)),
		titled("z-recommended", "wrap", requirement(Recommended, 9)),
		titled("y-mandatory", "wrap", requirement(Mandatory, 100)),
		titled("x-critical", "wrap", requirement(Critical, 100)),
		titled("w-best", "wrap", requirement(Deprecated, 100), func(e *draft) { e.Body = "wrap" }),
		titled("wrap", "something else", requirement(Deprecated, 100), func(e *draft) { e.Audience = Group }),
		titled("v-categories", "other", func(e *draft) { e.Categories = []string{"go", "straße"} }),
		titled("v-summary", "other", func(e *draft) { e.SemanticSummary = "Die STRASSE" }),
		titled("spelled-so", "other", func(e *draft) { e.Origin.SpelledID = "Spelled.So" }),
	}, nil)
	const alike = "x-critical y-mandatory z-recommended b-recommended c-recommended d-optional e-deprecated"
	for name, test := range map[string]struct {
		q    string
		f    Filter
		want string
	}{
		"by score, force and id, the id itself first": {"wrap", Filter{}, "wrap w-best " + alike},
		"the id in another case":                      {" WRAP\n", Filter{}, "wrap w-best " + alike},
		"the id, filtered away":                       {"wrap", Filter{Audience: Everybody}, "w-best " + alike},
		"filtered":                                    {"wrapping", Filter{Requirement: Recommended}, "z-recommended b-recommended c-recommended"},
		"categories and summary":                      {"straße", Filter{}, "v-categories v-summary"},
		"category":                                    {"straße", Filter{Category: "GO"}, "v-categories"},
		"spelled id":                                  {"Spelled.So", Filter{}, "spelled-so"},
		"nothing":                                     {"absent", Filter{}, ""},
		"no word":                                     {"?", Filter{}, ""},
		"empty": {" ", Filter{}, "x-critical y-mandatory z-recommended spelled-so v-categories v-summary " +
			"b-recommended c-recommended d-optional e-deprecated w-best wrap"},
	} {
		r := s.Ranked(test.q, test.f)
		if got := ids(r.Entries); got != test.want || r.Count != len(r.Entries) || len(r.Scores) != r.Count {
			t.Errorf("%s: %s, %d of %d, want %s", name, got, len(r.Scores), r.Count, test.want)
		}
		for i, score := range r.Scores {
			if i > 0 && score > r.Scores[i-1] || (score == 0) != (name == "empty") {
				t.Errorf("%s: scores %v", name, r.Scores)
			}
		}
	}
}

// TestDeprecatedComesBehind checks that a deprecated entry comes after its replacement,
// and that the replacement is included even if it does not contain the words.
func TestDeprecatedComesBehind(t *testing.T) {
	t.Parallel()
	replacedBy := func(id string) func(*draft) {
		return func(e *draft) { e.Requirement, e.DeprecatedBy = Deprecated, id }
	}
	body := func(text string) func(*draft) { return func(e *draft) { e.Body = text } }
	s := NewSnapshot([]*Entry{
		titled("old", "Wrap", body("Wrap, wrap, wrap."), replacedBy("newer")),
		titled("newer", "Wrapping", body("Do it."), replacedBy("newest")),
		titled("newest", "Something else", func(e *draft) { e.Audience = Group }),
		titled("other", "Wrap", body("Well.")),
		titled("lost", "Lost", replacedBy("absent")),
		titled("egg", "Circle", replacedBy("hen")),
		titled("hen", "Circle", replacedBy("egg")),
	}, nil)
	for q, want := range map[string]string{
		"wrap": "newest newer old other", "something": "newest", "lost": "lost", "circle": "hen egg", "old": "newest newer old",
	} {
		r := s.Ranked(q, Filter{})
		if got := ids(r.Entries); got != want || r.Count != len(r.Entries) || !slices.IsSortedFunc(r.Scores, func(a, b ranked.Score) int { return int(b) - int(a) }) {
			t.Errorf("%s: %s, want %s, scores %v", q, got, want, r.Scores)
		}
	}
	if got := ids(s.Ranked("wrap", Filter{Audience: Everybody}).Entries); got != "newer old other" {
		t.Errorf("without the newest: %s", got)
	}
}

// TestSearchesAtOnce runs the first searches of both kinds concurrently. Each index must
// be built once. The race detector finds unsynchronised access.
func TestSearchesAtOnce(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{titled("a", "wrap"), titled("b", "wrap", func(e *draft) { e.Body = "wrap" }), titled("c", "x")}, nil)
	var running sync.WaitGroup
	for range 20 {
		running.Go(func() {
			if got := ids(s.Ranked("wrap", Filter{}).Entries); got != "b a" {
				t.Errorf("ranked: %s", got)
			}
		})
		running.Go(func() {
			if got := ids(found(s, "wrap", Filter{})); got != "a b" {
				t.Errorf("substring: %s", got)
			}
		})
	}
	running.Wait()
}

func TestRankedPages(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{titled("a", "wrap"), titled("b", "wrap", func(e *draft) { e.Body = "wrap" }), titled("c", "x"), titled("d", "wrap"), titled("e", "wrap it")}, nil)
	found := s.Ranked("wrap", Filter{})
	for limit := range 6 {
		var all []*Entry
		var cursor Cursor
		for pages := 0; ; pages++ {
			page, next, err := found.Page(limit, cursor)
			if err != nil || pages > 5 || page.Count != 4 || len(page.Scores) != len(page.Entries) {
				t.Fatalf("limit %d, page %d: %+v, %v", limit, pages, page, err)
			}
			all = append(all, page.Entries...)
			if cursor = next; cursor == "" {
				break
			}
		}
		if ids(all) != ids(found.Entries) {
			t.Errorf("limit %d: %s, want %s", limit, ids(all), ids(found.Entries))
		}
	}
}

func TestRankedCursors(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{entry("a"), entry("b"), entry("c")}, nil)
	other := NewSnapshot([]*Entry{entry("a"), entry("d"), entry("e")}, nil)
	found := s.Ranked("title", Filter{})
	_, good, _ := found.Page(2, "")
	_, stale, _ := other.Ranked("title", Filter{}).Page(2, "")
	_, another, _ := s.Ranked("body", Filter{}).Page(2, "")
	_, filtered, _ := s.Ranked("title", Filter{Audience: Everybody}).Page(2, "")
	_, listed, _ := s.Page(s.Entries(), 2, "")
	beyond := mark{4, s.digest(), found.question, digestOf("c")}.cursor()
	for c, want := range map[Cursor]error{
		good: nil, stale: ErrCursorStale, another: ErrCursorOther, filtered: ErrCursorOther, listed: ErrCursorOther, beyond: ErrCursorOther,
		"nonsense!": ErrCursorForm, "YWJj": ErrCursorForm,
	} {
		if c == "" {
			t.Fatal("a cursor is missing")
		}
		if _, _, err := found.Page(1, c); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", c, err, want)
		}
	}
	if _, _, err := s.Page(s.Entries(), 1, good); !errors.Is(err, ErrCursorOther) {
		t.Errorf("a ranked cursor in a list: %v", err)
	}
}

// TestRankedCursorOfAnotherOrder checks that a cursor becomes stale when titles or
// priorities change the order. The hash of a snapshot does not cover them.
func TestRankedCursorOfAnotherOrder(t *testing.T) {
	t.Parallel()
	entries := func(first ID) *Snapshot {
		all := []*Entry{entry("a"), entry("b"), entry("c")}
		for _, e := range all {
			e.Priority = 9
			if e.ID == first {
				e.Priority = 1
			}
		}
		return NewSnapshot(all, nil)
	}
	before, after := entries("a"), entries("c")
	if before.Hash() != after.Hash() {
		t.Fatal("the hashes differ")
	}
	_, c, err := before.Ranked("title", Filter{}).Page(1, "")
	if err != nil || c == "" {
		t.Fatalf("%q, %v", c, err)
	}
	if page, _, err := after.Ranked("title", Filter{}).Page(1, c); !errors.Is(err, ErrCursorStale) {
		t.Errorf("%+v, %v", page, err)
	}
}

// FuzzCursor checks that only cursors that were issued are accepted.
func FuzzCursor(f *testing.F) {
	s := NewSnapshot([]*Entry{entry("a"), entry("b"), entry("c")}, nil)
	_, listed, _ := s.Page(s.Entries(), 1, "")
	_, ranked, _ := s.Ranked("title", Filter{}).Page(1, "")
	for _, c := range []string{string(listed), string(ranked), "", "YWJj", "!", string(ranked)[:20]} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := s.openMark(Cursor(text)); err == nil && m.cursor() != Cursor(text) {
			t.Errorf("%q is %+v, written again %q", text, m, m.cursor())
		}
		last, err := s.openList(Cursor(text))
		if err != nil || text == "" {
			return
		}
		// The last character of base64 may contain unused bits.
		written := s.newCursor(last)
		if again, err := s.openList(written); err != nil || again != last || len(written) != len(strings.NewReplacer("\r", "", "\n", "").Replace(text)) {
			t.Errorf("%q is %q, written again %q: %q, %v", text, last, written, again, err)
		}
	})
}

func TestRankedSnippet(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("Nothing to see here. ", 20)
	s := NewSnapshot([]*Entry{
		entry("a", func(e *draft) { e.Body = "Wrap it. " + filler + "Goroutines wrap errors. " + filler }),
		entry("b", func(e *draft) { e.Body = "Wrap." }),
		entry("c", func(e *draft) { e.Body, e.Title = "Unrelated.", "Wrap goroutines" }),
	}, nil)
	r := s.Ranked("wrapping a goroutine", Filter{})
	for id, want := range map[string]string{
		"a": "…here. Nothing to see here. Nothing to see here. [Goroutines] [wrap] errors. Nothing to see here. Nothing to see here. Nothing to see here. Nothing to see here.…",
		"b": "[Wrap].",
		"c": "Unrelated.",
	} {
		e, _ := s.Get(id)
		if got := marked(r.Snippet(e, MaxSnippet)); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}
