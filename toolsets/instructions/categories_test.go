package instructions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/rpc"
)

// governed returns a catalog with entries in three categories, two of them approved.
func governed(t *testing.T) *catalog {
	t.Helper()
	files := map[string]string{}
	for id, front := range map[string]string{
		"a": "priority: 30\ncategories: [security]\nstatus: approved",
		"b": "priority: 10\ncategories: [go, security]\nstatus: draft",
		"c": "priority: 10\ncategories: [go]\nrequirement: critical\nstatus: approved",
		"d": "priority: 20\ncategories: [naming]",
	} {
		files[id+".md"] = "---\n" + front + "\n---\nText of an entry.\n"
	}
	return open(t, files)
}

// TestFiltersOfSearch checks that a search accepts the filters of a list.
func TestFiltersOfSearch(t *testing.T) {
	t.Parallel()
	c := governed(t)
	for filter, want := range map[string]string{
		`"category":"GO"`:                         "b c",
		`"status":"approved"`:                     "a c",
		`"status":"approved","category":"go"`:     "c",
		`"category":"none"`:                       "",
		`"sort":"priority"`:                       "c b d a",
		`"sort":"priority","category":"security"`: "b a",
	} {
		for _, params := range []string{`{"q":"text",` + filter + `}`, `{"q":"text","mode":"ranked",` + filter + `}`} {
			got := ids(c.call("instructions/search", params).Items)
			if !sameOrder(got, want, filter) {
				t.Errorf("search %s: %s, want %s", params, got, want)
			}
		}
		if got := ids(c.call("instructions/list", `{`+filter+`}`).Items); got != want {
			t.Errorf("list %s: %s, want %s", filter, got, want)
		}
	}
}

// sameOrder compares ids. It ignores their order unless an order was requested, because
// a ranked search has its own.
func sameOrder(got, want, filter string) bool {
	if strings.Contains(filter, "sort") {
		return got == want
	}
	for _, id := range strings.Fields(want) {
		if !strings.Contains(got, id) {
			return false
		}
	}
	return len(got) == len(want)
}

// TestPagesByPriority checks that pages together equal the complete list, and that a
// cursor is valid only for its own order.
func TestPagesByPriority(t *testing.T) {
	t.Parallel()
	c := governed(t)
	for _, call := range [][2]string{
		{"instructions/list", `"sort":"priority"`},
		{"instructions/search", `"q":"text","sort":"priority"`},
		{"instructions/search", `"q":"text","mode":"ranked","sort":"priority"`},
	} {
		var all []string
		cursor := ""
		for range 9 {
			params := `{"limit":1,` + call[1] + `}`
			if cursor != "" {
				params = `{"limit":1,"cursor":"` + cursor + `",` + call[1] + `}`
			}
			page := c.call(call[0], params)
			if page.Count != 4 {
				t.Errorf("%s %s: count %d", call[0], params, page.Count)
			}
			all = append(all, ids(page.Items))
			if cursor = page.NextCursor; cursor == "" {
				break
			}
			other := strings.Replace(`{"cursor":"`+cursor+`",`+call[1]+`}`, `"sort":"priority"`, `"count":true`, 1)
			c.fails(call[0], other, rpc.InvalidParams)
		}
		if got := strings.Join(all, " "); got != "c b d a" {
			t.Errorf("%s %s: %s", call[0], call[1], got)
		}
	}
}

// TestCategories checks that categories are counted over all matches, on every page.
func TestCategories(t *testing.T) {
	t.Parallel()
	c := governed(t)
	for params, want := range map[string]string{
		`{"categories":true,"limit":1}`:           `[{"name":"go","count":2},{"name":"security","count":2},{"name":"naming","count":1}]`,
		`{"categories":true,"status":"approved"}`: `[{"name":"go","count":1},{"name":"security","count":1}]`,
		`{"categories":true,"category":"none"}`:   `[]`,
	} {
		var got struct{ Categories json.RawMessage }
		if err := json.Unmarshal([]byte(c.raw("instructions/list", params)), &got); err != nil || string(got.Categories) != want {
			t.Errorf("%s: %s, want %s", params, got.Categories, want)
		}
	}
	text := c.asAgent("instructions/list", `{"categories":true}`)
	if !strings.Contains(text, "\nCategories: go (2), security (2), naming (1).\n") {
		t.Errorf("an agent reads %s", text)
	}
}

// TestUnknownCategory checks that an unknown category is answered with similar ones:
// always in the text, and in the result if requested.
func TestUnknownCategory(t *testing.T) {
	t.Parallel()
	c := governed(t)
	for method, q := range map[string]string{"instructions/list": "", "instructions/search": `,"q":"text"`} {
		params := fmt.Sprintf(`{"category":"Secruity"%s`, q)
		if got := c.raw(method, params+`}`); strings.Contains(got, "nearest") {
			t.Errorf("%s says it unasked: %s", method, got)
		}
		if got := c.raw(method, params+`,"nearest":true}`); !strings.HasSuffix(got, `"nearest":["security"]}`) {
			t.Errorf("%s: %s", method, got)
		}
		if got := c.raw(method, `{"category":"go","nearest":true`+q+`}`); strings.Contains(got, "nearest") {
			t.Errorf("%s: of a category that there is: %s", method, got)
		}
		if got := c.asAgent(method, params+`}`); !strings.Contains(got, `No entry has that category. The nearest are "security".`) {
			t.Errorf("%s: an agent reads %s", method, got)
		}
	}
}

// asAgent returns the text of an answer to an agent.
func (c *catalog) asAgent(method, params string) string {
	c.t.Helper()
	m, _ := c.registry.Method(method)
	answer, failure := c.registry.CallTool(c.t.Context(), m, json.RawMessage(params))
	if failure != nil {
		c.t.Fatalf("%s %s: %v", method, params, failure)
	}
	return answer.Text
}
