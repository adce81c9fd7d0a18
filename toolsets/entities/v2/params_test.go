package v2_test

import (
	"encoding/json"
	"strings"
	"testing"

	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

const (
	project = fakebackend.DefaultProject
	long    = 1001
)

// with returns params for the sample project with more members.
func with(members string) string {
	return `{"projectId":"` + project + `"` + strings.TrimSuffix(","+members, ",") + `}`
}

func withEntity(members string) string {
	return with(strings.TrimSuffix(`"entityId":"`+fakebackend.ID('e', 1)+`",`+members, ","))
}

// errorOf returns the code and message of an error, and checks that it has the form of
// the contract.
func errorOf(t *testing.T, answer string) (code, message string) {
	t.Helper()
	var e struct {
		Error struct{ Code, Message string }
	}
	dec := json.NewDecoder(strings.NewReader(answer))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil || e.Error.Code == "" || e.Error.Message == "" {
		t.Fatalf("%s is no error of the contract: %v", answer, err)
	}
	return e.Error.Code, e.Error.Message
}

// TestParamsThatAreRefused checks each param at and beyond its limits. A rejected call
// does not reach the backend.
func TestParamsThatAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	pages := []struct{ params, want string }{
		{`"page":0`, "page: must be at least 1"},
		{`"page":-1`, "page: must be at least 1"},
		{`"page":1.5`, "page: must be an integer"},
		{`"page":"1"`, "page: must be an integer"},
		{`"page":null`, "page: must be an integer"},
		{`"page":9223372036854775807`, "page: must be at most"},
		{`"page":9223372036854775808`, "page: must be at most"},
		{`"page":1e30`, "page: must be at most"},
		{`"limit":0`, "limit: must be at least 1"},
		{`"limit":101`, "limit: must be at most 100"},
		{`"limit":[]`, "limit: must be an integer"},
		{`"limit":true`, "limit: must be an integer"},
		{`"colour":1`, "colour: is not known here"},
	}
	for _, tool := range []string{"search_entities", "list_search_performance", "list_quotable_blocks"} {
		for _, p := range pages {
			f.refuses(t, tool, with(p.params), p.want)
		}
	}
	for _, p := range pages {
		f.refuses(t, "list_projects", "{"+p.params+"}", p.want)
	}
	for _, tool := range []string{"search_entities", "list_search_performance", "list_quotable_blocks", "get_entity", "get_entity_graph"} {
		for _, id := range []string{`""`, `null`, `7`, `"x"`, `"00000000-0000-7000-a000-000000000001"`, `"00000000-0000-4000-c000-000000000001"`,
			`" 00000000-0000-4000-a000-000000000001"`, `"00000000-0000-4000-a000-000000000001\n"`, `"{00000000-0000-4000-a000-000000000001}"`} {
			if tool == "search_entities" {
				f.refuses(t, tool, `{"projectId":`+id+`}`, "projectId: must be a")
				continue
			}
			f.refuses(t, tool, `{"projectId":`+id+`,"entityId":"`+fakebackend.ID('e', 1)+`"}`, "projectId: must be a")
			f.refuses(t, tool, with(`"entityId":`+id), "entityId: must be a")
		}
		f.refuses(t, tool, `{}`, "projectId: is required")
		f.refuses(t, tool, `[]`, "by name")
	}
	for _, tt := range []struct{ tool, params, want string }{
		{"search_entities", `"entityType":"video"`, "entityType: must be one of: guide, concept, project, news"},
		{"search_entities", `"entityType":""`, "entityType: must be one of"},
		{"search_entities", `"entityType":null`, "entityType: must be"},
		{"search_entities", `"entityType":"Guide"`, "entityType: must be one of"},
		{"search_entities", `"status":"deleted"`, "status: must be one of: draft, publish_requested, published, archived"},
		{"search_entities", `"conceptKind":"x"`, "conceptKind: must be one of: standard, model, comparison"},
		{"search_entities", `"conceptKind":"model","entityType":"guide"`, "conceptKind: is for concepts only"},
		{"search_entities", `"search":null`, "search: must be a string"},
		{"search_entities", `"search":"a\u0000b"`, "search: must not contain the character NUL"},
		{"search_entities", `"search":"` + strings.Repeat("ü", long) + `"`, "search: must have at most 1000 characters"},
		{"list_search_performance", `"query":"\u0000"`, "query: must not contain"},
		{"list_search_performance", `"pageUrl":"\u0000"`, "pageUrl: must not contain"},
		{"list_search_performance", `"pageUrl":7`, "pageUrl: must be a string"},
		{"list_search_performance", `"query":"` + strings.Repeat("🥖", 1000) + `","pageUrl":"` + strings.Repeat("🥖", 1000) + `"`, "query: is too long together with pageUrl"},
		{"list_search_performance", `"query":"` + strings.Repeat("ü", 1000) + `","pageUrl":"` + strings.Repeat("🥖", 1000) + `"`, "pageUrl: is too long together with query"},
		{"list_search_performance", `"query":"` + strings.Repeat("_", 1000) + `","pageUrl":"` + strings.Repeat("🥖", 900) + `"`, "pageUrl: is too long together with query"},
		{"list_search_performance", `"dateStart":"2026-01-02","dateEnd":"2026-01-01T23:59:59.999Z"`, "dateStart: must not be after dateEnd"},
		{"list_quotable_blocks", `"claimType":"rumour"`, "claimType: must be one of: statistic, comparison, definition, howto_step"},
		{"list_quotable_blocks", `"topicTag":"\u0000"`, "topicTag: must not contain"},
	} {
		f.refuses(t, tt.tool, with(tt.params), tt.want)
	}
	for _, bad := range []string{"", "2026", "2026-1-1", "2026-02-30", "2026-02-30T00:00:00Z", "01/02/2026", "02.01.2026", "2026-01-02T00:00:00", "2026-01-02T00:00:00+00:00",
		"2026-01-02T00:00:00.1234Z", "2026-01-02T00:00:00.Z", "2026-01-02T24:00:00Z", "2026-01-02T00:60:00Z", "2026-01-02 00:00:00Z", "2026-01-02t00:00:00z", "2026-01-02Z", " 2026-01-02"} {
		for param, tool := range map[string]string{"dateStart": "list_search_performance", "dateEnd": "list_search_performance",
			"verifiedUntilBefore": "list_quotable_blocks", "verifiedUntilAfter": "list_quotable_blocks"} {
			f.refuses(t, tool, with(`"`+param+`":"`+bad+`"`), param+": must be a da")
			f.refuses(t, tool, with(`"`+param+`":null`), param+": must be a string")
		}
	}
	for params, want := range map[string]string{
		`"depth":0`:                "depth: must be one of: 1, 2",
		`"depth":3`:                "depth: must be one of: 1, 2",
		`"depth":"1"`:              "depth: must be",
		`"depth":null`:             "depth: must be",
		`"depth":1.5`:              "depth: must be",
		`"colour":null`:            "colour: is not known here",
		`"relationshipTypes":null`: "relationshipTypes: must be a string",
		`"relationshipTypes":["GUIDE_USES_CONCEPT"]`:                      "relationshipTypes: must be a string",
		`"relationshipTypes":"GUIDE_USES_CONCEPT,"`:                       `relationshipTypes: "" is not one of the types`,
		`"relationshipTypes":"guide_uses_concept"`:                        `relationshipTypes: "guide_uses_concept" is not one of the types, separated by commas without spaces: GUIDE_USES_CONCEPT, GUIDE_EXPLAINS_CONCEPT`,
		`"relationshipTypes":"GUIDE_USES_CONCEPT;GUIDE_EXPLAINS_CONCEPT"`: "VIDEO_EXPLAINS_NEWS",
		`"relationshipTypes":"GUIDE_USES_CONCEPT, PROJECT_HAS_GUIDE"`:     `" PROJECT_HAS_GUIDE" is not one`,
	} {
		f.refuses(t, "get_entity_graph", withEntity(params), want)
	}
	if requests, _ := f.Requests(); len(requests) > 0 {
		t.Errorf("the backend was asked: %v", requests[0].URL)
	}
}

