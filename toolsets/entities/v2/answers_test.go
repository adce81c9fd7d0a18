package v2_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// TestWhatIsNotThere checks, for every tool, that an entity of another project and a
// missing one yield identical answers, as does a missing project.
func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	for _, tool := range []string{"get_entity", "get_entity_graph"} {
		foreign := f.call(t, tool, with(`"entityId":"`+fakebackend.ID('f', 1)+`"`))
		missing := f.call(t, tool, with(`"entityId":"`+fakebackend.ID('f', 7)+`"`))
		if code, _ := errorOf(t, foreign); code != "NOT_FOUND" || foreign != missing {
			t.Errorf("%s: of another project %s, missing %s", tool, foreign, missing)
		}
	}
	for _, tool := range []string{"get_entity", "get_entity_graph", "search_entities", "list_search_performance", "list_quotable_blocks"} {
		params := strings.ReplaceAll(withEntity(""), project, "00000000-0000-4000-a000-00000000dead")
		if tool == "search_entities" {
			params = `{"projectId":"00000000-0000-4000-a000-00000000dead"}`
		}
		if code, message := errorOf(t, f.call(t, tool, params)); code != "NOT_FOUND" || !strings.HasPrefix(message, "Project not found") {
			t.Errorf("%s: %s %s", tool, code, message)
		}
	}
	for _, tool := range []string{"list_search_performance", "list_quotable_blocks"} {
		foreign := f.call(t, tool, with(`"entityId":"`+fakebackend.ID('f', 1)+`"`))
		if want := `{"data":[],"pagination":{"page":1,"limit":20,"total":0,"hasMore":false}}`; foreign != want {
			t.Errorf("%s of another project's entity: %s", tool, foreign)
		}
	}
	if code := f.code(t, "get_entity", with(`"entityId":"`+fakebackend.ID('f', 7)+`"`)); code != -32001 {
		t.Errorf("the bare code is %d", code)
	}
}

// code returns the error code of a bare call and checks that the message matches the
// envelope.
func (f *fixture) code(t *testing.T, tool, params string) rpc.Code {
	t.Helper()
	_, failure := f.registry.Call(t.Context(), "entities/"+tool, json.RawMessage(params))
	if failure == nil {
		t.Fatalf("%s %s does not fail", tool, params)
	}
	data, err := json.Marshal(failure.Data)
	if err != nil {
		t.Fatal(err)
	}
	if _, message := errorOf(t, string(data)); message != failure.Message {
		t.Errorf("the message is %q, that of the envelope %q", failure.Message, message)
	}
	return failure.Code
}

// TestPages checks that the last page has no next page.
func TestPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Random(3, 41, 0)) // 37 of them in the project
	for _, tt := range []struct {
		page, limit string
		rows        int
		want        string
	}{
		{"1", "37", 37, `"pagination":{"page":1,"limit":37,"total":37,"hasMore":false}}`},
		{"1", "36", 36, `"pagination":{"page":1,"limit":36,"total":37,"hasMore":true}}`},
		{"2", "36", 1, `"pagination":{"page":2,"limit":36,"total":37,"hasMore":false}}`},
		{"3", "36", 0, `"pagination":{"page":3,"limit":36,"total":37,"hasMore":false}}`},
	} {
		answer := f.call(t, "search_entities", with(`"page":`+tt.page+`,"limit":`+tt.limit))
		if rows := strings.Count(answer, `"slug":`); rows != tt.rows || !strings.HasSuffix(answer, tt.want) {
			t.Errorf("page %s of %s: %d rows, %s", tt.page, tt.limit, rows, answer[max(0, len(answer)-100):])
		}
	}
}

