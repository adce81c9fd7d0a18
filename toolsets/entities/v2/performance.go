package v2

import (
	"context"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

type performanceParams struct {
	pageParams
	ProjectID string  `json:"projectId"`
	Query     string  `json:"query"`
	PageURL   string  `json:"pageUrl"`
	EntityID  *string `json:"entityId"`
	DateStart *string `json:"dateStart"`
	DateEnd   *string `json:"dateEnd"`
}

// filter validates the params and converts them to a filter.
func (p performanceParams) filter() (project entities.ID, f entities.PerformanceFilter, err error) {
	f = entities.PerformanceFilter{Query: p.Query, PageURL: p.PageURL, DateStart: value(p.DateStart), DateEnd: value(p.DateEnd)}
	if project, err = entities.ParseID("projectId", p.ProjectID); err != nil {
		return project, f, err
	}
	if f.EntityID, err = optionalID("entityId", p.EntityID); err != nil {
		return project, f, err
	}
	if err = entities.CheckText("query", p.Query); err != nil {
		return project, f, err
	}
	if err = entities.CheckText("pageUrl", p.PageURL); err != nil {
		return project, f, err
	}
	if err = entities.CheckTexts("query", p.Query, "pageUrl", p.PageURL); err != nil {
		return project, f, err
	}
	start, err := date("dateStart", p.DateStart)
	if err != nil {
		return project, f, err
	}
	end, err := date("dateEnd", p.DateEnd)
	if err == nil && p.DateStart != nil && p.DateEnd != nil && start.After(end) {
		err = entities.BadParam("dateStart", "must not be after dateEnd")
	}
	return project, f, err
}

type performance struct {
	ID          string  `json:"id"`
	ProjectID   string  `json:"projectId"`
	EntityID    *string `json:"entityId"`
	PageURL     string  `json:"pageUrl"`
	Query       string  `json:"query"`
	Impressions int64   `json:"impressions"`
	Clicks      int64   `json:"clicks"`
	CTR         float64 `json:"ctr"`
	AvgPosition float64 `json:"avgPosition"`
	DateStart   string  `json:"dateStart"`
	DateEnd     string  `json:"dateEnd"`
	CapturedAt  string  `json:"capturedAt"`
}

func newPerformance(p entities.SearchPerformance) performance {
	return performance{
		ID:          string(p.ID),
		ProjectID:   string(p.ProjectID),
		EntityID:    (*string)(p.EntityID),
		PageURL:     p.PageURL,
		Query:       p.Query,
		Impressions: p.Impressions,
		Clicks:      p.Clicks,
		CTR:         p.CTR,
		AvgPosition: p.AvgPosition,
		DateStart:   p.DateStart.String(),
		DateEnd:     p.DateEnd.String(),
		CapturedAt:  p.CapturedAt.String(),
	}
}

func (t *toolset) listSearchPerformance() rpc.Method {
	return entities.Declare(t.contract, "list_search_performance", rpc.Method{
		Title:   "List search performance",
		Summary: "List Google Search Console performance records for a project.",
		Doc: "Records whose span of days begins at `dateStart` or later and ends at `dateEnd` or earlier. Sorted by `dateStart` " +
			"and `dateEnd` descending, then `query` and `pageUrl` ascending, then `id` descending. Figures come about three days late.",
	}, func(ctx context.Context, p performanceParams) (page[performance], error) {
		project, f, err := p.filter()
		if err != nil {
			return page[performance]{}, err
		}
		return pageOf(newPerformance)(t.backend.SearchPerformance(ctx, project, f, p.request()))
	})
}
