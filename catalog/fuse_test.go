package catalog

import (
	"fmt"
	"testing"
)

// TestRankedWith checks the order in which entries come that fit by words, by meaning or
// both, and that meaning alone finds only what is clearly similar.
func TestRankedWith(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{
		titled("a", "wrap", func(e *draft) { e.Body = "wrap wrap" }), titled("b", "wrap"), titled("c", "wrap", requirement(Optional, 1)),
		titled("d", "other"), titled("e", "other", func(e *draft) { e.Audience = Group }),
	}, nil)
	similar := func(clear int, ids ...ID) Similar {
		found := Similar{Clear: clear}
		for _, id := range ids {
			found.Entries = append(found.Entries, s.entries[s.position[id]])
		}
		return found
	}
	for _, test := range []struct {
		q       string
		similar Similar
		f       Filter
		want    string
	}{
		{"wrap", similar(0), Filter{}, "a b c"},
		{"wrap", similar(0, "a"), Filter{}, "a b c"},
		{"wrap", similar(0, "d", "c"), Filter{}, "c a b d"},
		{"wrap", similar(0, "e", "d", "b", "a"), Filter{}, "a b c e d"},
		{"wrap", similar(0, "e", "d"), Filter{Audience: Everybody}, "a b c d"},
		{"absent", similar(0, "d"), Filter{}, ""},
		{"absent", similar(1, "d", "a"), Filter{}, "d"},
		{"d", similar(1, "a"), Filter{}, "d a"},
	} {
		r := s.RankedWith(test.q, test.f, test.similar)
		if got := ids(r.Entries); got != test.want {
			t.Errorf("%s with %s: %s, want %s, scores %v", test.q, ids(test.similar.Entries), got, test.want, r.Scores)
		}
		for i, score := range r.Scores {
			if score < 1 || i > 0 && score > r.Scores[i-1] {
				t.Errorf("%s with %s: scores %v", test.q, ids(test.similar.Entries), r.Scores)
			}
		}
	}
	if got, want := fmt.Sprint(s.RankedWith("wrap", Filter{}, similar(0, "a", "d")).Scores), "[1000 641 549 226]"; got != want {
		t.Errorf("scores %s, want %s", got, want)
	}
}
