package v1_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

const project = fakebackend.DefaultProject

// with returns params for the sample project with more members.
func with(members string) string {
	return `{"projectId":"` + project + `"` + strings.TrimSuffix(","+members, ",") + `}`
}

func withEntity(members string) string {
	return with(strings.TrimSuffix(`"entityId":"`+fakebackend.ID('e', 1)+`",`+members, ","))
}

// contractError is the form of an error in the contract.
type contractError struct {
	Error struct {
		Code, Message string
		Details       *struct{ Field string }
	}
}

func errorOf(t *testing.T, answer string) contractError {
	t.Helper()
	var e contractError
	dec := json.NewDecoder(strings.NewReader(answer))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil || e.Error.Code == "" || e.Error.Message == "" {
		t.Fatalf("%.300s is no error of the contract: %v", answer, err)
	}
	return e
}

// code returns the error code of a bare call.
func (f *fixture) code(t *testing.T, tool, params string) rpc.Code {
	t.Helper()
	_, failure := f.registry.Call(t.Context(), "entities/"+tool, json.RawMessage(params))
	if failure == nil {
		t.Fatalf("%s %s does not fail", tool, params)
	}
	return failure.Code
}

// TestParamsThatAreRefused checks each param at and beyond its limits. A rejected call
// does not reach the backend, and its error names the param.
func TestParamsThatAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	all := `"` + strings.Join(slices.Repeat([]string{"GUIDE_USES_CONCEPT"}, 51), `","`) + `"`
	for _, tt := range []struct{ tool, params, field, want string }{
		{"list_projects", `{"page":1}`, "page", "is not known here"},
		{"search_entities", `{}`, "projectId", "is required"},
		{"search_entities", with(""), "query", "is required"},
		{"search_entities", with(`"query":""`), "query", "must not be empty"},
		{"search_entities", with(`"query":null`), "query", "must be a string"},
		{"search_entities", with(`"query":"a\u0000"`), "query", "NUL"},
		{"search_entities", with(`"query":"` + strings.Repeat("ü", 257) + `"`), "query", "at most 256 characters"},
		{"search_entities", with(`"query":"a","limit":0`), "limit", "at least 1"},
		{"search_entities", with(`"query":"a","limit":51`), "limit", "at most 50"},
		{"search_entities", with(`"query":"a","limit":"5"`), "limit", "must be an integer"},
		{"search_entities", with(`"query":"a","limit":null`), "limit", "must be an integer"},
		{"search_entities", with(`"query":"a","limit":1e400`), "limit", ""},
		{"search_entities", with(`"query":"a","page":1`), "page", "is not known here"},
		{"search_entities", with(`"query":"a","entityTypes":"guide"`), "entityTypes", "must be an array"},
		{"search_entities", with(`"query":"a","entityTypes":["video"]`), "entityTypes", "must be one of: guide, concept, project, news"},
		{"search_entities", with(`"query":"a","entityTypes":["guide",null]`), "entityTypes", "must be"},
		{"search_entities", with(`"query":"a","entityTypes":["guide","guide"]`), "entityTypes", "must not have guide twice"},
		{"search_entities", with(`"query":"a","entityTypes":["guide","concept","project","news","guide"]`), "entityTypes", "at most 4"},
		{"get_entity", with(`"entityId":"x"`), "entityId", "must be a UUID"},
		{"get_entity", with(`"entityId":"00000000-0000-7000-a000-000000000001"`), "entityId", "must be a UUID of version 1 to 5"},
		{"get_entity", `{"projectId":"","entityId":"` + project + `"}`, "projectId", "must be a UUID"},
		{"get_entity", withEntity(`"depth":1`), "depth", "is not known here"},
		{"get_entity_graph", withEntity(`"depth":0`), "depth", "at least 1"},
		{"get_entity_graph", withEntity(`"depth":3`), "depth", "at most 2"},
		{"get_entity_graph", withEntity(`"depth":1.5`), "depth", "integer"},
		{"get_entity_graph", withEntity(`"relationshipTypes":"GUIDE_USES_CONCEPT"`), "relationshipTypes", "must be an array"},
		{"get_entity_graph", withEntity(`"relationshipTypes":["guide_uses_concept"]`), "relationshipTypes", "must be one of: GUIDE_USES_CONCEPT, GUIDE_EXPLAINS_CONCEPT"},
		{"get_entity_graph", withEntity(`"relationshipTypes":["PROJECT_HAS_GUIDE","PROJECT_HAS_GUIDE"]`), "relationshipTypes", "must not have PROJECT_HAS_GUIDE twice"},
		{"get_entity_graph", withEntity(`"relationshipTypes":[` + all + `]`), "relationshipTypes", "at most 50"},
	} {
		e := errorOf(t, f.call(t, tt.tool, tt.params)).Error
		if e.Code != "VALIDATION_ERROR" || e.Details == nil || e.Details.Field != tt.field || !strings.Contains(e.Message, tt.want) {
			t.Errorf("%s %.200s: %+v, want %s: %s", tt.tool, tt.params, e, tt.field, tt.want)
		}
		if code := f.code(t, tt.tool, tt.params); code != rpc.InvalidParams {
			t.Errorf("%s %.200s: the bare code is %d", tt.tool, tt.params, code)
		}
	}
	if requests, _ := f.Requests(); len(requests) > 0 {
		t.Errorf("the backend was asked: %v", requests[0].URL)
	}
	for _, t2 := range entities.RelationTypes { // every type in the schema
		if answer := f.call(t, "get_entity_graph", withEntity(fmt.Sprintf(`"relationshipTypes":[%q]`, t2))); !strings.HasPrefix(answer, `{"nodes":[{`) {
			t.Errorf("%s: %s", t2, answer)
		}
	}
}

