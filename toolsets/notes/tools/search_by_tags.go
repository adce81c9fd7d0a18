package tools

import (
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

type tagParams struct {
	Tags  []string     `json:"tags"`
	Mode  string       `json:"mode"`
	Limit *rpc.Integer `json:"limit"`
}

func (t *toolset) searchByTags() rpc.Method {
	return declare(t, "search_by_tags", rpc.Method{
		Title:   "Search notes by tags",
		Summary: "Filter nodes by tags.",
		Doc:     "Tags match whole, whatever their case; `a` also finds `a/b`. Results are by ID.",
	}, func(s *notes.Snapshot, p tagParams) (*list[node], error) {
		tagged := s.Tagged(p.Tags, p.Mode == "all")
		found := newList[node](t, s, len(tagged))
		for _, n := range tagged[:min(len(tagged), orDefault(p.Limit, 20))] {
			found.add(n, t.newNode(s, n, listContent))
		}
		return found, nil
	})
}
