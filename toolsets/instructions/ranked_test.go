package instructions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestRankedItems checks that each ranked item has a score, after the fields and before
// the snippet, and that items of other searches have none.
func TestRankedItems(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{
		"a.md": "---\ntitle: Straße\nrequirement: optional\n---\nOnly the title has it.\n",
		"b.md": "---\ntitle: x\n---\nDie Strasse.\n",
		"c.md": "---\ntitle: x\nrequirement: critical\n---\n" + strings.Repeat("Wort ", 100) + "Straße" + strings.Repeat(" Wort", 100),
	})
	scores := map[string]float64{}
	var all struct {
		Count int
		Items []struct {
			ID    string
			Score float64
		}
	}
	if err := json.Unmarshal([]byte(c.raw("instructions/search", `{"q":"strasse","mode":"ranked"}`)), &all); err != nil {
		t.Fatal(err)
	}
	order := ""
	for _, item := range all.Items {
		scores[item.ID] = item.Score
		order += item.ID
	}
	if order != "abc" || scores["a"] > 1 || scores["a"] <= scores["b"] || scores["b"] <= scores["c"] || scores["c"] <= 0 {
		t.Errorf("%+v", all)
	}
	score := func(id string) string { return fmt.Sprint(scores[id]) }
	tests := []struct{ params, want string }{
		{`{"q":"strasse","mode":"ranked","fields":["title"],"limit":1}`, `[{"id":"a","title":"Straße","score":` + score("a") + `}]`},
		{`{"q":"strasse","mode":"ranked","snippet":true,"fields":["id"]}`, `[
			{"id":"a","score":` + score("a") + `,"snippet":{"text":"Only the title has it.","matches":[]}},
			{"id":"b","score":` + score("b") + `,"snippet":{"text":"Die Strasse.","matches":[[4,11]]}},
			{"id":"c","score":` + score("c") + `,"snippet":{"text":"…` + strings.Repeat("Wort ", 10) + "Straße" + strings.Repeat(" Wort", 20) + `…","matches":[[51,57]]}}]`},
		{`{"q":"c","mode":"ranked","fields":["id"]}`, `[{"id":"c","score":1}]`},
		{`{"q":"","mode":"ranked","fields":["id"]}`, `[{"id":"c","score":0},{"id":"b","score":0},{"id":"a","score":0}]`},
		{`{"q":"","mode":"ranked","fields":["id"],"snippet":true,"limit":1,"requirement":"optional"}`,
			`[{"id":"a","score":0,"snippet":{"text":"Only the title has it.","matches":[]}}]`},
		{`{"q":"nowhere","mode":"ranked","snippet":true}`, `[]`},
		{`{"q":"strasse","mode":"substring","fields":["id"],"limit":1}`, `[{"id":"a"}]`},
		{`{"q":"strasse","fields":["id"],"limit":1}`, `[{"id":"a"}]`},
	}
	for _, tt := range tests {
		var got struct{ Items json.RawMessage }
		if err := json.Unmarshal([]byte(c.raw("instructions/search", tt.params)), &got); err != nil {
			t.Fatal(err)
		}
		if want := strings.NewReplacer("\n", "", "\t", "").Replace(tt.want); string(got.Items) != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.params, got.Items, want)
		}
	}
}

// TestRankedTakesAnyText checks that any query is answered, with no items if it contains
// no word.
func TestRankedTakesAnyText(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "Wrap errors.", "b.md": "\u0301 e\u0301 代码 x"})
	for q, want := range map[string]string{
		`x`: "b", `\u0000`: "", `\ud800`: "", `\udc00\ud800`: "", `\ufffd`: "", `\u0301`: "", `e\u0301`: "b", `\u4ee3\u7801`: "b",
		` \t\n`:                                        "a b",
		strings.Repeat("x", 1000):                      "",
		strings.Repeat("x ", 500):                      "b",
		strings.Repeat(`\u0301`, 99):                   "",
		strings.Repeat("ß", 1000):                      "",
		strings.Repeat("é.", 500):                      "",
		`wrap errors` + strings.Repeat(" errors", 100): "a",
	} {
		if got := ids(c.call("instructions/search", `{"mode":"ranked","q":"`+q+`"}`).Items); got != want {
			t.Errorf("%.40s: %q, want %q", q, got, want)
		}
	}
}
