package instructions_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// goldenLevels are the scores that ranked search reaches on the golden queries, rounded
// down slightly so that new instructions do not fail the test.
var goldenLevels = map[string]golden{
	"all":      {hit: 0.87, reciprocal: 0.89},
	"tuned":    {hit: 0.89, reciprocal: 0.90},
	"held out": {hit: 0.83, reciprocal: 0.86},
}

// leastAbstained is the minimum number of unanswerable golden queries for which the
// search must find nothing.
const leastAbstained = 16

// golden measures the quality of the answers to some queries: the share whose first
// entry is the expected one (Hit@1), and the mean of 1 divided by the rank of the
// expected entry (MRR).
type golden struct {
	queries         int
	hit, reciprocal float64
}

func (g *golden) add(place int) {
	g.queries++
	n := float64(g.queries)
	hit, reciprocal := 0.0, 0.0
	if place == 1 {
		hit = 1
	}
	if place > 0 {
		reciprocal = 1 / float64(place)
	}
	g.hit += (hit - g.hit) / n
	g.reciprocal += (reciprocal - g.reciprocal) / n
}

// TestGoldenQueries runs queries of people and agents, and prints the results that
// differ from the expected ones. Every third query was not used for choosing weights and
// rules.
func TestGoldenQueries(t *testing.T) {
	t.Parallel()
	c := goldenCatalog(t)
	reached := map[string]*golden{"all": {}, "tuned": {}, "held out": {}}
	abstained, unanswerable := 0, 0
	for n, q := range goldenQueries(t) {
		found := strings.Fields(ids(c.call("instructions/search", `{"mode":"ranked","fields":["id"],"q":`+jsonText(q.text)+`}`).Items))
		if len(q.expected) == 0 {
			unanswerable++
			if len(found) == 0 {
				abstained++
				continue
			}
			t.Logf("%q: nothing is expected, came %d: %q", q.text, len(found), first(found, 3))
			continue
		}
		part := "tuned"
		if n%3 == 2 {
			part = "held out"
		}
		place := 1 + slices.IndexFunc(found, func(id string) bool { return slices.Contains(q.expected, id) })
		reached["all"].add(place)
		reached[part].add(place)
		if place != 1 {
			t.Logf("%q (%s): %s is expected and at place %d of %d: %q", q.text, part, q.expected, place, len(found), first(found, 3))
		}
	}
	for part, g := range reached {
		t.Logf("%s: %d queries, Hit@1 %.3f, MRR %.3f", part, g.queries, g.hit, g.reciprocal)
		if least := goldenLevels[part]; g.queries < 30 || g.hit < least.hit || g.reciprocal < least.reciprocal {
			t.Errorf("%s: at least Hit@1 %.2f and MRR %.2f of 30 queries or more are wanted", part, least.hit, least.reciprocal)
		}
	}
	t.Logf("nothing found: %d of %d that nothing answers", abstained, unanswerable)
	if abstained < leastAbstained {
		t.Errorf("nothing must be found at least %d times", leastAbstained)
	}
}

func first(ids []string, n int) []string { return ids[:min(n, len(ids))] }

type goldenQuery struct {
	text     string
	expected []string // acceptable ids; empty if nothing should be found
}

func goldenQueries(t *testing.T) (queries []goldenQuery) {
	t.Helper()
	text, err := os.ReadFile("testdata/ranked/queries.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		query, expected, ok := strings.Cut(line, " =>")
		if !ok {
			t.Fatalf("no => in %q", line)
		}
		queries = append(queries, goldenQuery{query, strings.Fields(expected)})
	}
	return queries
}

// goldenCatalog returns the project's own catalog with rules of other trades added.
func goldenCatalog(t *testing.T) *catalog {
	t.Helper()
	rules, err := txtar.ParseFile("testdata/ranked/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range rules.Files {
		files[f.Name] = string(f.Data)
	}
	c := open(t, files)
	if err := os.CopyFS(c.dir, os.DirFS(filepath.Join("..", "..", "instructions"))); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, e := range c.call("instructions/list", `{"fields":["id"]}`).Items {
		known[e.ID] = true
	}
	var health struct {
		Catalog struct{ Errors, Warnings int }
	}
	if err := json.Unmarshal([]byte(c.raw("health/check", `{"detail":true}`)), &health); err != nil || health.Catalog.Errors+health.Catalog.Warnings > 0 {
		t.Fatalf("the catalog has faults: %v: %s", err, c.raw("health/check", `{"detail":true}`))
	}
	for _, q := range goldenQueries(t) {
		for _, id := range q.expected {
			if !known[id] {
				t.Errorf("%q: there is no entry %s to expect", q.text, id)
			}
		}
	}
	return c
}
