package v2

import (
	"context"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

type entity struct {
	ID             string                `json:"id"`
	ProjectID      string                `json:"projectId"`
	EntityType     string                `json:"entityType"`
	Title          string                `json:"title"`
	Slug           string                `json:"slug"`
	Summary        *string               `json:"summary"`
	Difficulty     *entities.Difficulty  `json:"difficulty"`
	ConceptKind    *entities.ConceptKind `json:"conceptKind"`
	RepoURL        *string               `json:"repoUrl"`
	Status         string                `json:"status"`
	CanonicalURL   *string               `json:"canonicalUrl"`
	LastVerifiedAt *string               `json:"lastVerifiedAt"`
	CreatedAt      string                `json:"createdAt"`
	UpdatedAt      string                `json:"updatedAt"`
}

func newEntity(e entities.Overview) entity {
	return entity{
		ID:             string(e.ID),
		ProjectID:      string(e.ProjectID),
		EntityType:     string(e.EntityType),
		Title:          e.Title,
		Slug:           e.Slug,
		Summary:        e.Summary,
		Difficulty:     e.Difficulty,
		ConceptKind:    e.ConceptKind,
		RepoURL:        e.RepoURL,
		Status:         string(e.Status),
		CanonicalURL:   e.CanonicalURL,
		LastVerifiedAt: e.LastVerifiedAt.Text(),
		CreatedAt:      e.CreatedAt.String(),
		UpdatedAt:      e.UpdatedAt.String(),
	}
}

type single[T any] struct {
	Data T `json:"data"`
}

func (t *toolset) getEntity() rpc.Method {
	return entities.Declare(t.contract, "get_entity", rpc.Method{
		Title:   "Get an entity",
		Summary: "Retrieve a single entity by ID with full details.",
		Doc:     "An entity of another project is `NOT_FOUND`, as is one that does not exist.",
	}, func(ctx context.Context, p entities.EntityParams) (single[entity], error) {
		project, id, err := p.IDs()
		if err != nil {
			return single[entity]{}, err
		}
		e, err := t.backend.Entity(ctx, project, id)
		return single[entity]{newEntity(e.Overview)}, err
	})
}
