package v1_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// TestWhatIsNotThere checks that an entity of another project and a missing one yield
// identical answers, and that a missing project is reported as such.
func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	for _, tool := range []string{"get_entity", "get_entity_graph"} {
		foreignParams := with(`"entityId":"` + fakebackend.ID('f', 1) + `"`)
		foreign := f.call(t, tool, foreignParams)
		missing := f.call(t, tool, with(`"entityId":"`+fakebackend.ID('f', 7)+`"`))
		if e := errorOf(t, foreign).Error; e.Code != "ENTITY_NOT_FOUND" || foreign != missing || f.code(t, tool, foreignParams) != -32001 {
			t.Errorf("%s: of another project %s, missing %s", tool, foreign, missing)
		}
	}
	for tool, params := range map[string]string{"get_entity": withEntity(""), "get_entity_graph": withEntity(""), "search_entities": with(`"query":"a"`)} {
		params = strings.ReplaceAll(params, project, "00000000-0000-4000-a000-00000000dead")
		if e := errorOf(t, f.call(t, tool, params)).Error; e.Code != "PROJECT_NOT_FOUND" || f.code(t, tool, params) != -32001 {
			t.Errorf("%s: %+v", tool, e)
		}
	}
}

// TestProjects checks that projects come from all pages, sorted by name ignoring case
// and then by id, at most a hundred.
func TestProjects(t *testing.T) {
	t.Parallel()
	var data fakebackend.Data
	for i := range 250 {
		data.Projects = append(data.Projects, fakebackend.Project{
			ID: fakebackend.ID('1', i), Name: []string{"b", "B", "É", "é", "a", "Z"}[i%6] + fmt.Sprint(i%2), Slug: fmt.Sprintf("slug-%03d", 250-i),
			CreatedAt: fakebackend.At(0), UpdatedAt: fakebackend.At(0),
		})
	}
	f := newFixture(t, data)
	var answer struct{ Projects []struct{ ID, Name string } }
	if err := json.Unmarshal([]byte(f.call(t, "list_projects", `{}`)), &answer); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(data.Projects, func(a, b fakebackend.Project) int {
		return 2*strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) + strings.Compare(a.ID, b.ID)
	})
	for i, p := range answer.Projects {
		if p.ID != data.Projects[i].ID {
			t.Fatalf("at %d there is %s, want %s", i, p.Name, data.Projects[i].Name)
		}
	}
	if requests, _ := f.Requests(); len(answer.Projects) != 100 || len(requests) != 3 {
		t.Errorf("%d projects after %d requests", len(answer.Projects), len(requests))
	}
}

// hits returns the ids that a search finds, and the reported total.
func (f *fixture) hits(t *testing.T, params string) (ids []string, total int) {
	t.Helper()
	var answer struct {
		Entities   []struct{ ID string }
		TotalCount int
	}
	text := f.call(t, "search_entities", params)
	if err := json.Unmarshal([]byte(text), &answer); err != nil || strings.HasPrefix(text, `{"error"`) {
		t.Fatal(text, err)
	}
	for _, e := range answer.Entities {
		ids = append(ids, e.ID)
	}
	return ids, answer.TotalCount
}

// TestSearchSortsEverything checks that a search sorts the rows of all pages in the
// contract's order, which differs from the backend's.
func TestSearchSortsEverything(t *testing.T) {
	t.Parallel()
	data := fakebackend.Random(5, 700, 0)
	f := newFixture(t, data)
	for _, types := range [][]string{nil, {"guide"}, {"news", "concept"}, {"guide", "concept", "project", "news"}} {
		var want []fakebackend.Entity
		for _, e := range data.Entities {
			if e.ProjectID == project && strings.Contains(strings.ToLower(e.Title), "z title") && (types == nil || slices.Contains(types, e.EntityType)) {
				want = append(want, e)
			}
		}
		slices.SortFunc(want, func(a, b fakebackend.Entity) int {
			return 2*b.UpdatedAt.Compare(a.UpdatedAt.Time) + strings.Compare(a.ID, b.ID)
		})
		list, err := json.Marshal(append([]string{}, types...))
		if err != nil {
			t.Fatal(err)
		}
		got, total := f.hits(t, with(`"query":"Z TITLE","limit":50,"entityTypes":`+string(list)))
		if total != len(want) || len(got) != min(50, len(want)) || len(want) < 20 {
			t.Fatalf("%v: %d of %d, want %d", types, len(got), total, len(want))
		}
		for i, id := range got {
			if id != want[i].ID {
				t.Fatalf("%v: at %d there is %s, want %s", types, i, id, want[i].ID)
			}
		}
	}
}

