package v1_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// plain is a simple implementation of the contract's definition of a graph.
type plain struct {
	data   fakebackend.Data
	entity map[string]fakebackend.Entity
	level  map[string]int
	edges  []fakebackend.Relation // between entities of the project, of the requested types
}

func newPlain(data fakebackend.Data, root string, depth int, types []string) *plain {
	p := &plain{data: data, entity: map[string]fakebackend.Entity{}, level: map[string]int{root: 0}}
	for _, e := range data.Entities {
		if e.ProjectID == project {
			p.entity[e.ID] = e
		}
	}
	for _, l := range data.Relations {
		_, from := p.entity[l.FromEntityID]
		_, to := p.entity[l.ToEntityID]
		if from && to && (len(types) == 0 || slices.Contains(types, l.RelationType)) {
			p.edges = append(p.edges, l)
		}
	}
	for d := range depth {
		for _, l := range p.edges {
			for _, ends := range [][2]string{{l.FromEntityID, l.ToEntityID}, {l.ToEntityID, l.FromEntityID}} {
				at, reached := p.level[ends[0]]
				if _, known := p.level[ends[1]]; reached && at == d && !known {
					p.level[ends[1]] = d + 1
				}
			}
		}
	}
	return p
}

func (p *plain) nodes(depth int) (lines []string) {
	ids := []string{}
	for id := range p.level {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(p.level[a]-p.level[b], strings.Compare(strings.ToLower(p.entity[a].Title), strings.ToLower(p.entity[b].Title)), strings.Compare(a, b))
	})
	for _, id := range ids[:min(len(ids), 100)] {
		e := p.entity[id]
		lines = append(lines, fmt.Sprintf("%s %s %q %s %s %d%s", id, e.EntityType, e.Title, e.Slug, e.Status, p.level[id], optional(e.Summary)))
	}
	return lines
}

// optional formats a text that may be nil.
func optional(text *string) string {
	if text == nil {
		return ""
	}
	return fmt.Sprintf(" %q", *text)
}

func (p *plain) lines(depth int, nodes []string) (lines []string) {
	kept := map[string]bool{}
	for _, n := range nodes {
		kept[n[:36]] = true
	}
	for _, l := range p.edges {
		if kept[l.FromEntityID] && kept[l.ToEntityID] && (p.level[l.FromEntityID] < depth || p.level[l.ToEntityID] < depth) {
			lines = append(lines, l.FromEntityID+" "+l.ToEntityID+" "+l.RelationType+optional(l.Notes))
		}
	}
	slices.Sort(lines)
	return lines[:min(len(lines), 200)]
}

func TestGraphIsThatOfThePlainComputation(t *testing.T) {
	t.Parallel()
	graphs := uint64(1000)
	if testing.Short() {
		graphs = 200
	}
	backend := fakebackend.New(fakebackend.Data{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { backend.ServeHTTP(w, r) }))
	defer server.Close()
	client, err := httpapi.New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{registry: registryOn(t, client, &strings.Builder{})}
	manyNodes, manyEdges := 0, 0
	for seed := range graphs {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := 2 + rng.IntN(20)
		m := rng.IntN(5 * n)
		if seed%25 == 0 {
			n = 140 + rng.IntN(80)
			m = 15*n + rng.IntN(10*n)
		}
		data := fakebackend.Random(seed, n, m)
		backend = fakebackend.New(data)
		depth := 1 + rng.IntN(2)
		var types []string
		if rng.IntN(3) == 0 {
			types = []string{"GUIDE_USES_CONCEPT", "GUIDE_REFERENCES_SOURCE"}
		}
		list, err := json.Marshal(append([]string{}, types...))
		if err != nil {
			t.Fatal(err)
		}
		nodes, edges := f.graph(t, withEntity(fmt.Sprintf(`"depth":%d,"relationshipTypes":%s`, depth, list)))
		p := newPlain(data, fakebackend.ID('e', 1), depth, types)
		if want := p.nodes(depth); !slices.Equal(nodes, want) {
			t.Fatalf("seed %d, depth %d: nodes\n%s\nwant\n%s", seed, depth, strings.Join(nodes, "\n"), strings.Join(want, "\n"))
		}
		if want := p.lines(depth, nodes); !slices.Equal(edges, want) {
			t.Fatalf("seed %d, depth %d: edges\n%s\nwant\n%s", seed, depth, strings.Join(edges, "\n"), strings.Join(want, "\n"))
		}
		if len(p.level) > 100 {
			manyNodes++
		}
		if len(edges) == 200 {
			manyEdges++
		}
	}
	if manyNodes < 3 || manyEdges < 3 {
		t.Errorf("%d graphs had more than 100 nodes, %d 200 edges: too few to show anything", manyNodes, manyEdges)
	}
}

