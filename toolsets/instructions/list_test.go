package instructions_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/rpc"
)

// shelf returns a catalog of five entries.
func shelf(t *testing.T) *catalog {
	t.Helper()
	return open(t, map[string]string{
		"e.md":     "---\nrequirement: optional\ncategories: [Go, Straße]\n---\nEven here.",
		"d.md":     "---\nrequirement: critical\naudience: group\ncategories: [go]\n---\nDown there.",
		"c.md":     "---\nrequirement: critical\ncategories: [git]\n---\nCome in.",
		"b/b.md":   "---\nrequirement: critical\ncategories: [go]\nowner: ada\n---\nBe there.",
		"a-1.json": jsonEntry("a-1", ""),
	})
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	c := shelf(t)
	tests := map[string]string{
		`{}`:                         "a-1 b-b c d e",
		`{"category":"go"}`:          "b-b d e",
		`{"category":"GO"}`:          "b-b d e",
		`{"category":"STRASSE"}`:     "",
		`{"category":"STRAßE"}`:      "e",
		`{"category":"g"}`:           "",
		`{"category":""}`:            "a-1 b-b c d e",
		`{"requirement":"critical"}`: "b-b c d",
		`{"audience":"group"}`:       "d",
		`{"category":"go","requirement":"critical","audience":"all"}`: "b-b",
		`{"requirement":"deprecated"}`:                                "",
	}
	for params, want := range tests {
		got := c.call("instructions/list", params)
		if ids(got.Items) != want || got.Count != len(strings.Fields(want)) {
			t.Errorf("%s: %q, count %d, want %q", params, ids(got.Items), got.Count, want)
		}
	}
}

// TestProjection checks that only the requested fields are served, that the id is always
// included, and that fields which an entry lacks are omitted.
func TestProjection(t *testing.T) {
	t.Parallel()
	c := shelf(t)
	tests := []struct{ method, params, want string }{
		{"instructions/list", `{"category":"git","fields":["title"]}`, "id title"},
		{"instructions/list", `{"category":"git","fields":["id"]}`, "id"},
		{"instructions/list", `{"category":"git","fields":["priority","title","priority","id"]}`, "id title priority"},
		{"instructions/list", `{"category":"git","fields":["owner","usageCount","lastUsedAt","extensions"]}`, "id"},
		{"instructions/search", `{"q":"be there","fields":["owner","riskScore"]}`, "id riskScore owner"},
		{"instructions/search", `{"q":"be there","fields":["body","sourceHash","categories"]}`, "id body categories sourceHash"},
	}
	for _, tt := range tests {
		var got struct{ Items []json.RawMessage }
		if err := json.Unmarshal([]byte(c.raw(tt.method, tt.params)), &got); err != nil || len(got.Items) != 1 {
			t.Fatalf("%s: %d items, %v", tt.params, len(got.Items), err)
		}
		if names := members(t, got.Items[0]); names != tt.want {
			t.Errorf("%s: %s, want %s", tt.params, names, tt.want)
		}
	}
}

// TestPages reads every listing page by page, with every page size.
func TestPages(t *testing.T) {
	t.Parallel()
	c := shelf(t)
	for _, listing := range []struct{ method, params string }{
		{"instructions/list", `{`}, {"instructions/list", `{"category":"go",`},
		{"instructions/search", `{"q":"there",`}, {"instructions/search", `{"q":"","requirement":"critical",`},
		{"instructions/search", `{"q":"nowhere",`},
		{"instructions/search", `{"mode":"ranked","q":"go",`}, {"instructions/search", `{"mode":"ranked","q":"come even",`},
		{"instructions/search", `{"mode":"ranked","q":"",`}, {"instructions/search", `{"mode":"ranked","q":"go","requirement":"critical",`},
		{"instructions/search", `{"mode":"ranked","q":"nowhere",`},
	} {
		all := c.call(listing.method, listing.params+`"limit":10000}`)
		if all.NextCursor != "" || len(all.Items) != all.Count {
			t.Errorf("%s %s: %d of %d items, cursor %q", listing.method, listing.params, len(all.Items), all.Count, all.NextCursor)
		}
		for limit := 1; limit <= 6; limit++ {
			if got := walk(t, c, listing.method, listing.params, limit, all.Count); got != ids(all.Items) {
				t.Errorf("%s %s by %d: %s, want %s", listing.method, listing.params, limit, got, ids(all.Items))
			}
		}
	}
}

// walk returns the ids of all pages.
func walk(t *testing.T, c *catalog, method, params string, limit, count int) string {
	t.Helper()
	var seen []entry
	cursor := ""
	for {
		page := c.call(method, fmt.Sprintf(`%s"limit":%d%s}`, params, limit, cursor))
		if page.Count != count || len(page.Items) > limit {
			t.Fatalf("%s by %d: count %d, %d items", params, limit, page.Count, len(page.Items))
		}
		seen = append(seen, page.Items...)
		if page.NextCursor == "" {
			return ids(seen)
		}
		if len(page.Items) == 0 || len(seen) >= count {
			t.Fatalf("%s by %d: a cursor after the last entry", params, limit)
		}
		cursor = fmt.Sprintf(`,"cursor":%q`, page.NextCursor)
	}
}

