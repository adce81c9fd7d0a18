package v1

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

// Maximum numbers of nodes and edges of a graph.
const (
	maxNodes = 100
	maxEdges = 200
)

type graphParams struct {
	entities.EntityParams
	Depth             *rpc.Integer            `json:"depth"`
	RelationshipTypes []entities.RelationType `json:"relationshipTypes"`
}

type graphResult struct {
	Nodes []node `json:"nodes"`
	Edges []edge `json:"edges"`
}

type node struct {
	ID         string `json:"id"`
	EntityType string `json:"entityType"`
	Title      string `json:"title"`
	Slug       string `json:"slug"`
	// Summary is nil if the backend did not return it, and points to nil if the entity
	// has no summary.
	Summary **string `json:"summary,omitzero"`
	Status  string   `json:"status"`
	Depth   int      `json:"depth"`
}

type edge struct {
	FromEntityID string  `json:"fromEntityId"`
	ToEntityID   string  `json:"toEntityId"`
	RelationType string  `json:"relationType"`
	Notes        *string `json:"notes"`
}

func (t *toolset) getEntityGraph() rpc.Method {
	return entities.Declare(t.contract, "get_entity_graph", rpc.Method{
		Title:   "Get an entity's graph",
		Summary: "Retrieve entity with connected relationships up to specified depth.",
		Doc: "Entities only: what leads to a source, a video or another project is left out, and nothing is reached through it. " +
			"At depth 1 the edges that touch the entity, at depth 2 also those that touch a node of depth 1. Nodes are sorted by " +
			"`depth`, `title` whatever its case, and `id`; edges by `fromEntityId`, `toEntityId`, `relationType` and `notes`. The first " +
			"100 nodes, the edges between them, and of those the first 200. `summary` is null where the entity has none, and absent only " +
			"where the backend did not tell it in time.",
	}, func(ctx context.Context, p graphParams) (graphResult, error) {
		project, id, err := p.IDs()
		if err != nil {
			return graphResult{}, err
		}
		if err := checkUnique("relationshipTypes", p.RelationshipTypes); err != nil {
			return graphResult{}, err
		}
		w := &walk{backend: t.backend, project: project, types: p.RelationshipTypes,
			nodes: map[entities.ID]*node{}, edges: map[entities.ID]entities.Relationship{}}
		if err := w.from(ctx, id); err != nil {
			return graphResult{}, err
		}
		if p.Depth != nil && *p.Depth == 2 {
			if err := w.further(ctx); err != nil {
				return graphResult{}, err
			}
		}
		result := w.result()
		w.summarize(ctx, result.Nodes)
		return result, nil
	})
}

// walk traverses the graph breadth first.
type walk struct {
	backend entities.Backend
	project entities.ID
	types   []entities.RelationType

	nodes map[entities.ID]*node
	edges map[entities.ID]entities.Relationship // by relationship id
}

// from starts the walk at the root.
func (w *walk) from(ctx context.Context, root entities.ID) error {
	g, err := w.backend.Graph(ctx, w.project, root, 1, w.types)
	if err != nil {
		return err
	}
	w.reach(g.Root.Brief, 0)
	w.take(g, 1)
	return nil
}

// further expands every node of depth 1 that will be in the result.
func (w *walk) further(ctx context.Context) error {
	near := w.sorted()
	near = near[1:min(len(near), maxNodes)]
	graphs := make([]entities.Graph, len(near))
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(entities.MaxRequests)
	for i, n := range near {
		reads.Go(func() (err error) {
			graphs[i], err = w.backend.Graph(ctx, w.project, entities.ID(n.ID), 1, w.types)
			if errors.Is(err, entities.ErrEntityNotFound) { // deleted meanwhile
				err = nil
			}
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return err
	}
	for _, g := range graphs {
		w.take(g, 2)
	}
	return nil
}

// take adds the entities related to the root of g, at the given depth, and the edges to
// them. An edge is skipped if g does not describe its other end, which is then not an
// entity of the project.
func (w *walk) take(g entities.Graph, depth int) {
	if n := w.nodes[g.Root.ID]; n != nil {
		n.Summary = &g.Root.Summary
	}
	for _, r := range g.Relationships {
		if r.From != r.To {
			if r.Entity == nil || r.Entity.ID == g.Root.ID {
				continue
			}
			w.reach(*r.Entity, depth)
		}
		w.edges[r.ID] = r.Relationship
	}
}

// reserve is the part of a call's time limit that is kept for sending the answer.
const reserve = 5 * time.Second

// summarize requests the summaries that no graph contained. A summary stays absent if
// the request fails or does not finish before the reserve.
func (w *walk) summarize(ctx context.Context, nodes []node) {
	if deadline, ok := ctx.Deadline(); ok {
		early, cancel := context.WithDeadline(ctx, deadline.Add(-reserve))
		defer cancel()
		ctx = early
	}
	var reads errgroup.Group
	reads.SetLimit(entities.MaxRequests)
	for i := range nodes {
		n := &nodes[i]
		if n.Summary != nil {
			continue
		}
		reads.Go(func() error {
			if e, err := w.backend.Entity(ctx, w.project, entities.ID(n.ID)); err == nil {
				n.Summary = &e.Summary
			}
			return nil
		})
	}
	_ = reads.Wait() // no read returns an error
}

// reach adds a node unless it was already reached.
func (w *walk) reach(b entities.Brief, depth int) {
	if w.nodes[b.ID] == nil {
		w.nodes[b.ID] = &node{
			ID: string(b.ID), EntityType: string(b.EntityType), Title: b.Title, Slug: b.Slug, Status: string(b.Status), Depth: depth,
		}
	}
}

// sorted returns the nodes in the order that the contract defines.
func (w *walk) sorted() []*node {
	return slices.SortedFunc(maps.Values(w.nodes), func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), compareText(a.Title, b.Title), cmp.Compare(a.ID, b.ID))
	})
}

// result sorts the nodes and edges and then truncates them.
func (w *walk) result() graphResult {
	result := graphResult{Nodes: []node{}, Edges: []edge{}}
	kept := map[entities.ID]bool{}
	nodes := w.sorted()
	for _, n := range nodes[:min(len(nodes), maxNodes)] {
		result.Nodes = append(result.Nodes, *n)
		kept[entities.ID(n.ID)] = true
	}
	edges := slices.SortedFunc(maps.Values(w.edges), compareEdges)
	for _, r := range edges {
		if kept[r.From] && kept[r.To] && len(result.Edges) < maxEdges {
			result.Edges = append(result.Edges, edge{string(r.From), string(r.To), string(r.RelationType), r.Notes})
		}
	}
	return result
}

// compareEdges compares edges in the order that the contract defines. Among otherwise
// equal edges, one without notes comes first.
func compareEdges(a, b entities.Relationship) int {
	notes := func(r entities.Relationship) string {
		if r.Notes == nil {
			return ""
		}
		return *r.Notes
	}
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.RelationType, b.RelationType),
		cmp.Compare(notes(a), notes(b)), cmp.Compare(a.ID, b.ID))
}
