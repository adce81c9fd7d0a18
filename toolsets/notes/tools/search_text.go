package tools

import (
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

type searchParams struct {
	Query string       `json:"query"`
	Limit *rpc.Integer `json:"limit"`
}

// scored is a node that was found.
type scored struct {
	node
	Score float64 `json:"score"`
}

func (t *toolset) searchText() rpc.Method {
	return declare(t, "search_text", rpc.Method{
		Title:   "Search text",
		Summary: "Search nodes by words, best first.",
		Doc: "Path, title, tags and content are looked at. Words count in whatever form, and nothing is found where little fits. " +
			"Those with the same score are by ID.",
	}, func(s *notes.Snapshot, p searchParams) (*list[scored], error) {
		if strings.TrimSpace(p.Query) == "" {
			return nil, invalid("query is blank: say what to look for")
		}
		found := newList[scored](t, s)
		for _, m := range t.text.Search(s, p.Query, orDefault(p.Limit, 10)) {
			found.add(m.Note, scored{t.newNode(s, m.Note, listContent), m.Score})
		}
		return found, nil
	})
}
