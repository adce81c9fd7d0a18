package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"instruction-catalog/toolsets/entities"
)

// errNotFound is a 404 from the backend. For a list it means that the project does not
// exist, otherwise that the entity does not.
var errNotFound = errors.New("the backend finds nothing there")

// Projects implements [entities.Backend].
func (c *Client) Projects(ctx context.Context, p entities.PageRequest) (entities.Page[entities.ProjectInfo], error) {
	r := request{path: []string{"api", "projects"}, query: url.Values{}}
	return list(ctx, c, r, p, func(entities.ProjectInfo) bool { return true })
}

// Entities implements [entities.Backend].
func (c *Client) Entities(ctx context.Context, project entities.ID, f entities.EntityFilter, p entities.PageRequest) (entities.Page[entities.Entity], error) {
	r := request{project: project, path: []string{"api", "entities"}, query: url.Values{}}
	r.filter("entityType", string(f.EntityType))
	r.filter("status", string(f.Status))
	r.filter("conceptKind", string(f.ConceptKind))
	r.filter("search", literal(f.Search))
	return list(ctx, c, r, p, func(e entities.Entity) bool {
		return e.ProjectID == project && fits(f.EntityType, e.EntityType) && fits(f.Status, e.Status) &&
			(f.ConceptKind == "" || e.ConceptKind != nil && *e.ConceptKind == f.ConceptKind)
	})
}

// Entity implements [entities.Backend].
func (c *Client) Entity(ctx context.Context, project, id entities.ID) (entities.Entity, error) {
	if !id.Askable() {
		return entities.Entity{}, entities.ErrEntityNotFound
	}
	e, err := one[entities.Entity](ctx, c, request{project: project, path: []string{"api", "entities", string(id)}})
	if err == nil && (e.ID != id || e.ProjectID != project) {
		err = errors.New("the backend answers with another entity than was asked for")
	}
	return e, err
}

// Graph implements [entities.Backend].
func (c *Client) Graph(ctx context.Context, project, id entities.ID, depth int, types []entities.RelationType) (entities.Graph, error) {
	if !id.Askable() {
		return entities.Graph{}, entities.ErrEntityNotFound
	}
	r := request{project: project, path: []string{"api", "entities", string(id), "graph"}, query: url.Values{}}
	r.filter("depth", strconv.Itoa(depth))
	r.filter("relationshipTypes", commas(types))
	g, err := one[entities.Graph](ctx, c, r)
	switch {
	case err != nil:
		return g, err
	case g.Root.ID != id || g.Root.ProjectID != project:
		return g, errors.New("the backend answers with the graph of another entity than was asked for")
	case slices.ContainsFunc(g.Relationships, misplaced):
		return g, errors.New("the backend's graph has a relationship with an entity that is at neither end")
	case !touches(g, depth):
		return g, errors.New("the backend's graph has a relationship that is not connected with its root")
	case len(types) > 0 && slices.ContainsFunc(g.Relationships, func(r entities.Related) bool { return !slices.Contains(types, r.RelationType) }):
		return g, errors.New("the backend's graph has a relationship of a type that was not asked for")
	}
	return g, nil
}

// misplaced reports whether the entity of a relationship is at neither of its ends.
func misplaced(r entities.Related) bool {
	return r.Entity != nil && r.Entity.ID != r.From && r.Entity.ID != r.To
}

// touches reports whether every relationship has an end at the root or, at depth 2, at
// something related to the root.
func touches(g entities.Graph, depth int) bool {
	near := map[entities.ID]bool{g.Root.ID: true}
	for _, r := range g.Relationships {
		if depth == 2 && (r.From == g.Root.ID || r.To == g.Root.ID) {
			near[r.From], near[r.To] = true, true
		}
	}
	return !slices.ContainsFunc(g.Relationships, func(r entities.Related) bool { return !near[r.From] && !near[r.To] })
}

// CountRelationships implements [entities.Backend].
func (c *Client) CountRelationships(ctx context.Context, project, id entities.ID, d entities.Direction) (int, error) {
	r := request{project: project, path: []string{"api", "relationships"}, query: url.Values{}}
	end := func(o ownedRelationship) entities.ID { return o.From }
	if d == entities.Outgoing {
		r.filter("fromEntityId", string(id))
	} else {
		r.filter("toEntityId", string(id))
		end = func(o ownedRelationship) entities.ID { return o.To }
	}
	page, err := list(ctx, c, r, entities.PageRequest{Page: 1, Limit: 1}, func(o ownedRelationship) bool {
		return o.ProjectID == project && end(o) == id
	})
	return page.Total, err
}

// ownedRelationship is a relationship as the backend lists it.
type ownedRelationship struct {
	entities.Relationship
	ProjectID entities.ID `json:"projectId"`
}

