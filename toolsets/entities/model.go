package entities

// The JSON tags are the member names that a backend uses. All members must be present.
// Pointer members may be null.

// ProjectInfo is a project, to which all other data belongs. It is not an [Entity] of
// type [Project].
type ProjectInfo struct {
	ID          ID        `json:"id"`
	Slug        string    `json:"slug"`
	Name        string    `json:"name"`
	Description *string   `json:"description"`
	CreatedAt   Timestamp `json:"createdAt"`
	UpdatedAt   Timestamp `json:"updatedAt"`
}

// Brief is the form of an entity in a graph, except for the root.
type Brief struct {
	ID         ID         `json:"id"`
	EntityType EntityType `json:"entityType"`
	Title      string     `json:"title"`
	Slug       string     `json:"slug"`
	Status     Status     `json:"status"`
}

// Overview is the form of a graph's root.
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

// Entity is a guide, a concept, a project or a piece of news, with all its fields.
type Entity struct {
	Overview

	ComparisonTargets *[]ID      `json:"comparisonTargets"`
	RepoDefaultBranch *string    `json:"repoDefaultBranch"`
	License           *string    `json:"license"`
	ContentRef        *string    `json:"contentRef"`
	PublishedAt       *Timestamp `json:"publishedAt"`
	ArchivedAt        *Timestamp `json:"archivedAt"`
}

// Relationship is a directed link between two things. At least one of them is an entity.
// The other may be a source, a video or an entity of another project.
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

// Related is a relationship in a graph. Entity is one of its two ends, or nil if that
// end is not an entity of the project. At depth 1 it is the end that is not the root. At
// depth 2 the backend always returns From for relationships beyond the first hop.
type Related struct {
	Relationship
	Entity *Brief `json:"relatedEntity"`
}

// SearchPerformance is the performance of a page for a query in a period.
type SearchPerformance struct {
	ID          ID        `json:"id"`
	ProjectID   ID        `json:"projectId"`
	EntityID    *ID       `json:"entityId"` // the entity that the page is about, if known
	PageURL     string    `json:"pageUrl"`
	Query       string    `json:"query"`
	Impressions int64     `json:"impressions"`
	Clicks      int64     `json:"clicks"`
	CTR         float64   `json:"ctr"`         // clicks per impression, 0 to 1
	AvgPosition float64   `json:"avgPosition"` // average position in the results, above 0
	DateStart   Timestamp `json:"dateStart"`
	DateEnd     Timestamp `json:"dateEnd"`
	CapturedAt  Timestamp `json:"capturedAt"`
}

// QuotableBlock is a statement that can be quoted on its own.
type QuotableBlock struct {
	ID             ID         `json:"id"`
	ProjectID      ID         `json:"projectId"`
	EntityID       ID         `json:"entityId"` // the entity that the statement is from
	Text           string     `json:"text"`
	ClaimType      ClaimType  `json:"claimType"`
	SourceCitation *string    `json:"sourceCitation"`
	VerifiedUntil  *Timestamp `json:"verifiedUntil"`
	TopicTag       *string    `json:"topicTag"`
	CreatedAt      Timestamp  `json:"createdAt"`
	UpdatedAt      Timestamp  `json:"updatedAt"`
}