func TestCursorsThatAreRefused(t *testing.T) {
	t.Parallel()
	c := shelf(t)
	good := c.call("instructions/list", `{"limit":2}`).NextCursor
	other := open(t, map[string]string{"a.md": "x", "b.md": "y"}).call("instructions/list", `{"limit":1}`).NextCursor
	encode := base64.RawURLEncoding.EncodeToString
	hash := c.call("instructions/list", `{"limit":1}`).Hash
	tests := []struct{ name, cursor, want string }{
		{"of another catalog", other, "another snapshot"},
		{"of another catalog's ranked search", "1-00000000-01234567-89abcdef", "another snapshot"},
		{"of a search for something else", "1-" + hash[:8] + "-01234567-89abcdef", "another query"},
		{"a place that is none", "0-" + hash[:8] + "-01234567-89abcdef", "not a cursor of this server"},
		{"a place written otherwise", "01-" + hash[:8] + "-01234567-89abcdef", "not a cursor of this server"},
		{"a place beyond all", "99999999999999999999-" + hash[:8] + "-01234567-89abcdef", "not a cursor of this server"},
		{"a question that is none", "1-" + hash[:8] + "-0123456x-89abcdef", "not a cursor of this server"},
		{"no entry before it", "1-" + hash[:8] + "-01234567-", "not a cursor of this server"},
		{"no base64", "!!!", "not a cursor of this server"},
		{"cut", good[:len(good)-30], "not a cursor of this server"},
		{"longer", good + "AAAA", "not a cursor of this server"},
		{"no colon", encode([]byte("abc")), "not a cursor of this server"},
		{"another hash", encode([]byte(strings.Repeat("0", 64) + ":a")), "another snapshot"},
		{"an id that is none", encode([]byte(strings.Repeat("0", 64) + ":A b")), "not a cursor of this server"},
	}
	for _, tt := range tests {
		for _, call := range []struct{ method, params string }{
			{"instructions/list", `{`}, {"instructions/search", `{"q":"",`}, {"instructions/search", `{"q":"","mode":"ranked",`},
		} {
			got := c.fails(call.method, fmt.Sprintf(`%s"cursor":%q}`, call.params, tt.cursor), rpc.InvalidParams)
			if !strings.Contains(got, `"path":"cursor"`) || !strings.Contains(got, tt.want) {
				t.Errorf("%s %s: %s: %s", call.method, call.params, tt.name, got)
			}
		}
	}
}

// TestRankedCursorsAreBound checks that the cursor of a ranked search is valid only for
// the same mode, text and filters, regardless of the requested fields.
func TestRankedCursorsAreBound(t *testing.T) {
	t.Parallel()
	c := shelf(t)
	next := c.call("instructions/search", `{"q":"go","mode":"ranked","requirement":"critical","limit":1}`).NextCursor
	again := c.call("instructions/search", fmt.Sprintf(
		`{"q":"go","mode":"ranked","requirement":"critical","limit":2,"fields":["title"],"snippet":true,"cursor":%q}`, next))
	if len(again.Items) != 1 || again.NextCursor != "" || again.Count != 2 {
		t.Errorf("%+v", again)
	}
	listed := c.call("instructions/list", `{"limit":1}`).NextCursor
	for _, tt := range []struct{ method, params, cursor string }{
		{"instructions/search", `{"q":"GO","mode":"ranked","requirement":"critical",`, next},
		{"instructions/search", `{"q":"go","mode":"ranked",`, next},
		{"instructions/search", `{"q":"go","mode":"ranked","requirement":"critical","audience":"all",`, next},
		{"instructions/search", `{"q":"go","requirement":"critical",`, next},
		{"instructions/search", `{"q":"go","mode":"substring","requirement":"critical",`, next},
		{"instructions/list", `{"requirement":"critical",`, next},
		{"instructions/search", `{"q":"go","mode":"ranked","requirement":"critical",`, listed},
	} {
		got := c.fails(tt.method, fmt.Sprintf(`%s"cursor":%q}`, tt.params, tt.cursor), rpc.InvalidParams)
		if !strings.Contains(got, `"path":"cursor"`) || !strings.Contains(got, "another query") {
			t.Errorf("%s %s: %s", tt.method, tt.params, got)
		}
	}
}

// TestSearchFolds checks that searches use Unicode's full case folding.
func TestSearchFolds(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{
		"german.md":  "---\ntitle: Die Straße\n---\nFuß",
		"greek.md":   "---\ntitle: x\n---\nὈδυσσεύς und ΣΊΣΥΦΟΣ",
		"kelvin.md":  "---\ntitle: x\n---\n300 \u212a", // KELVIN SIGN
		"long-s.md":  "---\ntitle: x\n---\nWachſtube",
		"ligatur.md": "---\ntitle: x\n---\neﬃcient",
		"plain.md":   "---\ntitle: A.*b [c]\n---\nSlash \\ and \"quote\"\nnext line",
	})
	tests := map[string]string{
		"STRASSE": "german", "straße": "german", "strasse": "german", "STRAẞE": "german", "FUSS": "german",
		"σίσυφος": "greek", "ΟΔΥΣΣΕΎΣ": "", "ὀδυσσεύσ": "greek",
		"300 k": "kelvin", "300 K": "kelvin", "300 \u212a": "kelvin",
		"WACHSTUBE": "long-s", "wachſtube": "long-s",
		"EFFICIENT": "ligatur", "ffi": "ligatur",
		".*": "plain", "[C]": "plain", `\`: "plain", `"`: "plain", "quote\"\nNEXT": "plain",
		"nowhere": "", "": "german greek kelvin ligatur long-s plain",
	}
	for q, want := range tests {
		quoted, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		got := c.call("instructions/search", `{"q":`+string(quoted)+`}`)
		if ids(got.Items) != want || got.Count != len(strings.Fields(want)) {
			t.Errorf("%q: %q, count %d, want %q", q, ids(got.Items), got.Count, want)
		}
	}
	// The limit counts characters, not bytes.
	c.call("instructions/search", `{"q":"`+strings.Repeat("ß", 1000)+`"}`)
	c.fails("instructions/search", `{"q":"`+strings.Repeat("ß", 1001)+`"}`, rpc.InvalidParams)
}
