package fakebackend

import "time"

// DefaultProject is the project of a request that does not name one.
const DefaultProject = "00000000-0000-4000-a000-000000000001"

// Project is a row in the table of projects.
type Project struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Slug        string  `json:"slug"`
	Description *string `json:"description"`
	CreatedAt   Time    `json:"createdAt"`
	UpdatedAt   Time    `json:"updatedAt"`
}

// Entity is a row in the table of entities.
type Entity struct {
	ID                string   `json:"id"`
	EntityType        string   `json:"entityType"`
	Title             string   `json:"title"`
	Slug              string   `json:"slug"`
	Summary           *string  `json:"summary"`
	Difficulty        *string  `json:"difficulty"`
	ConceptKind       *string  `json:"conceptKind"`
	ComparisonTargets []string `json:"comparisonTargets"`
	RepoURL           *string  `json:"repoUrl"`
	RepoDefaultBranch *string  `json:"repoDefaultBranch"`
	License           *string  `json:"license"`
	Status            string   `json:"status"`
	CanonicalURL      *string  `json:"canonicalUrl"`
	ContentRef        *string  `json:"contentRef"`
	PublishedAt       *Time    `json:"publishedAt"`
	ArchivedAt        *Time    `json:"archivedAt"`
	LastVerifiedAt    *Time    `json:"lastVerifiedAt"`
	ProjectID         string   `json:"projectId"`
	CreatedAt         Time     `json:"createdAt"`
	UpdatedAt         Time     `json:"updatedAt"`
}

// Relation is a row in the table of relationships.
type Relation struct {
	ID             string  `json:"id"`
	FromEntityType string  `json:"fromEntityType"`
	FromEntityID   string  `json:"fromEntityId"`
	ToEntityType   string  `json:"toEntityType"`
	ToEntityID     string  `json:"toEntityId"`
	RelationType   string  `json:"relationType"`
	Notes          *string `json:"notes"`
	ProjectID      string  `json:"projectId"`
	CreatedAt      Time    `json:"createdAt"`
}

// Performance is a row in the table of search performance records.
type Performance struct {
	ID          string  `json:"id"`
	ProjectID   string  `json:"projectId"`
	EntityID    *string `json:"entityId"`
	PageURL     string  `json:"pageUrl"`
	Query       string  `json:"query"`
	Impressions int     `json:"impressions"`
	Clicks      int     `json:"clicks"`
	CTR         float64 `json:"ctr"`
	AvgPosition float64 `json:"avgPosition"`
	DateStart   Time    `json:"dateStart"`
	DateEnd     Time    `json:"dateEnd"`
	CapturedAt  Time    `json:"capturedAt"`
}

// Block is a row in the table of quotable blocks.
type Block struct {
	ID             string  `json:"id"`
	ProjectID      string  `json:"projectId"`
	EntityID       string  `json:"entityId"`
	Text           string  `json:"text"`
	ClaimType      string  `json:"claimType"`
	SourceCitation *string `json:"sourceCitation"`
	VerifiedUntil  *Time   `json:"verifiedUntil"`
	TopicTag       *string `json:"topicTag"`
	CreatedAt      Time    `json:"createdAt"`
	UpdatedAt      Time    `json:"updatedAt"`
}

// Data is all rows of the backend.
type Data struct {
	Projects     []Project
	Entities     []Entity
	Relations    []Relation
	Performances []Performance
	Blocks       []Block
}

// Time is a time that is encoded in UTC with milliseconds.
type Time struct{ time.Time }

// MarshalText formats the time as JavaScript does.
func (t Time) MarshalText() ([]byte, error) {
	return []byte(t.UTC().Format("2006-01-02T15:04:05.000Z")), nil
}

// MarshalJSON overrides the method of time.Time.
func (t Time) MarshalJSON() ([]byte, error) {
	text, err := t.MarshalText()
	return []byte(`"` + string(text) + `"`), err
}
