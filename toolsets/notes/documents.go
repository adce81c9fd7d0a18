package notes

import (
	"strings"

	"instruction-catalog/catalog/search/vectors"
)

// Documents returns the notes for semantic search, in the order of [Snapshot.Notes].
func (s *Snapshot) Documents() vectors.Documents { return documents{s} }

type documents struct{ *Snapshot }

// Len implements [vectors.Documents].
func (d documents) Len() int { return len(d.notes) }

// At implements [vectors.Documents].
func (d documents) At(i int) vectors.Document { return document{d.notes[i]} }

type document struct{ *Note }

// Text implements [vectors.Document]. The heading is the title and the tags.
func (d document) Text() (heading, content string) {
	heading = d.Title()
	if len(d.Parts.Tags) > 0 {
		heading += "\n" + strings.Join(d.Parts.Tags, ", ")
	}
	return heading, d.Content()
}