// TestFaults checks, for every tool and backend fault, that the answer is an error of
// the contract without the backend's text, and that the log has the cause.
func TestFaults(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	const secret = "SELECT secret FROM backend"
	calls := map[string]string{
		"list_projects": `{}`, "search_entities": with(""), "get_entity": withEntity(""), "get_entity_graph": withEntity(`"depth":2`),
		"list_search_performance": with(""), "list_quotable_blocks": with(""),
	}
	faults := map[string]struct {
		fault fakebackend.Fault
		code  string
	}{
		"500 with HTML":       {fakebackend.Reply(500, "text/html", "<html>"+secret), "SERVER_ERROR"},
		"200 with HTML":       {fakebackend.Reply(200, "text/html", "<html>"+secret), "SERVER_ERROR"},
		"503 of NOT_FOUND":    {fakebackend.Reply(503, "application/json", `{"error":{"code":"NOT_FOUND","message":"`+secret+`"}}`), "SERVER_ERROR"},
		"404 with HTML":       {fakebackend.Reply(404, "text/html", secret), "SERVER_ERROR"},
		"400":                 {fakebackend.Reply(400, "application/json", `{"error":{"code":"BAD_REQUEST","message":"`+secret+`"}}`), "SERVER_ERROR"},
		"401":                 {fakebackend.Reply(401, "application/json", `{"error":{"code":"UNAUTHORIZED","message":"`+secret+`"}}`), "UNAUTHORIZED"},
		"403":                 {fakebackend.Reply(403, "text/html", secret), "FORBIDDEN"},
		"half of it":          {f.Cut, "SERVER_ERROR"},
		"100 MB":              {fakebackend.Huge(100<<20, false), "SERVER_ERROR"},
		"another host":        {fakebackend.Redirect("http://other.invalid"), "SERVER_ERROR"},
		"a circle":            {fakebackend.Redirect(""), "SERVER_ERROR"},
		"closed connection":   {fakebackend.Abort, "SERVER_ERROR"},
		"another project":     {f.Replace(project, fakebackend.OtherProject), "SERVER_ERROR"},
		"an unknown status":   {f.Replace("published", "gone"), "SERVER_ERROR"},
		"a day there is none": {f.Replace("2026-01-01T", "2026-02-30T"), "SERVER_ERROR"},
	}
	for name, fault := range faults {
		f.SetFault(fault.fault)
		for tool, params := range calls {
			if name == "another project" && tool == "list_projects" || name == "100 MB" && tool != "get_entity" || name == "an unknown status" && !strings.Contains(tool, "entit") {
				continue
			}
			f.log.Reset()
			answer := f.call(t, tool, params)
			if code, _ := errorOf(t, answer); code != fault.code || strings.Contains(answer, "secret") {
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
}

// TestTimeout checks that a call has a time limit of 30 seconds, and reports when it is
// exceeded.
func TestTimeout(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	f.SetFault(fakebackend.Hang)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, failure := f.registry.Call(ctx, "entities/get_entity", json.RawMessage(withEntity("")))
	if failure == nil || failure.Code != -32003 || !strings.Contains(failure.Message, "within 30 seconds") {
		t.Errorf("a backend that hangs: %v", failure)
	}
	clock := &clockBackend{}
	registry := registryOn(t, clock, f.log)
	before := time.Now()
	registry.Call(t.Context(), "entities/list_projects", nil)
	if left := clock.deadline.Sub(before); left < entities.CallTimeout || clock.deadline.After(time.Now().Add(entities.CallTimeout)) {
		t.Errorf("a call has %v", left)
	}
}

// clockBackend records the deadline that it gets.
type clockBackend struct {
	entities.Backend
	deadline time.Time
}

func (b *clockBackend) Projects(ctx context.Context, _ entities.PageRequest) (entities.Page[entities.ProjectInfo], error) {
	b.deadline, _ = ctx.Deadline()
	panic("for the next test")
}

// TestPanic checks that an internal error has the form of the contract.
func TestPanic(t *testing.T) {
	t.Parallel()
	f := &fixture{registry: registryOn(t, &clockBackend{}, &strings.Builder{})}
	answer := f.call(t, "list_projects", `{}`)
	if code, _ := errorOf(t, answer); code != "SERVER_ERROR" || strings.Contains(answer, "next test") {
		t.Errorf("a panic: %s", answer)
	}
}

// TestEveryMember checks an entity in which no nullable member is null.
func TestEveryMember(t *testing.T) {
	t.Parallel()
	data := fakebackend.Sample()
	text := func(s string) *string { return &s }
	e := &data.Entities[0]
	e.ConceptKind, e.RepoURL = text("model"), text("https://git.example/rye")
	f := newFixture(t, data)
	const want = `{"data": {
		"id": "65000000-0000-4000-8000-000000000001", "projectId": "00000000-0000-4000-a000-000000000001",
		"entityType": "guide", "title": "Bake 100% rye bread", "slug": "bake-rye-bread", "summary": "From starter to loaf.",
		"difficulty": "beginner", "conceptKind": "model", "repoUrl": "https://git.example/rye", "status": "published",
		"canonicalUrl": "https://bakery.example/guides/rye", "lastVerifiedAt": "2026-01-01T00:20:00.000Z",
		"createdAt": "2026-01-01T00:01:00.000Z", "updatedAt": "2026-01-01T00:30:00.000Z"
	}}`
	if got := f.call(t, "get_entity", withEntity("")); got != rpctest.Compact(t, []byte(want)) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