// SearchPerformance implements [entities.Backend].
func (c *Client) SearchPerformance(ctx context.Context, project entities.ID, f entities.PerformanceFilter, p entities.PageRequest) (entities.Page[entities.SearchPerformance], error) {
	r := request{project: project, path: []string{"api", "seo", "search-performance"}, query: url.Values{}}
	r.filter("query", literal(f.Query))
	r.filter("pageUrl", literal(f.PageURL))
	r.filter("entityId", string(f.EntityID))
	r.filter("dateStart", f.DateStart)
	r.filter("dateEnd", f.DateEnd)
	page, err := list(ctx, c, r, p, func(s entities.SearchPerformance) bool {
		return s.ProjectID == project && (f.EntityID == "" || s.EntityID != nil && *s.EntityID == f.EntityID)
	})
	if err == nil && slices.ContainsFunc(page.Rows, impossible) {
		err = errors.New("the answer has a record with impossible figures")
	}
	return page, err
}

func impossible(p entities.SearchPerformance) bool {
	return p.Impressions < 0 || p.Clicks < 0 || p.CTR < 0 || p.CTR > 1 || p.AvgPosition <= 0
}

// QuotableBlocks implements [entities.Backend].
func (c *Client) QuotableBlocks(ctx context.Context, project entities.ID, f entities.BlockFilter, p entities.PageRequest) (entities.Page[entities.QuotableBlock], error) {
	r := request{project: project, path: []string{"api", "quotable-blocks"}, query: url.Values{}}
	r.filter("entityId", string(f.EntityID))
	r.filter("claimType", string(f.ClaimType))
	r.filter("topicTag", literal(f.TopicTag))
	r.filter("verifiedUntilBefore", f.VerifiedUntilBefore)
	r.filter("verifiedUntilAfter", f.VerifiedUntilAfter)
	return list(ctx, c, r, p, func(b entities.QuotableBlock) bool {
		return b.ProjectID == project && fits(f.EntityID, b.EntityID) && fits(f.ClaimType, b.ClaimType)
	})
}

// filter adds a filter to the query, unless value is empty.
func (r *request) filter(name, value string) {
	if value != "" {
		r.query.Set(name, value)
	}
}

// fits reports whether got matches asked. An empty asked matches everything.
func fits[T ~string](asked, got T) bool { return asked == "" || asked == got }

// literal escapes the wildcards in text, because the backend matches with ILIKE.
func literal(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}

func commas(types []entities.RelationType) string {
	var b strings.Builder
	for i, t := range types {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(string(t))
	}
	return b.String()
}

// one requests a single object, which the backend sends as "data".
func one[T any](ctx context.Context, c *Client, r request) (result T, err error) {
	err = c.get(ctx, r, func(body io.Reader) error {
		answer, err := decode[struct {
			Data T `json:"data"`
		}](body)
		result = answer.Data
		return err
	})
	if errors.Is(err, errNotFound) {
		err = entities.ErrEntityNotFound
	}
	return result, err
}

// list requests a page of rows. It fails if asked returns false for a row.
func list[T any](ctx context.Context, c *Client, r request, p entities.PageRequest, asked func(T) bool) (page entities.Page[T], err error) {
	r.query.Set("page", strconv.Itoa(p.Page))
	r.query.Set("limit", strconv.Itoa(p.Limit))
	err = c.get(ctx, r, func(body io.Reader) error {
		answer, err := decode[listAnswer[T]](body)
		if err != nil {
			return err
		}
		page = entities.Page[T]{PageRequest: p, Rows: answer.Data, Total: answer.Pagination.Total}
		if err := answer.check(p); err != nil {
			return err
		}
		for _, row := range page.Rows {
			if !asked(row) {
				return errors.New("the answer has a row of another project, or one that was not asked for")
			}
		}
		return nil
	})
	if errors.Is(err, errNotFound) && r.project != "" {
		err = entities.ErrProjectNotFound
	}
	return page, err
}

type listAnswer[T any] struct {
	Data       []T `json:"data"`
	Pagination struct {
		Page    int  `json:"page"`
		Limit   int  `json:"limit"`
		Total   int  `json:"total"`
		HasMore bool `json:"hasMore"`
	} `json:"pagination"`
}

// check compares the page with the requested one.
func (a listAnswer[T]) check(p entities.PageRequest) error {
	got := a.Pagination
	if got.Page != p.Page || got.Limit != p.Limit || len(a.Data) > p.Limit || got.Total < 0 {
		return fmt.Errorf("the backend answers with page %d of %d rows, limit %d, total %d: asked for was page %d, limit %d",
			got.Page, len(a.Data), got.Limit, got.Total, p.Page, p.Limit)
	}
	within := p.Page <= entities.Page[T]{PageRequest: p, Total: got.Total}.Pages()
	if within && len(a.Data) == 0 || len(a.Data) > got.Total {
		return fmt.Errorf("the backend answers with %d rows on page %d, and with %d in all", len(a.Data), p.Page, got.Total)
	}
	return nil
}
