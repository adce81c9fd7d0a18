package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// TestBodies checks that any unexpected body is an error.
func TestBodies(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	const pagination = `"pagination":{"page":1,"limit":20,"total":0,"hasMore":false}`
	faults := map[string]fakebackend.Fault{
		"nothing":               fakebackend.Reply(200, "application/json", ""),
		"HTML":                  fakebackend.Reply(200, "text/html", "<!DOCTYPE html>"),
		"null":                  fakebackend.Reply(200, "application/json", "null"),
		"an array":              fakebackend.Reply(200, "application/json", "[]"),
		"no data":               fakebackend.Reply(200, "application/json", `{`+pagination+`}`),
		"data null":             fakebackend.Reply(200, "application/json", `{"data":null,`+pagination+`}`),
		"data a number":         fakebackend.Reply(200, "application/json", `{"data":1,`+pagination+`}`),
		"a row null":            fakebackend.Reply(200, "application/json", `{"data":[null],`+pagination+`}`),
		"no pagination":         fakebackend.Reply(200, "application/json", `{"data":[]}`),
		"text behind it":        fakebackend.Reply(200, "application/json", `{"data":[],`+pagination+`} {}`),
		"doubled data":          fakebackend.Reply(200, "application/json", `{"data":[],"data":[],`+pagination+`}`),
		"broken UTF-8":          fakebackend.Reply(200, "application/json", "{\"data\":[],\"\xff\":1,"+pagination+`}`),
		"half of it":            backend.Cut,
		"another page":          fakebackend.Reply(200, "application/json", `{"data":[],"pagination":{"page":2,"limit":20,"total":0,"hasMore":false}}`),
		"another limit":         fakebackend.Reply(200, "application/json", `{"data":[],"pagination":{"page":1,"limit":10,"total":0,"hasMore":false}}`),
		"page a text":           fakebackend.Reply(200, "application/json", `{"data":[],"pagination":{"page":"1","limit":20,"total":0,"hasMore":false}}`),
		"a total below nothing": fakebackend.Reply(200, "application/json", `{"data":[],"pagination":{"page":1,"limit":20,"total":-1,"hasMore":false}}`),
		"a broken total":        fakebackend.Reply(200, "application/json", `{"data":[],"pagination":{"page":1,"limit":20,"total":0.5,"hasMore":false}}`),
		"a page of nothing":     fakebackend.Reply(200, "application/json", `{"data":[],"pagination":{"page":1,"limit":20,"total":5000,"hasMore":true}}`),
		"no hasMore":            fakebackend.Reply(200, "application/json", `{"data":[],"pagination":{"page":1,"limit":20,"total":0}}`),
	}
	for name, fault := range faults {
		backend.SetFault(fault)
		for asked, ask := range questions(c) {
			if asked == "entity" || asked == "graph" { // these have no page and no list
				if strings.Contains(name, "page") || strings.Contains(name, "limit") || strings.Contains(name, "total") {
					continue
				}
			}
			if err := ask(t.Context()); err == nil || told(err) {
				t.Errorf("%s of %s: %v", name, asked, err)
			}
		}
	}
}

// TestTotals checks that a page with more rows than the total is an error.
func TestTotals(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	for total, fits := range map[int]bool{0: false, 4: false, 5: true, 500: true} {
		backend.SetFault(backend.Edit(func(_ *http.Request, body map[string]any) { body["pagination"].(map[string]any)["total"] = total }))
		if page, err := c.Entities(t.Context(), project, entities.EntityFilter{}, first); (err == nil) != fits {
			t.Errorf("%d rows of %d: %v", len(page.Rows), total, err)
		}
	}
}

// TestSizes checks the size limit for compressed and uncompressed answers.
func TestSizes(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	for name, fault := range map[string]fakebackend.Fault{
		"128 MB": fakebackend.Huge(128<<20, false), "128 MB, compressed": fakebackend.Huge(128<<20, true),
	} {
		backend.SetFault(fault)
		if _, err := c.Projects(t.Context(), first); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("%s: %v", name, err)
		}
	}
	backend.SetFault(fakebackend.Reply(200, "application/json", strings.Repeat(" ", 4<<20)+`{"data":[],"pagination":{"page":1,"limit":20,"total":0,"hasMore":false}}`))
	if _, err := c.Projects(t.Context(), first); err != nil {
		t.Errorf("4 MB are not read: %v", err)
	}
}

// rowsOf returns the rows in a body, from a list or a graph.
func rowsOf(body map[string]any) []map[string]any {
	data, ok := body["data"].(map[string]any)
	if !ok {
		return objects(body["data"])
	}
	if root, ok := data["rootEntity"].(map[string]any); ok {
		return append(objects(data["relationships"]), root)
	}
	return []map[string]any{data}
}

func objects(list any) (out []map[string]any) {
	elements, _ := list.([]any)
	for _, element := range elements {
		if object, ok := element.(map[string]any); ok {
			out = append(out, object)
		}
	}
	return out
}

// optional lists the members that a row may omit.
var optional = []string{"fromEntityType", "toEntityType"}

// TestRows checks each kind of row with each member missing or of the wrong type.
func TestRows(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	for asked, ask := range questions(c) {
		members := map[string]bool{}
		backend.SetFault(backend.Edit(func(_ *http.Request, body map[string]any) {
			for _, row := range rowsOf(body) {
				for name := range row {
					members[name] = true
				}
			}
		}))
		if err := ask(t.Context()); err != nil {
			t.Fatal(asked, err)
		}
		for _, name := range optional {
			delete(members, name)
		}
		if len(members) < 6 {
			t.Errorf("%s has the members %v only", asked, members)
		}
		for name := range members {
			for what, spoil := range map[string]func(map[string]any){
				"left out":  func(row map[string]any) { delete(row, name) },
				"an object": func(row map[string]any) { row[name] = map[string]any{} },
				"a boolean": func(row map[string]any) { row[name] = true },
			} {
				backend.SetFault(backend.Edit(func(_ *http.Request, body map[string]any) {
					for _, row := range rowsOf(body) {
						if _, ok := row[name]; ok {
							spoil(row)
						}
					}
				}))
				if err := ask(t.Context()); err == nil || told(err) {
					t.Errorf("%s: %s %s: %v", asked, name, what, err)
				}
			}
		}
	}
}

