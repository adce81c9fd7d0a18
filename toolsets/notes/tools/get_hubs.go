package tools

import (
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

type hubParams struct {
	Metric string       `json:"metric"`
	Limit  *rpc.Integer `json:"limit"`
}

type hub struct {
	ID    notes.ID `json:"id"`
	Title string   `json:"title"`
	Score float64  `json:"score"`
}

// metrics maps the metric param. Any other value yields in_degree, the zero value.
var metrics = map[string]notes.Metric{"out_degree": notes.OutDegree, "pagerank": notes.PageRank}

func (t *toolset) getHubs() rpc.Method {
	return declare(t, "get_hubs", rpc.Method{
		Title:   "List the most linked notes",
		Summary: "Get most central nodes by graph metric.",
		Doc: "`in_degree` is how many notes link to it, `out_degree` how many it links to, each counted once. `pagerank` is the share " +
			"of a reader's time who follows links at random. Those with the same score are by ID.",
	}, func(s *notes.Snapshot, p hubParams) (*list[hub], error) {
		all := s.Hubs(metrics[p.Metric])
		hubs := newList[hub](t, s, len(all))
		for _, h := range all[:min(len(all), orDefault(p.Limit, 10))] {
			hubs.shown = append(hubs.shown, hub{h.ID, h.Title(), h.Score})
		}
		return hubs, nil
	})
}
