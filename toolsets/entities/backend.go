package entities

import (
	"context"
	"errors"
)

// Backend provides projects and the data that belongs to them. Its results are
// validated: they fit the model, belong to the requested project, and match the ids and
// enums of the filter. The backend is trusted to match texts, to keep dates within
// bounds and to sort rows. Filter texts match literally, including "%" and "_", and
// ignore case. An empty text matches everything.
//
// A method returns one of the errors below, or another error if the backend failed. The
// text of that error is for the log only. A Backend is safe for concurrent use.
type Backend interface {
	// Projects returns a page of all projects, sorted by slug.
	Projects(context.Context, PageRequest) (Page[ProjectInfo], error)

	// Entities returns a page of a project's entities, newest first.
	Entities(ctx context.Context, project ID, f EntityFilter, p PageRequest) (Page[Entity], error)

	// Entity returns an entity of a project, or ErrEntityNotFound.
	Entity(ctx context.Context, project, id ID) (Entity, error)

	// Graph returns an entity with its relationships, or ErrEntityNotFound. At depth 2
	// it includes the relationships of everything related to the entity. If types is
	// empty, all types are returned.
	Graph(ctx context.Context, project, id ID, depth int, types []RelationType) (Graph, error)

	// CountRelationships returns the number of relationships that start or end at id,
	// which need not be an entity.
	CountRelationships(ctx context.Context, project, id ID, d Direction) (int, error)

	// SearchPerformance returns a page of records, latest period first.
	SearchPerformance(ctx context.Context, project ID, f PerformanceFilter, p PageRequest) (Page[SearchPerformance], error)

	// QuotableBlocks returns a page of blocks, newest first.
	QuotableBlocks(ctx context.Context, project ID, f BlockFilter, p PageRequest) (Page[QuotableBlock], error)
}

// Errors of a [Backend] that callers distinguish from a general failure.
var (
	ErrProjectNotFound = errors.New("the project does not exist")
	ErrEntityNotFound  = errors.New("the project has no such entity") // it does not exist or belongs to another project
	ErrUnauthorized    = errors.New("the backend rejects the credentials")
	ErrForbidden       = errors.New("the backend does not allow it")
)

// PageRequest selects a page.
type PageRequest struct {
	Page  int // from 1
	Limit int // rows per page, 1 to MaxLimit
}

// MaxRequests is the maximum number of concurrent requests to a backend, over all calls.
// A call queues at most that many requests, so another call need not wait for all
// requests of the first.
const MaxRequests = 8

// MaxLimit is the maximum number of rows per page.
const MaxLimit = 100

// Page is a page of at most Limit rows.
type Page[T any] struct {
	PageRequest
	Rows  []T
	Total int // rows on all pages
}

// HasMore reports whether there is a page after this one.
func (p Page[T]) HasMore() bool { return p.Page < p.Pages() }

// Pages returns the number of pages.
func (p Page[T]) Pages() int {
	pages := p.Total / p.Limit
	if p.Total%p.Limit > 0 {
		pages++
	}
	return pages
}

// EntityFilter selects entities. Empty fields match everything.
type EntityFilter struct {
	EntityType  EntityType
	Status      Status
	ConceptKind ConceptKind
	Search      string // substring of the title or the slug
}

// PerformanceFilter selects records. Empty fields match everything.
type PerformanceFilter struct {
	Query     string // substring of the query
	PageURL   string // substring of the URL
	EntityID  ID
	DateStart string // earliest start of the period: 2025-02-20, or a UTC timestamp
	DateEnd   string // latest end of the period
}

// BlockFilter selects blocks. Empty fields match everything.
type BlockFilter struct {
	EntityID            ID
	ClaimType           ClaimType
	TopicTag            string // substring of the tag
	VerifiedUntilBefore string // inclusive: 2025-02-20, or a UTC timestamp
	VerifiedUntilAfter  string // inclusive
}

// Direction is the direction of relationships, seen from one of their ends.
type Direction bool

// Values of Direction.
const (
	Outgoing Direction = false
	Incoming Direction = true
)