// pages returns a fault that answers a list of entities with generated pages.
func pages(make func(page int) (ids []int, total int)) fakebackend.Fault {
	return func(w http.ResponseWriter, r *http.Request) bool {
		var page int
		_, _ = fmt.Sscan(r.FormValue("page"), &page)
		ids, total := make(page)
		rows := []any{}
		for _, id := range ids {
			e := fakebackend.Sample().Entities[0]
			e.ID = fakebackend.ID('e', id)
			rows = append(rows, e)
		}
		answer, err := json.Marshal(map[string]any{"data": rows, "pagination": map[string]any{"page": page, "limit": 100, "total": total, "hasMore": true}})
		if err != nil {
			panic(err)
		}
		return fakebackend.Reply(200, "application/json", string(answer))(w, r)
	}
}

// span returns the numbers from a up to, but not including, b.
func span(a, b int) (numbers []int) {
	for i := a; i < b; i++ {
		numbers = append(numbers, i)
	}
	return numbers
}

// TestPagesThatAreNotInOrder checks that pages that shift during reading are accepted,
// and that endless pages are not read forever.
func TestPagesThatAreNotInOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	for name, tt := range map[string]struct {
		fault fakebackend.Fault
		total int
		code  string // "" for success
	}{
		"a row comes in front": {pages(func(page int) ([]int, int) {
			return span(100*page-100-(page-1), min(100*page-(page-1), 250)), 250 + page - 1
		}), 250, ""},
		"a row goes":           {pages(func(page int) ([]int, int) { return span(100*page-100, min(100*page, 250-page)), 250 - page }), 247, ""},
		"a page is lost":       {pages(func(page int) ([]int, int) { return span(0, 100*(2-page)), 150 }), 0, "INTERNAL_ERROR"},
		"one more page":        {pages(func(page int) ([]int, int) { return span(100*page-100, min(100*page, 101)), 99 + min(page, 2) }), 100, ""},
		"always the first":     {pages(func(int) ([]int, int) { return span(0, 100), 5000 }), 0, "INTERNAL_ERROR"},
		"the first, in part":   {pages(func(int) ([]int, int) { return span(0, 60), 5000 }), 0, "INTERNAL_ERROR"},
		"ten million":          {pages(func(int) ([]int, int) { return span(0, 100), 10_000_000 }), 0, "VALIDATION_ERROR"},
		"more with every page": {pages(func(page int) ([]int, int) { return span(100*page-100, 100*page), 100*page + 1 }), 0, "VALIDATION_ERROR"},
		"ten thousand":         {pages(func(page int) ([]int, int) { return span(100*page-100, 100*page), 10_000 }), 10_000, ""},
		"one too many":         {pages(func(page int) ([]int, int) { return span(100*page-100, 100*page), 10_001 }), 0, "VALIDATION_ERROR"},
	} {
		f.SetFault(tt.fault)
		params := with(`"query":"a"`)
		if tt.code == "" {
			if _, total := f.hits(t, params); total != tt.total {
				t.Errorf("%s: %d, want %d", name, total, tt.total)
			}
		} else if e := errorOf(t, f.call(t, "search_entities", params)).Error; e.Code != tt.code {
			t.Errorf("%s: %+v", name, e)
		}
		if requests, peak := f.Requests(); len(requests) > 110 || peak > 8 {
			t.Errorf("%s: %d requests, %d at a time", name, len(requests), peak)
		}
	}
}

