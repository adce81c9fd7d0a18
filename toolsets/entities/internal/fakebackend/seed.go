package fakebackend

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// OtherProject is the second project in [Sample].
const OtherProject = "00000000-0000-4000-a000-000000000002"

// ID returns a UUID made from a letter, which identifies a table, and a number.
func ID(table byte, number int) string {
	return fmt.Sprintf("%02x000000-0000-4000-8000-%012d", table, number)
}

// At returns the start of 2026, UTC, plus the given number of minutes.
func At(minutes int) Time {
	return Time{time.Date(2026, 1, 1, 0, minutes, 0, 0, time.UTC)}
}

// Sample returns a small, fixed data set with two projects. In the first one, a guide on
// bread is related to a concept, a source, a video, a deleted entity and an entity of
// the second project.
func Sample() Data {
	text := func(s string) *string { return &s }
	at := func(minutes int) *Time { t := At(minutes); return &t }
	guide, starter, flour, news, oven := ID('e', 1), ID('e', 2), ID('e', 3), ID('e', 4), ID('e', 5)
	foreign, source, video, deleted := ID('f', 1), ID('a', 1), ID('d', 1), ID('e', 99)
	entity := func(e Entity) Entity {
		if e.ProjectID == "" {
			e.ProjectID = DefaultProject
		}
		if e.ComparisonTargets == nil {
			e.ComparisonTargets = []string{}
		}
		return e
	}
	relation := func(number int, kind, fromType, from, toType, to string) Relation {
		return Relation{ID: ID('b', number), RelationType: kind, FromEntityType: fromType, FromEntityID: from,
			ToEntityType: toType, ToEntityID: to, ProjectID: DefaultProject, CreatedAt: At(number)}
	}
	return Data{
		Projects: []Project{
			{ID: DefaultProject, Name: "The Bakery", Slug: "bakery", Description: text("All about bread."), CreatedAt: At(0), UpdatedAt: At(5)},
			{ID: OtherProject, Name: "brewery", Slug: "a-brewery", CreatedAt: At(1), UpdatedAt: At(1)},
		},
		Entities: []Entity{
			entity(Entity{ID: guide, EntityType: "guide", Title: "Bake 100% rye bread", Slug: "bake-rye-bread", Summary: text("From starter to loaf."),
				Difficulty: text("beginner"), Status: "published", CanonicalURL: text("https://bakery.example/guides/rye"), ContentRef: text("guides/rye.md"),
				PublishedAt: at(9), LastVerifiedAt: at(20), CreatedAt: At(1), UpdatedAt: At(30)}),
			entity(Entity{ID: starter, EntityType: "concept", Title: "Sourdough starter", Slug: "sourdough_starter", ConceptKind: text("standard"),
				Status: "published", CreatedAt: At(2), UpdatedAt: At(2)}),
			entity(Entity{ID: flour, EntityType: "concept", Title: "Rye or wheat flour", Slug: "rye-or-wheat", ConceptKind: text("comparison"),
				ComparisonTargets: []string{starter, guide}, Status: "draft", CreatedAt: At(3), UpdatedAt: At(30)}),
			entity(Entity{ID: news, EntityType: "news", Title: "Rye is scarce", Slug: "rye-is-scarce", Status: "archived", ArchivedAt: at(60),
				CreatedAt: At(4), UpdatedAt: At(60)}),
			entity(Entity{ID: oven, EntityType: "project", Title: "oven-timer", Slug: "oven-timer", RepoURL: text("https://git.example/oven-timer"),
				RepoDefaultBranch: text("main"), License: text("MIT"), Status: "publish_requested", CreatedAt: At(4), UpdatedAt: At(4)}),
			entity(Entity{ID: foreign, EntityType: "guide", Title: "Brew rye beer", Slug: "brew-rye-beer", Status: "published",
				ProjectID: OtherProject, CreatedAt: At(7), UpdatedAt: At(7)}),
		},
		Relations: []Relation{
			relation(1, "GUIDE_EXPLAINS_CONCEPT", "guide", guide, "concept", starter),
			relation(2, "CONCEPT_RELATES_TO_CONCEPT", "concept", starter, "concept", flour),
			relation(3, "PROJECT_HAS_GUIDE", "project", oven, "guide", guide),
			relation(4, "NEWS_REFERENCES_CONCEPT", "news", news, "concept", flour),
			relation(5, "GUIDE_REFERENCES_SOURCE", "guide", guide, "sourceItem", source),
			relation(6, "VIDEO_EXPLAINS_GUIDE", "video", video, "guide", guide),
			relation(7, "GUIDE_USES_CONCEPT", "guide", guide, "concept", deleted),
			relation(8, "GUIDE_USES_CONCEPT", "guide", guide, "guide", foreign),
			relation(9, "NEWS_REFERENCES_SOURCE", "news", news, "sourceItem", source),
		},
		Performances: []Performance{
			{ID: ID('c', 1), ProjectID: DefaultProject, EntityID: &guide, PageURL: "https://bakery.example/guides/rye", Query: "rye bread 100%",
				Impressions: 40, Clicks: 10, CTR: 0.25, AvgPosition: 3.5, DateStart: At(0), DateEnd: At(1440), CapturedAt: At(3000)},
			{ID: ID('c', 2), ProjectID: DefaultProject, PageURL: "https://bakery.example/a_b", Query: "rye",
				Impressions: 7, Clicks: 0, CTR: 0, AvgPosition: 12, DateStart: At(1440), DateEnd: At(2880), CapturedAt: At(3000)},
			{ID: ID('c', 3), ProjectID: OtherProject, EntityID: &foreign, PageURL: "https://brewery.example", Query: "rye beer",
				Impressions: 1, Clicks: 1, CTR: 1, AvgPosition: 1, DateStart: At(0), DateEnd: At(1440), CapturedAt: At(3000)},
		},
		Blocks: []Block{
			{ID: ID('9', 1), ProjectID: DefaultProject, EntityID: guide, Text: "A rye loaf needs a starter of three days.", ClaimType: "howto_step",
				SourceCitation: text("The Rye Book, p. 12"), VerifiedUntil: at(1440), TopicTag: text("starter"), CreatedAt: At(1), UpdatedAt: At(1)},
			{ID: ID('9', 2), ProjectID: DefaultProject, EntityID: starter, Text: "A starter is flour, water and patience.", ClaimType: "definition",
				CreatedAt: At(1), UpdatedAt: At(2)},
		},
	}
}

