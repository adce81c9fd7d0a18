package tools

import (
	"cmp"
	"math"

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
		Title:   "List the notes beside a note",
		Summary: "Get nodes linked to/from a node.",
		Doc: "Those that the node links to come first, then those that only link to it, each by ID. A note that links to itself " +
			"is its own neighbour. `direction` says which way links go. An ID that names no node is tried as a wikilink. A node that does " +
			"not exist has no neighbours.",
	}, func(s *notes.Snapshot, p neighborParams) (*list[neighbor], error) {
		n, err := findOrNamed(s, p.ID)
		if n == nil {
			none := newList[neighbor](t, s, 0)
			if err == nil {
				none.nearest = s.Nearest(p.ID)
			}
			return none, err
		}
		all := s.Neighbors(n, cmp.Or(p.Direction, notes.Both), math.MaxInt)
		found := newList[neighbor](t, s, len(all))
		for _, beside := range all[:min(len(all), orDefault(p.Limit, 20))] {
			found.add(beside.Note, neighbor{t.newNode(s, beside.Note, listContent), beside.Direction})
		}
		return found, nil
	})
}

// findOrNamed returns the note with the given id, or else the note that a wikilink with
// that text refers to. It returns nil if there is neither, and an error if a file with
// the id cannot be read.
func findOrNamed(s *notes.Snapshot, id string) (*notes.Note, error) {
	n, err := s.Find(id)
	if n == nil && err == nil {
		err = s.CheckRead(id)
	}
	if n == nil && err == nil {
		n = s.Named(id)
	}
	return n, err
}