// TestFaults checks, for every tool and backend fault, that the answer is an error of
// the contract without the backend's text, and that the log has the cause.
func TestFaults(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	const secret = "SELECT secret FROM backend"
	for name, fault := range map[string]fakebackend.Fault{
		"500 with HTML":     fakebackend.Reply(500, "text/html", "<html>"+secret),
		"503 of NOT_FOUND":  fakebackend.Reply(503, "application/json", `{"error":{"code":"NOT_FOUND","message":"`+secret+`"}}`),
		"404 with HTML":     fakebackend.Reply(404, "text/html", secret),
		"400":               fakebackend.Reply(400, "application/json", `{"error":{"code":"BAD_REQUEST","message":"`+secret+`"}}`),
		"401":               fakebackend.Reply(401, "application/json", `{"error":{"code":"UNAUTHORIZED","message":"`+secret+`"}}`),
		"403":               fakebackend.Reply(403, "text/html", secret),
		"half of it":        f.Cut,
		"100 MB":            fakebackend.Huge(100<<20, false),
		"another host":      fakebackend.Redirect("http://other.invalid"),
		"a circle":          fakebackend.Redirect(""),
		"closed connection": fakebackend.Abort,
		"another project":   f.Replace(project, fakebackend.OtherProject),
		"no such day":       f.Replace("2026-01-01T", "2026-02-30T"),
	} {
		f.SetFault(fault)
		for tool, params := range map[string]string{"list_projects": `{}`, "search_entities": with(`"query":"a"`), "get_entity": withEntity(""), "get_entity_graph": withEntity(`"depth":2`)} {
			if name == "another project" && tool == "list_projects" || name == "100 MB" && tool != "get_entity" {
				continue
			}
			f.log.Reset()
			answer := f.call(t, tool, params)
			if e := errorOf(t, answer).Error; e.Code != "INTERNAL_ERROR" || e.Details != nil || strings.Contains(answer, "secret") {
				t.Errorf("%s, %s: %s", name, tool, answer)
			}
			if log := f.log.String(); !strings.Contains(log, "the backend of entities failed") || !strings.Contains(log, tool) || strings.Contains(log, secret) {
				t.Errorf("%s, %s: the log says %q", name, tool, log)
			}
			if code := f.code(t, tool, params); code != -32003 {
				t.Errorf("%s, %s: the bare code is %d", name, tool, code)
			}
		}
	}
	f.SetFault(fakebackend.Hang)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, failure := f.registry.Call(ctx, "entities/get_entity", json.RawMessage(withEntity("")))
	if failure == nil || failure.Code != -32003 || !strings.Contains(failure.Message, "within 30 seconds") {
		t.Errorf("a backend that hangs: %v", failure)
	}
}

// rendezvous returns a fault that blocks requests until n are in progress.
func rendezvous(n int) fakebackend.Fault {
	together := make(chan struct{})
	var arrived atomic.Int32
	return func(_ http.ResponseWriter, r *http.Request) bool {
		if arrived.Add(1) == int32(n) {
			close(together)
		}
		select {
		case <-together:
		case <-r.Context().Done():
		}
		return false
	}
}

// TestRequestsAtTheSameTime checks that a call sends its requests concurrently.
// Sequential requests to a slow backend would exceed the time limit.
func TestRequestsAtTheSameTime(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	for _, tt := range []struct {
		tool, params string
		requests     int
	}{
		{"get_entity", withEntity(""), 3},
		{"search_entities", with(`"query":"a","entityTypes":["guide","concept","project","news"]`), 4},
	} {
		f.SetFault(rendezvous(tt.requests))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		if _, failure := f.registry.Call(ctx, "entities/"+tt.tool, json.RawMessage(tt.params)); failure != nil {
			t.Errorf("%s: %v", tt.tool, failure)
		}
		cancel()
	}
}

