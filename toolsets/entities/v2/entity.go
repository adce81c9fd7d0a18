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

func newEntity(e entities.Entity) entity {
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
		LastVerifiedAt: text(e.LastVerifiedAt),
		CreatedAt:      e.CreatedAt.String(),
		UpdatedAt:      e.UpdatedAt.String(),
	}
}

// entityParams name an entity.
type entityParams struct {
	ProjectID string `json:"projectId"`
	EntityID  string `json:"entityId"`
}

func (p entityParams) ids() (project, entity entities.ID, err error) {
	if project, err = entities.ParseID("projectId", p.ProjectID); err != nil {
		return "", "", err
	}
	entity, err = entities.ParseID("entityId", p.EntityID)
	return project, entity, err
}

type single[T any] struct {
	Data T `json:"data"`
}

func (t *toolset) getEntity() rpc.Method {
	return declare(t, "get_entity", rpc.Method{
		Title:   "Get an entity",
		Summary: "Retrieve a single entity by ID with full details.",
		Doc:     "An entity of another project is `NOT_FOUND`, as is one that does not exist.",
	}, func(ctx context.Context, p entityParams) (single[entity], error) {
		project, id, err := p.ids()
		if err != nil {
			return single[entity]{}, err
		}
		e, err := t.backend.Entity(ctx, project, id)
		return single[entity]{newEntity(e)}, err
	})
}
