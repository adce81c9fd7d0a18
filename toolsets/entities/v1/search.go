package v1

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

type searchParams struct {
	ProjectID   string                `json:"projectId"`
	Query       string                `json:"query"`
	EntityTypes []entities.EntityType `json:"entityTypes"`
	Limit       *rpc.Integer          `json:"limit"`
}

type searchResult struct {
	Entities   []hit `json:"entities"`
	TotalCount int   `json:"totalCount"`
}

type hit struct {
	ID         string  `json:"id"`
	EntityType string  `json:"entityType"`
	Title      string  `json:"title"`
	Slug       string  `json:"slug"`
	Summary    *string `json:"summary"`
	Status     string  `json:"status"`
	CreatedAt  string  `json:"createdAt"`
	UpdatedAt  string  `json:"updatedAt"`
}

func (t *toolset) searchEntities() rpc.Method {
	return entities.Declare(t.contract, "search_entities", rpc.Method{
		Title:   "Search entities",
		Summary: "Search entities within a specific project using text matching.",
		Doc: "`query` is a part of the title or of the slug, whatever its case, and means itself: `%` and `_` are no wildcards. " +
			"Sorted by `updatedAt` descending, then `id` ascending. `totalCount` counts all matches; more than 10,000 are a `VALIDATION_ERROR`.",
	}, func(ctx context.Context, p searchParams) (searchResult, error) {
		project, err := entities.ParseID("projectId", p.ProjectID)
		if err != nil {
			return searchResult{}, err
		}
		if err := entities.CheckText("query", p.Query); err != nil {
			return searchResult{}, err
		}
		if err := checkUnique("entityTypes", p.EntityTypes); err != nil {
			return searchResult{}, err
		}
		matches, err := t.matches(ctx, project, p)
		if errors.Is(err, errTooMany) {
			err = entities.BadParam("query", "matches more than 10,000 entities: give a longer query, or fewer types")
		}
		if err != nil {
			return searchResult{}, err
		}
		limit := 20
		if p.Limit != nil {
			limit = int(*p.Limit)
		}
		return newSearchResult(matches, limit), nil
	})
}

// matches returns all entities that match the search. The backend can filter by only one
// type, so matches reads one list per type, concurrently.
func (t *toolset) matches(ctx context.Context, project entities.ID, p searchParams) ([]entities.Entity, error) {
	types := p.EntityTypes
	if len(types) == 0 {
		types = []entities.EntityType{""}
	}
	found := make([][]entities.Entity, len(types))
	reads, ctx := errgroup.WithContext(ctx)
	for i, entityType := range types {
		filter := entities.EntityFilter{EntityType: entityType, Search: p.Query}
		reads.Go(func() (err error) {
			found[i], err = collect(ctx, entities.MaxRequests/len(types), func(e entities.Entity) entities.ID { return e.ID },
				func(ctx context.Context, r entities.PageRequest) (entities.Page[entities.Entity], error) {
					return t.backend.Entities(ctx, project, filter, r)
				})
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	if len(all) > maxRows {
		return nil, errTooMany
	}
	return all, nil
}

func newSearchResult(matches []entities.Entity, limit int) searchResult {
	slices.SortFunc(matches, func(a, b entities.Entity) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(a.ID, b.ID))
	})
	result := searchResult{[]hit{}, len(matches)}
	for _, e := range matches[:min(len(matches), limit)] {
		result.Entities = append(result.Entities, hit{
			ID:         string(e.ID),
			EntityType: string(e.EntityType),
			Title:      e.Title,
			Slug:       e.Slug,
			Summary:    e.Summary,
			Status:     string(e.Status),
			CreatedAt:  e.CreatedAt.String(),
			UpdatedAt:  e.UpdatedAt.String(),
		})
	}
	return result
}
