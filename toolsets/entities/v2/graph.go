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

// relationships renders the relationships of a graph, each once, in the order of
// the contract.
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

// farEnd returns the function that tells which end of a relationship is farther
// from the root. Where both are one hop away, it is To.
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

// farEnds returns what is known of the entities at the far ends, nil for what is
// no entity of the project. For those that the backend leaves out it asks again:
// once for all that one entity relates to, by the graph of that entity, and for
// the others one by one. There are never more requests than ends left out, but
// for entities that go meanwhile.
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

// leftOut returns the far ends of which nothing is told, each once, by the near
// end of a relationship that leads there.
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

// each asks for something of each id, at most [entities.MaxRequests] at a time,
// and returns what there is.
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

// told returns what the backend's graph tells of the things in it. It tells of
// From, and of the other end where From is the root; that it tells nothing
// means that there is no such entity.
func told(g entities.Graph) map[entities.ID]*entities.Brief {
	briefs := map[entities.ID]*entities.Brief{}
	for _, r := range g.Relationships {
		shown := r.From
		if shown == g.Root.ID {
			shown = r.To
		}
		if r.Entity != nil {
			briefs[r.Entity.ID] = r.Entity
		} else if _, known := briefs[shown]; !known { // another relationship may tell more
			briefs[shown] = nil
		}
	}
	briefs[g.Root.ID] = &g.Root.Brief
	return briefs
}
