package httpapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"instruction-catalog/toolsets/entities"
)

// A row is decoded with every member behind a pointer, so that one that is
// missing is found out. Its model method looks at all of them.

// nullable is a member that must be there and may be null.
type nullable[T any] struct {
	present bool
	value   *T
}

// UnmarshalJSONFrom is called for what is there, null included.
func (n *nullable[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	n.present = true
	return json.UnmarshalDecode(dec, &n.value)
}

// missing collects the members that are not there.
type missing []string

func need[T any](m *missing, name string, member *T) (value T) {
	if member == nil {
		*m = append(*m, name)
		return value
	}
	return *member
}

func needNullable[T any](m *missing, name string, member nullable[T]) *T {
	if !member.present {
		*m = append(*m, name)
	}
	return member.value
}

func (m missing) err() error {
	if len(m) == 0 {
		return nil
	}
	return errors.New("a row has no " + strings.Join(m, ", no "))
}

type projectRow struct {
	ID          *entities.ID        `json:"id"`
	Slug        *string             `json:"slug"`
	Name        *string             `json:"name"`
	Description nullable[string]    `json:"description"`
	CreatedAt   *entities.Timestamp `json:"createdAt"`
	UpdatedAt   *entities.Timestamp `json:"updatedAt"`
}

func (r projectRow) model() (entities.ProjectInfo, error) {
	var m missing
	p := entities.ProjectInfo{
		ID:          need(&m, "id", r.ID),
		Slug:        need(&m, "slug", r.Slug),
		Name:        need(&m, "name", r.Name),
		Description: needNullable(&m, "description", r.Description),
		CreatedAt:   need(&m, "createdAt", r.CreatedAt),
		UpdatedAt:   need(&m, "updatedAt", r.UpdatedAt),
	}
	return p, m.err()
}

type briefRow struct {
	ID         *entities.ID         `json:"id"`
	EntityType *entities.EntityType `json:"entityType"`
	Title      *string              `json:"title"`
	Slug       *string              `json:"slug"`
	Status     *entities.Status     `json:"status"`
}

func (r briefRow) collect(m *missing) entities.Brief {
	return entities.Brief{
		ID:         need(m, "id", r.ID),
		EntityType: need(m, "entityType", r.EntityType),
		Title:      need(m, "title", r.Title),
		Slug:       need(m, "slug", r.Slug),
		Status:     need(m, "status", r.Status),
	}
}

// rootRow is an entity as its graph tells of it.
type rootRow struct {
	briefRow
	ProjectID      *entities.ID                   `json:"projectId"`
	Summary        nullable[string]               `json:"summary"`
	Difficulty     nullable[entities.Difficulty]  `json:"difficulty"`
	ConceptKind    nullable[entities.ConceptKind] `json:"conceptKind"`
	RepoURL        nullable[string]               `json:"repoUrl"`
	CanonicalURL   nullable[string]               `json:"canonicalUrl"`
	LastVerifiedAt nullable[entities.Timestamp]   `json:"lastVerifiedAt"`
	CreatedAt      *entities.Timestamp            `json:"createdAt"`
	UpdatedAt      *entities.Timestamp            `json:"updatedAt"`
}

func (r rootRow) collect(m *missing) entities.Entity {
	return entities.Entity{
		Brief:          r.briefRow.collect(m),
		ProjectID:      need(m, "projectId", r.ProjectID),
		Summary:        needNullable(m, "summary", r.Summary),
		Difficulty:     needNullable(m, "difficulty", r.Difficulty),
		ConceptKind:    needNullable(m, "conceptKind", r.ConceptKind),
		RepoURL:        needNullable(m, "repoUrl", r.RepoURL),
		CanonicalURL:   needNullable(m, "canonicalUrl", r.CanonicalURL),
		LastVerifiedAt: needNullable(m, "lastVerifiedAt", r.LastVerifiedAt),
		CreatedAt:      need(m, "createdAt", r.CreatedAt),
		UpdatedAt:      need(m, "updatedAt", r.UpdatedAt),
	}
}

// entityRow is an entity in full, alone or in a list.
type entityRow struct {
	rootRow
	ComparisonTargets nullable[[]entities.ID]      `json:"comparisonTargets"`
	RepoDefaultBranch nullable[string]             `json:"repoDefaultBranch"`
	License           nullable[string]             `json:"license"`
	ContentRef        nullable[string]             `json:"contentRef"`
	PublishedAt       nullable[entities.Timestamp] `json:"publishedAt"`
	ArchivedAt        nullable[entities.Timestamp] `json:"archivedAt"`
}

func (r entityRow) model() (entities.Entity, error) {
	var m missing
	e := r.collect(&m)
	if targets := needNullable(&m, "comparisonTargets", r.ComparisonTargets); targets != nil {
		e.ComparisonTargets = *targets
	}
	e.RepoDefaultBranch = needNullable(&m, "repoDefaultBranch", r.RepoDefaultBranch)
	e.License = needNullable(&m, "license", r.License)
	e.ContentRef = needNullable(&m, "contentRef", r.ContentRef)
	e.PublishedAt = needNullable(&m, "publishedAt", r.PublishedAt)
	e.ArchivedAt = needNullable(&m, "archivedAt", r.ArchivedAt)
	return e, m.err()
}

type relationshipRow struct {
	ID           *entities.ID           `json:"id"`
	RelationType *entities.RelationType `json:"relationType"`
	From         *entities.ID           `json:"fromEntityId"`
	To           *entities.ID           `json:"toEntityId"`
	Notes        nullable[string]       `json:"notes"`
	CreatedAt    *entities.Timestamp    `json:"createdAt"`
}

func (r relationshipRow) collect(m *missing) entities.Relationship {
	return entities.Relationship{
		ID:           need(m, "id", r.ID),
		RelationType: need(m, "relationType", r.RelationType),
		From:         need(m, "fromEntityId", r.From),
		To:           need(m, "toEntityId", r.To),
		Notes:        needNullable(m, "notes", r.Notes),
		CreatedAt:    need(m, "createdAt", r.CreatedAt),
	}
}

// ownedRow is a relationship as the list of relationships has it.
type ownedRow struct {
	relationshipRow
	ProjectID *entities.ID `json:"projectId"`
}

// owned is a relationship and the project that it belongs to.
type owned struct {
	entities.Relationship
	ProjectID entities.ID
}

func (r ownedRow) model() (owned, error) {
	var m missing
	o := owned{Relationship: r.collect(&m), ProjectID: need(&m, "projectId", r.ProjectID)}
	return o, m.err()
}

// relatedRow is a relationship as a graph has it.
type relatedRow struct {
	relationshipRow
	Related nullable[briefRow] `json:"relatedEntity"`
}

func (r relatedRow) model() (entities.Related, error) {
	var m missing
	related := entities.Related{Relationship: r.collect(&m)}
	if row := needNullable(&m, "relatedEntity", r.Related); row != nil {
		brief := row.collect(&m)
		if len(m) == 0 && brief.ID != related.From && brief.ID != related.To {
			return related, fmt.Errorf("the related entity %s is at no end of the relationship %s", brief.ID, related.ID)
		}
		related.Entity = &brief
	}
	return related, m.err()
}

type performanceRow struct {
	ID          *entities.ID          `json:"id"`
	ProjectID   *entities.ID          `json:"projectId"`
	EntityID    nullable[entities.ID] `json:"entityId"`
	PageURL     *string               `json:"pageUrl"`
	Query       *string               `json:"query"`
	Impressions *int64                `json:"impressions"`
	Clicks      *int64                `json:"clicks"`
	CTR         *float64              `json:"ctr"`
	AvgPosition *float64              `json:"avgPosition"`
	DateStart   *entities.Timestamp   `json:"dateStart"`
	DateEnd     *entities.Timestamp   `json:"dateEnd"`
	CapturedAt  *entities.Timestamp   `json:"capturedAt"`
}

func (r performanceRow) model() (entities.SearchPerformance, error) {
	var m missing
	p := entities.SearchPerformance{
		ID:          need(&m, "id", r.ID),
		ProjectID:   need(&m, "projectId", r.ProjectID),
		EntityID:    needNullable(&m, "entityId", r.EntityID),
		PageURL:     need(&m, "pageUrl", r.PageURL),
		Query:       need(&m, "query", r.Query),
		Impressions: need(&m, "impressions", r.Impressions),
		Clicks:      need(&m, "clicks", r.Clicks),
		CTR:         need(&m, "ctr", r.CTR),
		AvgPosition: need(&m, "avgPosition", r.AvgPosition),
		DateStart:   need(&m, "dateStart", r.DateStart),
		DateEnd:     need(&m, "dateEnd", r.DateEnd),
		CapturedAt:  need(&m, "capturedAt", r.CapturedAt),
	}
	if err := m.err(); err != nil {
		return p, err
	}
	if p.Impressions < 0 || p.Clicks < 0 || p.CTR < 0 || p.CTR > 1 || p.AvgPosition <= 0 {
		return p, fmt.Errorf("the record %s has figures that cannot be", p.ID)
	}
	return p, nil
}

type blockRow struct {
	ID             *entities.ID                 `json:"id"`
	ProjectID      *entities.ID                 `json:"projectId"`
	EntityID       *entities.ID                 `json:"entityId"`
	Text           *string                      `json:"text"`
	ClaimType      *entities.ClaimType          `json:"claimType"`
	SourceCitation nullable[string]             `json:"sourceCitation"`
	VerifiedUntil  nullable[entities.Timestamp] `json:"verifiedUntil"`
	TopicTag       nullable[string]             `json:"topicTag"`
	CreatedAt      *entities.Timestamp          `json:"createdAt"`
	UpdatedAt      *entities.Timestamp          `json:"updatedAt"`
}

func (r blockRow) model() (entities.QuotableBlock, error) {
	var m missing
	b := entities.QuotableBlock{
		ID:             need(&m, "id", r.ID),
		ProjectID:      need(&m, "projectId", r.ProjectID),
		EntityID:       need(&m, "entityId", r.EntityID),
		Text:           need(&m, "text", r.Text),
		ClaimType:      need(&m, "claimType", r.ClaimType),
		SourceCitation: needNullable(&m, "sourceCitation", r.SourceCitation),
		VerifiedUntil:  needNullable(&m, "verifiedUntil", r.VerifiedUntil),
		TopicTag:       needNullable(&m, "topicTag", r.TopicTag),
		CreatedAt:      need(&m, "createdAt", r.CreatedAt),
		UpdatedAt:      need(&m, "updatedAt", r.UpdatedAt),
	}
	return b, m.err()
}

// graphRow is an entity with the relationships around it.
type graphRow struct {
	Root          *rootRow      `json:"rootEntity"`
	Relationships *[]relatedRow `json:"relationships"`
	Depth         *int          `json:"depth"`
}

func (r graphRow) model() (entities.Graph, error) {
	var m missing
	root, rows, _ := need(&m, "rootEntity", r.Root), need(&m, "relationships", r.Relationships), need(&m, "depth", r.Depth)
	if err := m.err(); err != nil {
		return entities.Graph{}, err
	}
	g := entities.Graph{Root: root.collect(&m), Relationships: make([]entities.Related, len(rows))}
	if err := m.err(); err != nil {
		return g, err
	}
	for i, row := range rows {
		var err error
		if g.Relationships[i], err = row.model(); err != nil {
			return g, err
		}
	}
	return g, nil
}

// touches reports whether every relationship has an end at the root or, at depth
// 2, at something that the root relates to.
func touches(g entities.Graph, depth int) bool {
	near := map[entities.ID]bool{g.Root.ID: true}
	for _, r := range g.Relationships {
		if depth == 2 && (r.From == g.Root.ID || r.To == g.Root.ID) {
			near[r.From], near[r.To] = true, true
		}
	}
	return !slices.ContainsFunc(g.Relationships, func(r entities.Related) bool { return !near[r.From] && !near[r.To] })
}