// TestValues checks values that no row may have.
func TestValues(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	other := fakebackend.OtherProject
	tests := map[string][]map[string]any{
		"projects":    {{"id": "7"}, {"name": nil}, {"createdAt": "yesterday"}, {"updatedAt": "2026-02-30T00:00:00.000Z"}, {"createdAt": nil}},
		"entities":    {{"projectId": other}, {"projectId": strings.ToUpper(other)}, {"status": "deleted"}, {"status": nil}, {"entityType": "video"}, {"difficulty": "hard"}, {"conceptKind": ""}, {"comparisonTargets": []any{"x"}}, {"lastVerifiedAt": "2026-01-01"}},
		"entity":      {{"projectId": other}, {"id": fakebackend.ID('e', 2)}, {"license": 7}, {"publishedAt": "now"}},
		"graph":       {{"projectId": other, "fromEntityId": "x"}, {"id": "x"}, {"relatedEntity": map[string]any{}, "status": nil}},
		"count":       {{"projectId": other}, {"fromEntityId": fakebackend.ID('e', 2)}, {"relationType": "LIKES"}},
		"performance": {{"projectId": other}, {"ctr": 1.5}, {"ctr": -0.1}, {"ctr": "0"}, {"avgPosition": 0}, {"clicks": -1}, {"impressions": 0.5}, {"dateStart": "2026-13-01T00:00:00.000Z"}, {"entityId": ""}},
		"blocks":      {{"projectId": other}, {"claimType": "rumour"}, {"verifiedUntil": "2026-01-32T00:00:00.000Z"}, {"text": nil}, {"entityId": nil}},
	}
	for asked, values := range tests {
		for _, change := range values {
			backend.SetFault(backend.Edit(func(_ *http.Request, body map[string]any) {
				for _, row := range rowsOf(body) {
					for name, value := range change {
						if _, ok := row[name]; ok {
							row[name] = value
						}
					}
				}
			}))
			if err := questions(c)[asked](t.Context()); err == nil || told(err) {
				t.Errorf("%s with %v: %v", asked, change, err)
			}
		}
	}
}

// TestGraphs checks graphs that are invalid or belong to another request.
func TestGraphs(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	lonely := map[string]any{
		"id": fakebackend.ID('b', 77), "relationType": "GUIDE_USES_CONCEPT", "fromEntityId": fakebackend.ID('e', 70), "toEntityId": fakebackend.ID('e', 71),
		"notes": nil, "createdAt": "2026-01-01T00:00:00.000Z", "relatedEntity": nil,
	}
	for name, edit := range map[string]func(map[string]any){
		"no root":            func(data map[string]any) { delete(data, "rootEntity") },
		"no depth":           func(data map[string]any) { delete(data, "depth") },
		"no relationships":   func(data map[string]any) { data["relationships"] = nil },
		"not connected":      func(data map[string]any) { data["relationships"] = append(data["relationships"].([]any), lonely) },
		"of another type":    func(data map[string]any) { objects(data["relationships"])[0]["relationType"] = "VIDEO_EXPLAINS_NEWS" },
		"a stranger related": func(data map[string]any) { stranger(data)["id"] = fakebackend.ID('e', 70) },
		"another's id":       func(data map[string]any) { data["rootEntity"].(map[string]any)["id"] = fakebackend.ID('e', 2) },
	} {
		backend.SetFault(backend.Edit(func(_ *http.Request, body map[string]any) { edit(body["data"].(map[string]any)) }))
		if _, err := c.Graph(t.Context(), project, guide, 2, []entities.RelationType{"GUIDE_EXPLAINS_CONCEPT"}); err == nil || told(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// stranger returns the first related entity of a graph.
func stranger(data map[string]any) map[string]any {
	for _, r := range objects(data["relationships"]) {
		if related, ok := r["relatedEntity"].(map[string]any); ok {
			return related
		}
	}
	return nil
}

// FuzzAnswer checks that every answer yields an error or a page that fits the model.
func FuzzAnswer(f *testing.F) {
	sample := httptest.NewRecorder()
	fakebackend.New(fakebackend.Sample()).ServeHTTP(sample, httptest.NewRequest(http.MethodGet, "/api/entities", nil))
	f.Add(sample.Body.Bytes())
	f.Add([]byte(`{"data":[],"pagination":{"page":1,"limit":20,"total":0,"hasMore":false}}`))
	f.Add([]byte(`{"data":[{"id":"x"}],"pagination":{"page":1,"limit":20,"total":1e3,"hasMore":null}}`))
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	f.Cleanup(server.Close)
	c, err := httpapi.New(server.URL, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		body = answer
		page, err := c.Entities(t.Context(), project, entities.EntityFilter{}, first)
		if err != nil {
			return
		}
		if !json.Valid(answer) || page.Total < 0 || len(page.Rows) > first.Limit {
			t.Fatalf("taken: %s", answer)
		}
		for _, e := range page.Rows {
			if e.ProjectID != project || len(e.ID) != 36 || e.CreatedAt.String() == "" || e.Status == "" {
				t.Fatalf("taken: %+v", e)
			}
		}
	})
}
