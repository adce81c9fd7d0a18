package v2

import (
	"context"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

type searchParams struct {
	pageParams
	ProjectID   string               `json:"projectId"`
	EntityType  entities.EntityType  `json:"entityType"`
	Status      entities.Status      `json:"status"`
	ConceptKind entities.ConceptKind `json:"conceptKind"`
	Search      string               `json:"search"`
}

func (t *toolset) searchEntities() rpc.Method {
	return entities.Declare(t.contract, "search_entities", rpc.Method{
		Title:   "Search entities",
		Summary: "Search and filter entities within a project.",
		Doc: "`search` is a part of the title or of the slug, whatever its case, and means itself: `%` and `_` are no wildcards. " +
			"Sorted by `createdAt`, then `id`, descending, whatever is filtered.",
	}, func(ctx context.Context, p searchParams) (page[entity], error) {
		id, err := entities.ParseID("projectId", p.ProjectID)
		if err != nil {
			return page[entity]{}, err
		}
		if err := entities.CheckText("search", p.Search); err != nil {
			return page[entity]{}, err
		}
		if p.ConceptKind != "" && p.EntityType != "" && p.EntityType != entities.Concept {
			return page[entity]{}, entities.BadParam("conceptKind", "is for concepts only: leave it out, or set entityType to concept")
		}
		return pageOf(func(e entities.Entity) entity { return newEntity(e.Overview) })(t.backend.Entities(ctx, id, entities.EntityFilter{
			EntityType: p.EntityType, Status: p.Status, ConceptKind: p.ConceptKind, Search: p.Search,
		}, p.request()))
	})
}
