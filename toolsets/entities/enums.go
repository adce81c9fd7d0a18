package entities

import (
	"fmt"
	"slices"
)

// EntityType is the type of an entity.
type EntityType string

// Types of entities.
const (
	Guide   EntityType = "guide"
	Concept EntityType = "concept"
	Project EntityType = "project"
	News    EntityType = "news"
)

// UnmarshalText rejects an unknown type.
func (t *EntityType) UnmarshalText(text []byte) error {
	return oneOf(t, text, Guide, Concept, Project, News)
}

// Status is the publication status of an entity.
type Status string

// UnmarshalText rejects an unknown status.
func (s *Status) UnmarshalText(text []byte) error {
	return oneOf(s, text, "draft", "publish_requested", "published", "archived")
}

// Difficulty is the level of the readers for whom an entity is written.
type Difficulty string

// UnmarshalText rejects an unknown difficulty.
func (d *Difficulty) UnmarshalText(text []byte) error {
	return oneOf(d, text, "beginner", "intermediate", "advanced")
}

// ConceptKind is the kind of a concept.
type ConceptKind string

// UnmarshalText rejects an unknown kind.
func (k *ConceptKind) UnmarshalText(text []byte) error {
	return oneOf(k, text, "standard", "model", "comparison")
}

// ClaimType is the type of claim in a quotable block.
type ClaimType string

// UnmarshalText rejects an unknown type.
func (c *ClaimType) UnmarshalText(text []byte) error {
	return oneOf(c, text, "statistic", "comparison", "definition", "howto_step")
}

// RelationType is the type of a relationship, such as GUIDE_USES_CONCEPT.
type RelationType string

// RelationTypes lists all types of relationships.
var RelationTypes = []RelationType{
	"GUIDE_USES_CONCEPT",
	"GUIDE_EXPLAINS_CONCEPT",
	"GUIDE_REFERENCES_SOURCE",
	"CONCEPT_RELATES_TO_CONCEPT",
	"CONCEPT_REFERENCES_SOURCE",
	"NEWS_DERIVED_FROM_SOURCE",
	"NEWS_REFERENCES_SOURCE",
	"NEWS_REFERENCES_CONCEPT",
	"PROJECT_IMPLEMENTS_CONCEPT",
	"PROJECT_REFERENCES_SOURCE",
	"PROJECT_HAS_GUIDE",
	"DISTRIBUTION_PROMOTES_GUIDE",
	"DISTRIBUTION_PROMOTES_CONCEPT",
	"DISTRIBUTION_PROMOTES_PROJECT",
	"DISTRIBUTION_PROMOTES_NEWS",
	"VIDEO_EXPLAINS_GUIDE",
	"VIDEO_EXPLAINS_CONCEPT",
	"VIDEO_EXPLAINS_PROJECT",
	"VIDEO_EXPLAINS_NEWS",
}

// UnmarshalText rejects an unknown type.
func (r *RelationType) UnmarshalText(text []byte) error {
	return oneOf(r, text, RelationTypes...)
}

func oneOf[T ~string](value *T, text []byte, valid ...T) error {
	if !slices.Contains(valid, T(text)) {
		return fmt.Errorf("is not one of %v", valid)
	}
	*value = T(text)
	return nil
}