func (f *fixture) refuses(t *testing.T, tool, params, want string) {
	t.Helper()
	code, message := errorOf(t, f.call(t, tool, params))
	if code != "BAD_REQUEST" || !strings.Contains(message, want) {
		t.Errorf("%s %.200s: %s %q, want %q", tool, params, code, message, want)
	}
}

// TestParamsThatAreTaken checks params just within their limits, and how they reach the
// backend.
func TestParamsThatAreTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	id := fakebackend.ID('e', 1)
	for _, tt := range []struct{ tool, params, want string }{
		{"list_projects", `{}`, "/api/projects?limit=20&page=1"},
		{"list_projects", `{"page":1000000,"limit":100}`, "/api/projects?limit=100&page=1000000"},
		{"list_projects", `{"page":2.0,"limit":1e1}`, "/api/projects?limit=10&page=2"},
		{"search_entities", with(`"search":"","conceptKind":"model"`), "/api/entities?conceptKind=model&limit=20&page=1"},
		{"search_entities", with(`"search":" a ","conceptKind":"model","entityType":"concept"`), "/api/entities?conceptKind=model&entityType=concept&limit=20&page=1&search=+a+"},
		{"get_entity", `{"projectId":"` + strings.ToUpper(project) + `","entityId":"` + strings.ToUpper(id) + `"}`, "/api/entities/" + id},
		{"get_entity_graph", withEntity(`"relationshipTypes":""`), "/api/entities/" + id + "/graph?depth=1"},
		{"get_entity_graph", withEntity(`"depth":1.0,"relationshipTypes":"PROJECT_HAS_GUIDE"`), "/api/entities/" + id + "/graph?depth=1&relationshipTypes=PROJECT_HAS_GUIDE"},
		{"list_search_performance", with(`"query":"","pageUrl":"","dateStart":"2026-01-01","dateEnd":"2026-01-01T00:00:00.0Z"`),
			"/api/seo/search-performance?dateEnd=2026-01-01T00%3A00%3A00.0Z&dateStart=2026-01-01&limit=20&page=1"},
		{"list_search_performance", with(`"entityId":"` + strings.ToUpper(id) + `","dateStart":"2024-02-29T23:59:59.999Z"`),
			"/api/seo/search-performance?dateStart=2024-02-29T23%3A59%3A59.999Z&entityId=" + id + "&limit=20&page=1"},
		{"list_search_performance", with(`"query":"` + strings.Repeat("🥖", 1000) + `","pageUrl":"` + strings.Repeat("a", 1000) + `"`),
			"/api/seo/search-performance?limit=20&page=1&pageUrl=" + strings.Repeat("a", 1000) + "&query=" + strings.Repeat("%F0%9F%A5%96", 1000)},
		{"list_quotable_blocks", with(`"topicTag":"","verifiedUntilAfter":"2026-12-31","verifiedUntilBefore":"2026-01-01T00:00:00Z"`),
			"/api/quotable-blocks?limit=20&page=1&verifiedUntilAfter=2026-12-31&verifiedUntilBefore=2026-01-01T00%3A00%3A00Z"},
	} {
		answer := f.call(t, tt.tool, tt.params)
		requests, _ := f.Requests()
		if len(requests) != 1 || requests[0].URL.String() != tt.want || !strings.HasPrefix(answer, `{"data":`) {
			t.Errorf("%s %s: asks %v, want %s; answers %s", tt.tool, tt.params, requests, tt.want, answer)
			continue
		}
		if got := requests[0].Header.Get("X-Project-Id"); tt.tool != "list_projects" && got != project {
			t.Errorf("%s: for the project %q", tt.tool, got)
		}
	}
	if log := f.log.String(); log != "" {
		t.Errorf("the log says %s", log)
	}
}
