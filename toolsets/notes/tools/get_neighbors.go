package tools

import (
	"cmp"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

type neighborParams struct {
	ID        string          `json:"id"`
	Direction notes.Direction `json:"direction"`
	Limit     *rpc.Integer    `json:"limit"`
}

func (t *toolset) getNeighbors() rpc.Method {
	return declare(t, "get_neighbors", rpc.Method{
		Title:   "Get a node's neighbors",
		Summary: "Get nodes linked to/from a node.",
		Doc: "Those that the node links to come first, then those that only link to it, each by ID. A note that links to itself " +
			"is its own neighbour. A node that does not exist has none.",
	}, func(s *notes.Snapshot, p neighborParams) (*list[node], error) {
		found := newList[node](t, s)
		n, err := s.Find(p.ID)
		if n == nil {
			return found, err
		}
		for _, beside := range s.Neighbors(n, cmp.Or(p.Direction, notes.Both), orDefault(p.Limit, 20)) {
			found.add(beside.Note, t.newNode(s, beside.Note, listContent))
		}
		return found, nil
	})
}
