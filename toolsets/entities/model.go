package entities

// The tags are the names that a backend uses. A member that is a pointer may be
// null; each has to be there.

// ProjectInfo describes a project, to which everything else belongs. It is not
// an [Entity] of type [Project].
type ProjectInfo struct {
	ID          ID        `json:"id"`
	Slug        string    `json:"slug"`
	Name        string    `json:"name"`
	Description *string   `json:"description"`
	CreatedAt   Timestamp `json:"createdAt"`
	UpdatedAt   Timestamp `json:"updatedAt"`
}

// Brief is what a graph says of an entity that is not its root.
type Brief struct {
	ID         ID         `json:"id"`
	EntityType EntityType `json:"entityType"`
	Title      string     `json:"title"`
	Slug       string     `json:"slug"`
	Status     Status     `json:"status"`
}

// Overview is what a graph says of its root.
type Overview struct {
	Brief

	ProjectID      ID           `json:"projectId"`
	Summary        *string      `json:"summary"`
	Difficulty     *Difficulty  `json:"difficulty"`
	ConceptKind    *ConceptKind `json:"conceptKind"` // concepts only
	RepoURL        *string      `json:"repoUrl"`     // projects only
	CanonicalURL   *string      `json:"canonicalUrl"`
	LastVerifiedAt *Timestamp   `json:"lastVerifiedAt"`
	CreatedAt      Timestamp    `json:"createdAt"`
	UpdatedAt      Timestamp    `json:"updatedAt"`
}

// Entity is a guide, a concept, a project or a piece of news, in full.
type Entity struct {
	Overview

	ComparisonTargets *[]ID      `json:"comparisonTargets"`
	RepoDefaultBranch *string    `json:"repoDefaultBranch"`
	License           *string    `json:"license"`
	ContentRef        *string    `json:"contentRef"`
	PublishedAt       *Timestamp `json:"publishedAt"`
	ArchivedAt        *Timestamp `json:"archivedAt"`
}

// Relationship leads from one thing to another, of which at least one is an
// entity. The other may be a source, a video, or an entity of another project.
type Relationship struct {
	ID           ID           `json:"id"`
	RelationType RelationType `json:"relationType"`
	From         ID           `json:"fromEntityId"`
	To           ID           `json:"toEntityId"`
	Notes        *string      `json:"notes"`
	CreatedAt    Timestamp    `json:"createdAt"`
}

// Graph is an entity with the relationships around it.
type Graph struct {
	Root          Overview  `json:"rootEntity"`
	Relationships []Related `json:"relationships"`
	Depth         int       `json:"depth"`
}

// Related is a relationship as a graph has it. Entity is one of its two ends,
// nil where that end is not an entity of the project. At depth 1 it is the end
// that is not the root; the backend's graph of depth 2 always shows From beyond
// the first hop.
type Related struct {
	Relationship
	Entity *Brief `json:"relatedEntity"`
}

// SearchPerformance says how a page did for a query in a span of days.
type SearchPerformance struct {
	ID          ID        `json:"id"`
	ProjectID   ID        `json:"projectId"`
	EntityID    *ID       `json:"entityId"` // the entity that the page is about, where it is known
	PageURL     string    `json:"pageUrl"`
	Query       string    `json:"query"`
	Impressions int64     `json:"impressions"`
	Clicks      int64     `json:"clicks"`
	CTR         float64   `json:"ctr"`         // clicks per impression, 0 to 1
	AvgPosition float64   `json:"avgPosition"` // in the results, above 0
	DateStart   Timestamp `json:"dateStart"`
	DateEnd     Timestamp `json:"dateEnd"`
	CapturedAt  Timestamp `json:"capturedAt"`
}

// QuotableBlock is a statement that can be quoted by itself.
type QuotableBlock struct {
	ID             ID         `json:"id"`
	ProjectID      ID         `json:"projectId"`
	EntityID       ID         `json:"entityId"` // the entity that it is taken from
	Text           string     `json:"text"`
	ClaimType      ClaimType  `json:"claimType"`
	SourceCitation *string    `json:"sourceCitation"`
	VerifiedUntil  *Timestamp `json:"verifiedUntil"`
	TopicTag       *string    `json:"topicTag"`
	CreatedAt      Timestamp  `json:"createdAt"`
	UpdatedAt      Timestamp  `json:"updatedAt"`
}
