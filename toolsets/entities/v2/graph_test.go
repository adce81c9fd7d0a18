package v2_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// row formats a relationship with all its members as a line.
func row(id, kind, from, to string, notes *string, createdAt, related string) string {
	note := "null"
	if notes != nil {
		note = fmt.Sprintf("%q", *notes)
	}
	return strings.Join([]string{id, kind, from, to, note, createdAt, related}, " ")
}

// plainGraph computes the relationships of a graph by their definition, one line each.
func plainGraph(data fakebackend.Data, root string, depth int, types []string) (rows []string) {
	entity := map[string]string{}
	for _, e := range data.Entities {
		if e.ProjectID == project {
			entity[e.ID] = fmt.Sprint(e.ID, e.EntityType, e.Title, e.Slug, e.Status)
		}
	}
	level := map[string]int{root: 0}
	wanted := func(l fakebackend.Relation) bool { return len(types) == 0 || slices.Contains(types, l.RelationType) }
	for d := range depth {
		for _, l := range data.Relations {
			for _, ends := range [][2]string{{l.FromEntityID, l.ToEntityID}, {l.ToEntityID, l.FromEntityID}} {
				at, reached := level[ends[0]]
				if _, known := level[ends[1]]; wanted(l) && reached && at == d && !known {
					level[ends[1]] = d + 1
				}
			}
		}
	}
	relations := slices.Clone(data.Relations)
	slices.SortFunc(relations, func(a, b fakebackend.Relation) int {
		if c := b.CreatedAt.Compare(a.CreatedAt.Time); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	for _, l := range relations {
		from, fromKnown := level[l.FromEntityID]
		to, toKnown := level[l.ToEntityID]
		if !wanted(l) || !(fromKnown && from < depth || toKnown && to < depth) {
			continue
		}
		far := l.ToEntityID
		if toKnown && (!fromKnown || to < from) {
			far = l.FromEntityID
		}
		createdAt, err := l.CreatedAt.MarshalText()
		if err != nil {
			panic(err)
		}
		rows = append(rows, row(l.ID, l.RelationType, l.FromEntityID, l.ToEntityID, l.Notes, string(createdAt), cmp.Or(entity[far], "null")))
	}
	return rows
}

func TestGraphIsThatOfThePlainComputation(t *testing.T) {
	t.Parallel()
	const graphs = 1000
	backend := fakebackend.New(fakebackend.Data{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { backend.ServeHTTP(w, r) }))
	defer server.Close()
	client, err := httpapi.New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{registry: registryOn(t, client, &strings.Builder{})}
	hops, related := 0, 0
	for seed := range uint64(graphs) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := 1 + rng.IntN(25)
		data := fakebackend.Random(seed, n, rng.IntN(4*n))
		backend = fakebackend.New(data)
		depth := 1 + rng.IntN(2)
		var types []string
		if rng.IntN(3) == 0 {
			types = []string{"GUIDE_USES_CONCEPT", "GUIDE_REFERENCES_SOURCE"}
		}
		answer := f.call(t, "get_entity_graph", withEntity(fmt.Sprintf(`"depth":%d,"relationshipTypes":%q`, depth, strings.Join(types, ","))))
		if n < 2 {
			continue // skip the root
		}
		var g struct {
			Data struct {
				Relationships []struct {
					ID, RelationType, FromEntityID, ToEntityID, CreatedAt string

					Notes   *string
					Related *struct{ ID, EntityType, Title, Slug, Status string } `json:"relatedEntity"`
				}
			}
		}
		if err := json.Unmarshal([]byte(answer), &g); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range g.Data.Relationships {
			far := "null"
			if e := r.Related; e != nil {
				far = fmt.Sprint(e.ID, e.EntityType, e.Title, e.Slug, e.Status)
				related++
			}
			got = append(got, row(r.ID, r.RelationType, r.FromEntityID, r.ToEntityID, r.Notes, r.CreatedAt, far))
		}
		want := plainGraph(data, fakebackend.ID('e', 1), depth, types)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, depth %d: got\n%s\nwant\n%s", seed, depth, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		hops += len(got)
	}
	if hops < 5*graphs || related < graphs {
		t.Errorf("%d relationships, %d with an entity: too few to show anything", hops, related)
	}
}

// TestRequestsOfACall checks that a page takes one request, and that a graph takes at
// most as many extra requests as the ends that the backend omits.
func TestRequestsOfACall(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	for _, tt := range []struct {
		tool, params string
		want         int
	}{
		{"list_projects", `{}`, 1},
		{"search_entities", with(""), 1},
		{"list_search_performance", with(""), 1},
		{"list_quotable_blocks", with(""), 1},
		{"get_entity", withEntity(""), 1},
		{"get_entity_graph", withEntity(""), 1},
		{"get_entity_graph", withEntity(`"depth":2`), 2}, // the flour, whose near end is the starter
	} {
		for range 2 { // nothing is cached
			f.call(t, tt.tool, tt.params)
			if requests, _ := f.Requests(); len(requests) != tt.want {
				t.Errorf("%s %s: %d requests, want %d", tt.tool, tt.params, len(requests), tt.want)
			}
		}
	}
}

// TestManyFarEnds checks that one request fetches everything that an entity is related
// to.
func TestManyFarEnds(t *testing.T) {
	t.Parallel()
	data := fakebackend.Sample()
	starter := fakebackend.ID('e', 2)
	for i := range 50 {
		e := data.Entities[1]
		e.ID = fakebackend.ID('e', 1000+i)
		data.Entities = append(data.Entities, e)
		data.Relations = append(data.Relations, fakebackend.Relation{ID: fakebackend.ID('b', 1000+i), RelationType: "CONCEPT_RELATES_TO_CONCEPT",
			FromEntityType: "concept", FromEntityID: starter, ToEntityType: "concept", ToEntityID: e.ID, ProjectID: project, CreatedAt: fakebackend.At(i)})
	}
	f := newFixture(t, data)
	answer := f.call(t, "get_entity_graph", withEntity(`"depth":2`))
	requests, peak := f.Requests()
	if got := strings.Count(answer, `"relatedEntity":{"id":"65000000-0000-4000-8000-000000001`); got != 50 || len(requests) != 2 || peak > 8 {
		t.Errorf("%d far ends, %d requests, %d at a time", got, len(requests), peak)
	}
}

// star returns data with an entity whose neighbours each have one more neighbour.
func star(neighbours int) fakebackend.Data {
	data := fakebackend.Data{Projects: fakebackend.Sample().Projects}
	concept := fakebackend.Sample().Entities[1]
	for i := 1; i <= 2*neighbours+1; i++ {
		concept.ID = fakebackend.ID('e', i)
		data.Entities = append(data.Entities, concept)
	}
	for i := 2; i <= 2*neighbours+1; i++ {
		from := fakebackend.ID('e', 1)
		if i > neighbours+1 {
			from = fakebackend.ID('e', i-neighbours)
		}
		data.Relations = append(data.Relations, fakebackend.Relation{ID: fakebackend.ID('b', i), RelationType: "CONCEPT_RELATES_TO_CONCEPT",
			FromEntityType: "concept", FromEntityID: from, ToEntityType: "concept", ToEntityID: fakebackend.ID('e', i), ProjectID: project, CreatedAt: fakebackend.At(i)})
	}
	return data
}

// TestFetchesAtATime checks that ends without a common neighbour are fetched eight at a
// time.
func TestFetchesAtATime(t *testing.T) {
	t.Parallel()
	f := newFixture(t, star(50))
	together := make(chan struct{})
	var arrived atomic.Int32
	f.SetFault(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/graph") {
			return false
		}
		if arrived.Add(1) == 8 {
			close(together)
		}
		select {
		case <-together:
		case <-r.Context().Done():
		}
		return false
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	result, failure := f.registry.Call(ctx, "entities/get_entity_graph", json.RawMessage(withEntity(`"depth":2`)))
	if failure != nil {
		t.Fatal(failure)
	}
	requests, peak := f.Requests()
	if strings.Contains(string(result.Bytes()), `"relatedEntity":null`) || len(requests) != 51 || peak > 8 {
		t.Errorf("%d requests, %d at a time: %s", len(requests), peak, result.Bytes())
	}
}

// TestEndsThatCannotBeAskedFor checks that an end is not requested if the backend
// rejects the version of its id.
func TestEndsThatCannotBeAskedFor(t *testing.T) {
	t.Parallel()
	data := star(2)
	const young = "65000000-0000-7000-8000-000000000005"
	for i := range data.Relations {
		if data.Relations[i].ToEntityID == fakebackend.ID('e', 5) {
			data.Relations[i].ToEntityID = young
		}
	}
	f := newFixture(t, data)
	answer := f.call(t, "get_entity_graph", withEntity(`"depth":2`))
	if !strings.Contains(answer, young) || strings.Count(answer, `"relatedEntity":null`) != 1 {
		t.Error(answer)
	}
}
