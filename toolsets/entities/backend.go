package entities

import (
	"context"
	"errors"
)

// Backend answers questions about projects and what belongs to them. Whatever it
// returns has been checked: it fits the model, belongs to the project that was
// asked for, and has the ids and enums of the filter. That texts match, that
// dates are within their bounds, and the order of rows are left to the backend.
// Texts of filters mean themselves, "%" and "_" included, and match without
// regard to case; an empty one filters nothing.
//
// Its errors are one of those below, or mean that the backend failed and say
// why, for the log and nobody else. A Backend is safe for concurrent use.
type Backend interface {
	// Projects returns a page of all projects, by slug.
	Projects(context.Context, PageRequest) (Page[ProjectInfo], error)

	// Entities returns a page of a project's entities, the newest first.
	Entities(ctx context.Context, project ID, f EntityFilter, p PageRequest) (Page[Entity], error)

	// Entity returns one entity of a project, or ErrEntityNotFound.
	Entity(ctx context.Context, project, id ID) (Entity, error)

	// Graph returns an entity with its relationships, or ErrEntityNotFound. At
	// depth 2 those of the entities and other things that it relates to are
	// among them. No types are all types.
	Graph(ctx context.Context, project, id ID, depth int, types []RelationType) (Graph, error)

	// CountRelationships says how many relationships of a project leave a
	// thing, or lead to it.
	CountRelationships(ctx context.Context, project, id ID, d Direction) (int, error)

	// SearchPerformance returns a page of records, the latest span first.
	SearchPerformance(ctx context.Context, project ID, f PerformanceFilter, p PageRequest) (Page[SearchPerformance], error)

	// QuotableBlocks returns a page of blocks, the newest first.
	QuotableBlocks(ctx context.Context, project ID, f BlockFilter, p PageRequest) (Page[QuotableBlock], error)
}

// The errors of a [Backend] that say more than that it failed.
var (
	ErrProjectNotFound = errors.New("the project does not exist")
	ErrEntityNotFound  = errors.New("the project has no such entity") // it does not exist, or is another project's
	ErrUnauthorized    = errors.New("the backend asks for other credentials")
	ErrForbidden       = errors.New("the backend does not allow it")
)

// PageRequest asks for a page.
type PageRequest struct {
	Page  int // from 1
	Limit int // rows a page, 1 to MaxLimit
}

// MaxRequests limits the concurrent requests to a backend, over all calls. A call
// queues at most that many, so the others wait for one of its requests and not for
// all of them.
const MaxRequests = 8

// MaxLimit is the most rows that a backend puts on a page.
const MaxLimit = 100

// Page is a page of rows, at most as many as were asked for.
type Page[T any] struct {
	PageRequest
	Rows  []T
	Total int // rows on all pages
}

// HasMore reports whether there is a page after this one.
func (p Page[T]) HasMore() bool { return p.Page < p.Pages() }

// Pages returns how many pages there are.
func (p Page[T]) Pages() int {
	pages := p.Total / p.Limit
	if p.Total%p.Limit > 0 {
		pages++
	}
	return pages
}

// EntityFilter says which entities are wanted. Empty fields filter nothing.
type EntityFilter struct {
	EntityType  EntityType
	Status      Status
	ConceptKind ConceptKind
	Search      string // part of the title or of the slug
}

// PerformanceFilter says which records are wanted. Empty fields filter nothing.
type PerformanceFilter struct {
	Query     string // part of the query
	PageURL   string // part of the URL
	EntityID  ID
	DateStart string // the earliest start of the span: 2025-02-20, or a UTC timestamp
	DateEnd   string // the latest end
}

// BlockFilter says which blocks are wanted. Empty fields filter nothing.
type BlockFilter struct {
	EntityID            ID
	ClaimType           ClaimType
	TopicTag            string // part of the tag
	VerifiedUntilBefore string // inclusive: 2025-02-20, or a UTC timestamp
	VerifiedUntilAfter  string // inclusive
}

// Direction is that of relationships, seen from one of their ends.
type Direction bool

// The directions.
const (
	Outgoing Direction = false
	Incoming Direction = true
)