// TestEntityGoesBeforeItsCounts checks that a missing entity is reported as such,
// regardless of its counts.
func TestEntityGoesBeforeItsCounts(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	for name, fault := range map[string]fakebackend.Fault{"fail": fakebackend.Reply(500, "text/html", ""), "hang": fakebackend.Hang} {
		f.SetFault(func(w http.ResponseWriter, r *http.Request) bool {
			return strings.Contains(r.URL.Path, "relationships") && fault(w, r)
		})
		missing := with(`"entityId":"` + fakebackend.ID('e', 99) + `"`)
		if e := errorOf(t, f.call(t, "get_entity", missing)).Error; e.Code != "ENTITY_NOT_FOUND" {
			t.Errorf("counts that %s: %+v", name, e)
		}
	}
}

// TestCountsThatFail checks that a call fails if a count of relationships fails.
func TestCountsThatFail(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	f.SetFault(func(w http.ResponseWriter, r *http.Request) bool {
		return strings.Contains(r.URL.Path, "relationships") && fakebackend.Reply(500, "text/html", "")(w, r)
	})
	if e := errorOf(t, f.call(t, "get_entity", withEntity(""))).Error; e.Code != "INTERNAL_ERROR" {
		t.Errorf("%+v", e)
	}
}

// deadlineBackend records the deadline that it gets, and panics.
type deadlineBackend struct {
	entities.Backend
	deadline time.Time
}

func (b *deadlineBackend) Projects(ctx context.Context, _ entities.PageRequest) (entities.Page[entities.ProjectInfo], error) {
	b.deadline, _ = ctx.Deadline()
	return entities.Page[entities.ProjectInfo]{}, ctx.Err()
}

// TestDeadline checks that a call has a time limit of 30 seconds.
func TestDeadline(t *testing.T) {
	t.Parallel()
	backend := &deadlineBackend{}
	registry := registryOn(t, backend, &strings.Builder{})
	before := time.Now()
	registry.Call(t.Context(), "entities/list_projects", nil)
	if left := backend.deadline.Sub(before); left < entities.CallTimeout || backend.deadline.After(time.Now().Add(entities.CallTimeout)) {
		t.Errorf("a call has %v", left)
	}
}

// TestEveryMember checks an entity in which no nullable member is null.
func TestEveryMember(t *testing.T) {
	t.Parallel()
	data := fakebackend.Sample()
	text := func(s string) *string { return &s }
	at := func(minutes int) *fakebackend.Time { at := fakebackend.At(minutes); return &at }
	e := &data.Entities[0]
	e.ConceptKind, e.ComparisonTargets, e.ArchivedAt = text("model"), []string{fakebackend.ID('e', 2)}, at(59)
	e.RepoURL, e.RepoDefaultBranch, e.License = text("https://git.example/rye"), text("trunk"), text("MIT")
	f := newFixture(t, data)
	const want = `{"entity": {
		"id": "65000000-0000-4000-8000-000000000001", "entityType": "guide", "title": "Bake 100% rye bread", "slug": "bake-rye-bread",
		"summary": "From starter to loaf.", "difficulty": "beginner", "conceptKind": "model",
		"comparisonTargets": ["65000000-0000-4000-8000-000000000002"],
		"repoUrl": "https://git.example/rye", "repoDefaultBranch": "trunk", "license": "MIT", "status": "published",
		"canonicalUrl": "https://bakery.example/guides/rye", "contentRef": "guides/rye.md",
		"publishedAt": "2026-01-01T00:09:00.000Z", "archivedAt": "2026-01-01T00:59:00.000Z",
		"createdAt": "2026-01-01T00:01:00.000Z", "updatedAt": "2026-01-01T00:30:00.000Z",
		"relationshipCounts": {"outgoing": 4, "incoming": 2}
	}}`
	if got := f.call(t, "get_entity", withEntity("")); got != rpctest.Compact(t, []byte(want)) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