// Random returns n entities, a tenth of them in the other project, and m relationships
// between them and sources. Some entities have a summary, and some relationships have
// notes. The same seed yields the same data.
func Random(seed uint64, n, m int) Data {
	rng := rand.New(rand.NewPCG(seed, 1))
	types := []string{"guide", "concept", "project", "news"}
	kinds := []string{"GUIDE_USES_CONCEPT", "CONCEPT_RELATES_TO_CONCEPT", "PROJECT_HAS_GUIDE", "GUIDE_REFERENCES_SOURCE", "NEWS_REFERENCES_CONCEPT"}
	data := Data{Projects: Sample().Projects}
	for i := range n {
		e := Entity{ID: ID('e', i), EntityType: types[rng.IntN(4)], Title: fmt.Sprintf("%c title %d", "aAbBzZ"[rng.IntN(6)], rng.IntN(5)),
			Slug: fmt.Sprint("slug-", i), Status: "draft", ProjectID: DefaultProject, ComparisonTargets: []string{},
			CreatedAt: At(rng.IntN(10)), UpdatedAt: At(rng.IntN(10))}
		if i%3 == 1 {
			summary := fmt.Sprint("summary ", i)
			e.Summary = &summary
		}
		if i%10 == 9 {
			e.ProjectID = OtherProject
		}
		data.Entities = append(data.Entities, e)
	}
	end := func() (string, string) {
		if rng.IntN(8) == 0 {
			return "sourceItem", ID('a', rng.IntN(3))
		}
		e := data.Entities[rng.IntN(n)]
		return e.EntityType, e.ID
	}
	for i := range m {
		l := Relation{ID: ID('b', i), RelationType: kinds[rng.IntN(len(kinds))], ProjectID: DefaultProject, CreatedAt: At(rng.IntN(10))}
		l.FromEntityType, l.FromEntityID = end()
		l.ToEntityType, l.ToEntityID = end()
		if i%3 > 0 {
			notes := fmt.Sprint("notes ", i%7)
			l.Notes = &notes
		}
		data.Relations = append(data.Relations, l)
	}
	return data
}
