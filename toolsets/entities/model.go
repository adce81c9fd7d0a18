package entities

// ProjectInfo describes a project, to which everything else belongs. It is not
// an [Entity] of type [Project].
type ProjectInfo struct {
	ID          ID
	Slug        string
	Name        string
	Description *string
	CreatedAt   Timestamp
	UpdatedAt   Timestamp
}

// Brief is what a graph tells of an entity that is not its root.
type Brief struct {
	ID         ID
	EntityType EntityType
	Title      string
	Slug       string
	Status     Status
}

// Entity is a guide, a concept, a project or a piece of news.
type Entity struct {
	Brief

	ProjectID      ID
	Summary        *string
	Difficulty     *Difficulty
	ConceptKind    *ConceptKind // concepts only
	RepoURL        *string      // projects only
	CanonicalURL   *string
	LastVerifiedAt *Timestamp
	CreatedAt      Timestamp
	UpdatedAt      Timestamp

	// These are nil, too, where the backend leaves them out: at the root of a
	// graph.
	ComparisonTargets []ID
	RepoDefaultBranch *string
	License           *string
	ContentRef        *string
	PublishedAt       *Timestamp
	ArchivedAt        *Timestamp
}

// Relationship leads from one thing to another, of which at least one is an
// entity. The other may be a source, a video, or an entity of another project.
type Relationship struct {
	ID           ID
	RelationType RelationType
	From, To     ID
	Notes        *string
	CreatedAt    Timestamp
}

// Graph is an entity with the relationships around it.
type Graph struct {
	Root          Entity
	Relationships []Related
}

// Related is a relationship as a graph has it. Entity is one of its two ends,
// nil where that end is no entity of the project. At depth 1 it is the end that
// is not the root; the backend's graph of depth 2 always shows From beyond the
// first hop.
type Related struct {
	Relationship
	Entity *Brief
}

// SearchPerformance says how a page did for a query in a span of days.
type SearchPerformance struct {
	ID          ID
	ProjectID   ID
	EntityID    *ID // the entity that the page is about, where it is known
	PageURL     string
	Query       string
	Impressions int64
	Clicks      int64
	CTR         float64 // clicks per impression, 0 to 1
	AvgPosition float64 // in the results, above 0
	DateStart   Timestamp
	DateEnd     Timestamp
	CapturedAt  Timestamp
}

// QuotableBlock is a statement that can be quoted by itself.
type QuotableBlock struct {
	ID             ID
	ProjectID      ID
	EntityID       ID // the entity that it is taken from
	Text           string
	ClaimType      ClaimType
	SourceCitation *string
	VerifiedUntil  *Timestamp
	TopicTag       *string
	CreatedAt      Timestamp
	UpdatedAt      Timestamp
}