// TestParamsThatAreTaken checks params just within their limits, and how they reach the
// backend.
func TestParamsThatAreTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	id := fakebackend.ID('e', 1)
	for _, tt := range []struct {
		tool, params string
		want         []string
	}{
		{"list_projects", `{}`, []string{"/api/projects?limit=100&page=1"}},
		{"search_entities", with(`"query":" _ ","limit":50`), []string{"/api/entities?limit=100&page=1&search=+%5C_+"}},
		{"search_entities", with(`"query":"a","limit":1.0,"entityTypes":[]`), []string{"/api/entities?limit=100&page=1&search=a"}},
		{"search_entities", with(`"query":"a","entityTypes":["news","guide"]`), []string{"/api/entities?entityType=guide&limit=100&page=1&search=a", "/api/entities?entityType=news&limit=100&page=1&search=a"}},
		{"search_entities", with(`"query":"` + strings.Repeat("ü", 256) + `"`), []string{"/api/entities?limit=100&page=1&search=" + strings.Repeat("%C3%BC", 256)}},
		{"get_entity", `{"projectId":"` + strings.ToUpper(project) + `","entityId":"` + strings.ToUpper(id) + `"}`,
			[]string{"/api/entities/" + id, "/api/relationships?fromEntityId=" + id + "&limit=1&page=1", "/api/relationships?limit=1&page=1&toEntityId=" + id}},
		{"get_entity_graph", withEntity(`"relationshipTypes":[]`), []string{"/api/entities/" + id + "/graph?depth=1", "/api/entities/" + fakebackend.ID('e', 2), "/api/entities/" + fakebackend.ID('e', 5)}},
		{"get_entity_graph", withEntity(`"depth":1,"relationshipTypes":["GUIDE_USES_CONCEPT","PROJECT_HAS_GUIDE"]`),
			[]string{"/api/entities/" + id + "/graph?depth=1&relationshipTypes=GUIDE_USES_CONCEPT%2CPROJECT_HAS_GUIDE", "/api/entities/" + fakebackend.ID('e', 5)}},
	} {
		answer := f.call(t, tt.tool, tt.params)
		if strings.HasPrefix(answer, `{"error"`) {
			t.Errorf("%s %s: %s", tt.tool, tt.params, answer)
		}
		requests, _ := f.Requests()
		var got []string
		for _, r := range requests {
			got = append(got, r.URL.String())
			if tt.tool != "list_projects" && r.Header.Get("X-Project-Id") != project {
				t.Errorf("%s: for the project %q", r.URL, r.Header.Get("X-Project-Id"))
			}
		}
		slices.Sort(got) // the requests are concurrent
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %s: asks\n%s\nwant\n%s", tt.tool, tt.params, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
	if log := f.log.String(); log != "" {
		t.Errorf("the log says %s", log)
	}
}
