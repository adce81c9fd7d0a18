package tools

import (
	"errors"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

type pathParams struct {
	Source string `json:"source"`
	Target string `json:"target"`
	// Direction is "out", "in" or "any".
	Direction string `json:"direction"`
}

// directions maps the direction param. The default is out.
var directions = map[string]notes.Direction{"": notes.Out, "out": notes.Out, "in": notes.In, "any": notes.Both}

type path struct {
	Path   []notes.ID `json:"path"`
	Length int        `json:"length"`
}

func (t *toolset) findPath() rpc.Method {
	return declare(t, "find_path", rpc.Method{
		Title:   "Find a path between notes",
		Summary: "Find shortest path between two nodes, along links as they point unless direction says otherwise.",
		Doc: "Links are followed as they point, with `direction` `in` against that, with `any` either way. Of several shortest paths it " +
			"is the one whose IDs come first. `null` if there is no path, or no such node.",
	}, func(s *notes.Snapshot, p pathParams) (*optional[path], error) {
		source, wrong := s.Find(p.Source)
		target, alsoWrong := s.Find(p.Target)
		if err := errors.Join(wrong, alsoWrong, s.CheckRead(p.Source), s.CheckRead(p.Target)); err != nil {
			return nil, err
		}
		switch {
		case source == nil:
			return &optional[path]{nearest: s.Nearest(p.Source)}, nil
		case target == nil:
			return &optional[path]{nearest: s.Nearest(p.Target)}, nil
		}
		way := s.Path(source, target, directions[p.Direction])
		if way == nil {
			return &optional[path]{}, nil
		}
		result := &path{Length: len(way) - 1}
		for _, n := range way {
			result.Path = append(result.Path, n.ID)
		}
		return &optional[path]{value: result}, nil
	})
}
