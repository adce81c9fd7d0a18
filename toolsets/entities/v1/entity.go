package v1

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

// checkUnique rejects a list with a duplicate element.
func checkUnique[T ~string](param string, list []T) error {
	for i, element := range list {
		if slices.Contains(list[:i], element) {
			return entities.BadParam(param, "must not have %s twice", element)
		}
	}
	return nil
}

type entityResult struct {
	Entity entity `json:"entity"`
}

type entity struct {
	ID                 string                `json:"id"`
	EntityType         string                `json:"entityType"`
	Title              string                `json:"title"`
	Slug               string                `json:"slug"`
	Summary            *string               `json:"summary"`
	Difficulty         *entities.Difficulty  `json:"difficulty"`
	ConceptKind        *entities.ConceptKind `json:"conceptKind"`
	ComparisonTargets  *[]entities.ID        `json:"comparisonTargets,omitzero"` // optional in the contract, but not nullable
	RepoURL            *string               `json:"repoUrl"`
	RepoDefaultBranch  *string               `json:"repoDefaultBranch"`
	License            *string               `json:"license"`
	Status             string                `json:"status"`
	CanonicalURL       *string               `json:"canonicalUrl"`
	ContentRef         *string               `json:"contentRef"`
	PublishedAt        *string               `json:"publishedAt"`
	ArchivedAt         *string               `json:"archivedAt"`
	CreatedAt          string                `json:"createdAt"`
	UpdatedAt          string                `json:"updatedAt"`
	RelationshipCounts relationshipCounts    `json:"relationshipCounts"`
}

type relationshipCounts struct {
	Outgoing int `json:"outgoing"`
	Incoming int `json:"incoming"`
}

func newEntity(e entities.Entity, counts relationshipCounts) entity {
	return entity{
		ID:                 string(e.ID),
		EntityType:         string(e.EntityType),
		Title:              e.Title,
		Slug:               e.Slug,
		Summary:            e.Summary,
		Difficulty:         e.Difficulty,
		ConceptKind:        e.ConceptKind,
		ComparisonTargets:  e.ComparisonTargets,
		RepoURL:            e.RepoURL,
		RepoDefaultBranch:  e.RepoDefaultBranch,
		License:            e.License,
		Status:             string(e.Status),
		CanonicalURL:       e.CanonicalURL,
		ContentRef:         e.ContentRef,
		PublishedAt:        e.PublishedAt.Text(),
		ArchivedAt:         e.ArchivedAt.Text(),
		CreatedAt:          e.CreatedAt.String(),
		UpdatedAt:          e.UpdatedAt.String(),
		RelationshipCounts: counts,
	}
}

func (t *toolset) getEntity() rpc.Method {
	return entities.Declare(t.contract, "get_entity", rpc.Method{
		Title:   "Get an entity",
		Summary: "Retrieve complete details for a specific entity within a project.",
		Doc: "An entity of another project is `ENTITY_NOT_FOUND`, as is one that does not exist. `relationshipCounts` counts " +
			"relationships with sources, videos and the like, too.",
	}, func(ctx context.Context, p entities.EntityParams) (entityResult, error) {
		project, id, err := p.IDs()
		if err != nil {
			return entityResult{}, err
		}
		return t.readEntity(ctx, project, id)
	})
}

// readEntity requests the entity and both counts concurrently, because each request may
// take most of the time limit. An error of the entity request takes precedence over an
// error of the counts.
func (t *toolset) readEntity(ctx context.Context, project, id entities.ID) (entityResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		reads     errgroup.Group
		e         entities.Entity
		entityErr error
		counts    relationshipCounts
	)
	reads.Go(func() error {
		if e, entityErr = t.backend.Entity(ctx, project, id); entityErr != nil {
			cancel()
		}
		return nil
	})
	reads.Go(func() (err error) {
		counts.Outgoing, err = t.backend.CountRelationships(ctx, project, id, entities.Outgoing)
		return err
	})
	reads.Go(func() (err error) {
		counts.Incoming, err = t.backend.CountRelationships(ctx, project, id, entities.Incoming)
		return err
	})
	err := reads.Wait()
	return entityResult{newEntity(e, counts)}, cmp.Or(entityErr, err)
}