// graph returns the nodes and edges of a graph as lines.
func (f *fixture) graph(t *testing.T, params string) (nodes, edges []string) {
	t.Helper()
	var g struct {
		Nodes []struct {
			ID, EntityType, Title, Slug, Status string
			Summary                             *string
			Depth                               int
		}
		Edges []struct {
			FromEntityID, ToEntityID, RelationType string
			Notes                                  *string
		}
	}
	answer := f.call(t, "get_entity_graph", params)
	if err := json.Unmarshal([]byte(answer), &g); err != nil || len(g.Nodes) == 0 {
		t.Fatal(answer, err)
	}
	for _, n := range g.Nodes {
		nodes = append(nodes, fmt.Sprintf("%s %s %q %s %s %d%s", n.ID, n.EntityType, n.Title, n.Slug, n.Status, n.Depth, optional(n.Summary)))
	}
	for _, e := range g.Edges {
		edges = append(edges, e.FromEntityID+" "+e.ToEntityID+" "+e.RelationType+optional(e.Notes))
	}
	return nodes, edges
}

// hub returns data with an entity whose neighbours each have one more neighbour.
func hub(neighbours int) fakebackend.Data {
	data := fakebackend.Data{Projects: fakebackend.Sample().Projects}
	for i := 1; i <= 2*neighbours+1; i++ {
		data.Entities = append(data.Entities, fakebackend.Entity{ID: fakebackend.ID('e', i), EntityType: "concept", Title: fmt.Sprintf("Title %03d", i), Slug: fmt.Sprint("slug-", i),
			Status: "draft", ProjectID: project, CreatedAt: fakebackend.At(i), UpdatedAt: fakebackend.At(i)})
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

// TestRequestsOfACall checks the total and concurrent numbers of requests of a call.
func TestRequestsOfACall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		neighbours, depth, requests, nodes, edges int
	}{
		{49, 1, 50, 50, 49}, {49, 2, 99, 99, 98}, {300, 1, 100, 100, 99}, {300, 2, 100, 100, 99}, // with a summary for each node
	} {
		f := newFixture(t, hub(tt.neighbours))
		for range 2 { // nothing is cached
			nodes, edges := f.graph(t, withEntity(fmt.Sprintf(`"depth":%d`, tt.depth)))
			requests, peak := f.Requests()
			if len(requests) != tt.requests || peak > 8 || len(nodes) != tt.nodes || len(edges) != tt.edges {
				t.Errorf("%+v: %d requests, %d at a time, %d nodes, %d edges", tt, len(requests), peak, len(nodes), len(edges))
			}
		}
	}
}

// TestNodeThatVanishes checks that an entity deleted during the call remains as a node
// without neighbours.
func TestNodeThatVanishes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, hub(2))
	f.SetFault(func(w http.ResponseWriter, r *http.Request) bool {
		return strings.Contains(r.URL.Path, fakebackend.ID('e', 2)) &&
			fakebackend.Reply(404, "application/json", `{"error":{"code":"NOT_FOUND","message":"Entity not found"}}`)(w, r)
	})
	if nodes, edges := f.graph(t, withEntity(`"depth":2`)); len(nodes) != 4 || len(edges) != 3 {
		t.Errorf("%v %v", nodes, edges)
	}
}

// TestNodeThatCannotBeAskedFor checks that a node has no neighbours of its own if the
// backend rejects the version of its id.
func TestNodeThatCannotBeAskedFor(t *testing.T) {
	t.Parallel()
	data := hub(2)
	const young = "65000000-0000-7000-8000-000000000002"
	old := fakebackend.ID('e', 2)
	data.Entities[1].ID = young
	for i := range data.Relations {
		for _, end := range []*string{&data.Relations[i].FromEntityID, &data.Relations[i].ToEntityID} {
			if *end == old {
				*end = young
			}
		}
	}
	f := newFixture(t, data)
	nodes, edges := f.graph(t, withEntity(`"depth":2`))
	if len(nodes) != 4 || len(edges) != 3 || !strings.HasPrefix(nodes[1], young) {
		t.Errorf("%v %v", nodes, edges)
	}
}

// TestSummaries checks that every node has its entity's summary, or null if there is
// none. If the backend does not return it, it is absent and the call succeeds.
func TestSummaries(t *testing.T) {
	t.Parallel()
	f := newFixture(t, hub(1))
	if answer := f.call(t, "get_entity_graph", withEntity(`"depth":1`)); strings.Count(answer, `"summary":null`) != 2 {
		t.Errorf("got %s", answer)
	}
}
