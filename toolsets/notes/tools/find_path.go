package tools

import (
	"errors"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

type pathParams struct {
	Source string `json:"source"`
	Target string `json:"target"`
}

type path struct {
	Path   []notes.ID `json:"path"`
	Length int        `json:"length"`
}

func (t *toolset) findPath() rpc.Method {
	return declare(t, "find_path", rpc.Method{
		Title:   "Find a path",
		Summary: "Find shortest path between two nodes.",
		Doc: "Links are followed as they point. Of several shortest paths it is the one whose IDs come first. `null` where there " +
			"is none, or no such node.",
	}, func(s *notes.Snapshot, p pathParams) (*path, error) {
		source, wrong := s.Find(p.Source)
		target, alsoWrong := s.Find(p.Target)
		if err := errors.Join(wrong, alsoWrong); err != nil || source == nil || target == nil {
			return nil, err
		}
		way := s.Path(source, target)
		if way == nil {
			return nil, nil
		}
		result := &path{Length: len(way) - 1}
		for _, n := range way {
			result.Path = append(result.Path, n.ID)
		}
		return result, nil
	})
}
