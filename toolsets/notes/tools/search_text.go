package tools

import (
	"context"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

type searchParams struct {
	Query string       `json:"query"`
	Limit *rpc.Integer `json:"limit"`
}

// scored is a note found by its words.
type scored struct {
	shownPart
	ContentOffset *int    `json:"contentOffset,omitempty"` // start of Content if it is cut, in code points
	Score         float64 `json:"score"`
}

const (
	passage       = 300  // code points shown around the best match
	beforeMatch   = 60   // code points of the passage before the match
	maxTextAnswer = 6000 // maximum size in bytes of an answer to an agent that sets no limit
)

func (t *toolset) searchText() rpc.Method {
	m := rpc.Method{
		Title:   "Search notes by words",
		Summary: "Search nodes by words, best first.",
		Doc: "Path, title, tags and content are looked at. Words count in whatever form, and nothing is found where little fits. " +
			"Those with the same score are by ID. `content` is up to 300 characters around the best match, which begin at `contentOffset`. " +
			"Without `limit`, an agent gets no more than 6,000 bytes: fewer links of each node, then fewer nodes.",
	}
	m.Tool.Budget = rpc.Budget{Bytes: maxTextAnswer, UnlessGiven: []string{"limit"}}
	return declareWith(t, "search_text", m, func(ctx context.Context, s *notes.Snapshot, p searchParams) (*list[scored], error) {
		if strings.TrimSpace(p.Query) == "" {
			return nil, invalid("query is blank: say what to look for")
		}
		matches, total := t.text.Search(s, p.Query, orDefault(p.Limit, 10), passage)
		found := newList[scored](t, s, total)
		for _, m := range matches {
			found.add(m.Note, t.newPassage(s, m))
		}
		if most := rpc.BudgetOf(ctx); most > 0 {
			fit(found, most)
		}
		return found, nil
	})
}

// newPassage returns a note with the passage around the match.
func (t *toolset) newPassage(s *notes.Snapshot, m notes.Match) scored {
	start := max(0, min(m.Start-beforeMatch, m.Length()-passage))
	result := scored{shownPart: t.newPart(s, m.Note, start, passage).shownPart, Score: m.Score}
	if result.cut() {
		result.ContentOffset = &start
	}
	return result
}

// fit drops links, and then all notes but the first, until the encoded list fits into the
// given number of bytes.
func fit(l *list[scored], most int) {
	for _, links := range []int{10, 3, 0} {
		if l.EncodeJSON().Len() <= most {
			return
		}
		for i := range l.shown {
			l.shown[i].keepLinks(links)
		}
	}
	for len(l.shown) > 1 && l.EncodeJSON().Len() > most {
		l.shown, l.notes = l.shown[:len(l.shown)-1], l.notes[:len(l.notes)-1]
	}
}
