package tools

import (
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

type listTagsParams struct {
	Prefix string       `json:"prefix"`
	Limit  *rpc.Integer `json:"limit"`
}

type tagCount struct {
	Tag   string `json:"tag"`
	Count int    `json:"count"`
}

func (t *toolset) listTags() rpc.Method {
	return declare(t, "list_tags", rpc.Method{
		Title:   "List the tags of notes",
		Summary: "List tags with how many nodes have each, most used first.",
		Doc: "A node with the tag `a/b` counts for `a/b` and not for `a`. Spellings that differ by case are one tag. Those with the " +
			"same count are by name.",
	}, func(s *notes.Snapshot, p listTagsParams) (*list[tagCount], error) {
		all := s.Tags(p.Prefix)
		found := newList[tagCount](t, s, len(all))
		for _, c := range all[:min(len(all), orDefault(p.Limit, 100))] {
			found.shown = append(found.shown, tagCount(c))
		}
		return found, nil
	})
}
