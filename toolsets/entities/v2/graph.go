package v2

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

type graphParams struct {
	entities.EntityParams
	Depth             *rpc.Integer `json:"depth"`
	RelationshipTypes string       `json:"relationshipTypes"`
}

type graph struct {
	RootEntity    entity         `json:"rootEntity"`
	Relationships []relationship `json:"relationships"`
	Depth         int            `json:"depth"`
}

type relationship struct {
	ID            string   `json:"id"`
	RelationType  string   `json:"relationType"`
	FromEntityID  string   `json:"fromEntityId"`
	ToEntityID    string   `json:"toEntityId"`
	Notes         *string  `json:"notes"`
	CreatedAt     string   `json:"createdAt"`
	RelatedEntity *related `json:"relatedEntity"`
}

type related struct {
	ID         string `json:"id"`
	EntityType string `json:"entityType"`
	Title      string `json:"title"`
	Slug       string `json:"slug"`
	Status     string `json:"status"`
}

func newRelated(b *entities.Brief) *related {
	if b == nil {
		return nil
	}
	return &related{string(b.ID), string(b.EntityType), b.Title, b.Slug, string(b.Status)}
}

func (t *toolset) getEntityGraph() rpc.Method {
	return entities.Declare(t.contract, "get_entity_graph", rpc.Method{
		Title:   "Get an entity's graph",
		Summary: "Retrieve an entity with its relationship graph up to a specified depth.",
		Doc: "At depth 1 the relationships that have the entity at either end, at depth 2 also those of what they lead to. " +
			"Sorted by `createdAt`, then `id`, descending. `relatedEntity` is the end that is farther from the root, " +
			"`null` where that is no entity of the project.",
	}, func(ctx context.Context, p graphParams) (single[graph], error) {
		project, id, err := p.IDs()
		if err != nil {
			return single[graph]{}, err
		}
		types, err := relationTypes("relationshipTypes", p.RelationshipTypes)
		if err != nil {
			return single[graph]{}, err
		}
		depth := 1
		if p.Depth != nil {
			depth = int(*p.Depth)
		}
		g, err := t.backend.Graph(ctx, project, id, depth, types)
		if err != nil {
			return single[graph]{}, err
		}
		relationships, err := t.relationships(ctx, project, g, types)
		return single[graph]{graph{newEntity(g.Root), relationships, depth}}, err
	})
}

// relationships converts the relationships of a graph, without duplicates, in the order
// that the contract defines.
func (t *toolset) relationships(ctx context.Context, project entities.ID, g entities.Graph, types []entities.RelationType) ([]relationship, error) {
	briefs, err := t.farEnds(ctx, project, g, types)
	if err != nil {
		return nil, err
	}
	rows := slices.SortedFunc(slices.Values(g.Relationships), func(a, b entities.Related) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	rows = slices.CompactFunc(rows, func(a, b entities.Related) bool { return a.ID == b.ID })
	far := farEnd(g)
	rendered := make([]relationship, len(rows))
	for i, r := range rows {
		rendered[i] = relationship{
			ID:            string(r.ID),
			RelationType:  string(r.RelationType),
			FromEntityID:  string(r.From),
			ToEntityID:    string(r.To),
			Notes:         r.Notes,
			CreatedAt:     r.CreatedAt.String(),
			RelatedEntity: newRelated(briefs[far(r)]),
		}
	}
	return rendered, nil
}

// farEnd returns a function that returns the end of a relationship that is farther from
// the root. If both ends are one hop away, it returns To.
func farEnd(g entities.Graph) func(entities.Related) entities.ID {
	near := map[entities.ID]bool{}
	for _, r := range g.Relationships {
		if r.From == g.Root.ID || r.To == g.Root.ID {
			near[r.From], near[r.To] = true, true
		}
	}
	return func(r entities.Related) entities.ID {
		if r.From == g.Root.ID || r.To != g.Root.ID && near[r.From] {
			return r.To
		}
		return r.From
	}
}

// farEnds returns the entities at the far ends of the relationships, with nil for ends
// that are not entities of the project. It requests the ends that the graph omits. If
// several of them are related to the same entity, one request for the graph of that
// entity covers them; the others are requested one by one. There are at most as many
// requests as omitted ends, unless entities are deleted meanwhile.
func (t *toolset) farEnds(ctx context.Context, project entities.ID, g entities.Graph, types []entities.RelationType) (map[entities.ID]*entities.Brief, error) {
	briefs := told(g)
	var crossings []entities.ID
	for near, ends := range leftOut(g, briefs) {
		if len(ends) > 1 && briefs[near] != nil {
			crossings = append(crossings, near)
		}
	}
	graphs, err := each(ctx, crossings, func(ctx context.Context, id entities.ID) (entities.Graph, error) {
		return t.backend.Graph(ctx, project, id, 1, types)
	})
	if err != nil {
		return nil, err
	}
	for _, around := range graphs {
		for id, brief := range told(around) {
			if _, known := briefs[id]; !known {
				briefs[id] = brief
			}
		}
	}
	others := slices.Concat(slices.Collect(maps.Values(leftOut(g, briefs)))...)
	fetched, err := each(ctx, others, func(ctx context.Context, id entities.ID) (entities.Entity, error) {
		return t.backend.Entity(ctx, project, id)
	})
	for _, e := range fetched {
		briefs[e.ID] = &e.Brief
	}
	return briefs, err
}

// leftOut returns the far ends that are not in briefs, without duplicates, grouped by
// the near end of a relationship to them.
func leftOut(g entities.Graph, briefs map[entities.ID]*entities.Brief) map[entities.ID][]entities.ID {
	far := farEnd(g)
	ends, seen := map[entities.ID][]entities.ID{}, map[entities.ID]bool{}
	for _, r := range g.Relationships {
		end, near := far(r), r.From
		if end == near {
			near = r.To
		}
		if _, known := briefs[end]; !known && !seen[end] {
			seen[end] = true
			ends[near] = append(ends[near], end)
		}
	}
	return ends
}

// each calls ask for each id, at most [entities.MaxRequests] concurrently. It returns
// the answers and skips ids that are not found.
func each[T any](ctx context.Context, ids []entities.ID, ask func(context.Context, entities.ID) (T, error)) (answers []T, err error) {
	var mu sync.Mutex
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(entities.MaxRequests)
	for _, id := range slices.Sorted(slices.Values(ids)) {
		reads.Go(func() error {
			answer, err := ask(ctx, id)
			if errors.Is(err, entities.ErrEntityNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, answer)
			return nil
		})
	}
	err = reads.Wait()
	return answers, err
}

// told returns the entities that the backend's graph describes. The backend describes
// From, or the other end if From is the root. If it omits that description, there is no
// such entity and the value is nil.
func told(g entities.Graph) map[entities.ID]*entities.Brief {
	briefs := map[entities.ID]*entities.Brief{}
	for _, r := range g.Relationships {
		shown := r.From
		if shown == g.Root.ID {
			shown = r.To
		}
		if r.Entity != nil {
			briefs[r.Entity.ID] = r.Entity
		} else if _, known := briefs[shown]; !known { // another relationship may describe it
			briefs[shown] = nil
		}
	}
	briefs[g.Root.ID] = &g.Root.Brief
	return briefs
}
