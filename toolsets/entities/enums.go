package entities

import (
	"fmt"
	"slices"
)

// EntityType says what an entity is.
type EntityType string

// The types of entities.
const (
	Guide   EntityType = "guide"
	Concept EntityType = "concept"
	Project EntityType = "project"
	News    EntityType = "news"
)

// UnmarshalText refuses an unknown type.
func (t *EntityType) UnmarshalText(text []byte) error {
	return oneOf(t, text, Guide, Concept, Project, News)
}

// Status says how far an entity is on its way to readers.
type Status string

// UnmarshalText refuses an unknown status.
func (s *Status) UnmarshalText(text []byte) error {
	return oneOf(s, text, "draft", "publish_requested", "published", "archived")
}

// Difficulty says for whom an entity is.
type Difficulty string

// UnmarshalText refuses an unknown difficulty.
func (d *Difficulty) UnmarshalText(text []byte) error {
	return oneOf(d, text, "beginner", "intermediate", "advanced")
}

// ConceptKind says what kind of concept a concept is.
type ConceptKind string

// UnmarshalText refuses an unknown kind.
func (k *ConceptKind) UnmarshalText(text []byte) error {
	return oneOf(k, text, "standard", "model", "comparison")
}

// ClaimType says what a quotable block claims.
type ClaimType string

// UnmarshalText refuses an unknown type.
func (c *ClaimType) UnmarshalText(text []byte) error {
	return oneOf(c, text, "statistic", "comparison", "definition", "howto_step")
}

// RelationType says how two things relate, such as GUIDE_USES_CONCEPT.
type RelationType string

// RelationTypes are all types of relationships.
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

// UnmarshalText refuses an unknown type.
func (r *RelationType) UnmarshalText(text []byte) error {
	return oneOf(r, text, RelationTypes...)
}

func oneOf[T ~string](value *T, text []byte, valid ...T) error {
	if !slices.Contains(valid, T(text)) {
		return fmt.Errorf("is none of %v", valid)
	}
	*value = T(text)
	return nil
}
