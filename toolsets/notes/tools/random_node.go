package tools

import (
	"math/rand/v2"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

type randomParams struct {
	Tags []string `json:"tags"`
}

func (t *toolset) randomNode() rpc.Method {
	return declare(t, "random_node", rpc.Method{
		Title:   "Read a random note",
		Summary: "Get random node for discovery.",
		Doc:     "Tags match whole, whatever their case; an empty list is no filter. `null` where no node matches.",
	}, func(s *notes.Snapshot, p randomParams) (*singleNode, error) {
		among := s.Notes()
		if len(p.Tags) > 0 {
			among = s.Tagged(p.Tags, false)
		}
		if len(among) == 0 {
			return nil, nil
		}
		n := t.newSingleNode(s, among[rand.IntN(len(among))])
		return &n, nil
	})
}
