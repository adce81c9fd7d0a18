package instructions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/toolsets/instructions"
)

// pantry returns a catalog with one entry of each kind that the texts distinguish.
func pantry(t *testing.T) *agent {
	t.Helper()
	c := open(t, map[string]string{
		"error-wrapping.md": "---\ntitle: Wrap errors\npriority: 20\nrequirement: mandatory\naudience: group\ncategories: [go, errors]\nowner: ada\n---\n" +
			"# Wrap\n\nSay what was being done, and wrap.\n",
		"long.md":       "---\ntitle: Long\n---\n" + strings.Repeat("ä", 25_309) + "\n",
		"old-errors.md": "---\ntitle: Wrap with pkg\nrequirement: deprecated\ndeprecatedBy: error-wrapping\n---\nUse pkg.\n",
	})
	return newAgent(t, c.dir, instructions.MarkedSkills)
}

// TestToolTexts checks the text of each answer to a model.
func TestToolTexts(t *testing.T) {
	t.Parallel()
	a := pantry(t)
	var list struct{ Hash string }
	if err := json.Unmarshal(a.use("instructions_list", `{}`).structured, &list); err != nil {
		t.Fatal(err)
	}
	next := func(arguments string) string {
		var page struct{ NextCursor string }
		if err := json.Unmarshal(a.use("instructions_search", arguments).structured, &page); err != nil || page.NextCursor == "" {
			t.Fatalf("no cursor: %v", err)
		}
		return page.NextCursor
	}
	head := strings.Repeat("ä", 10_000)
	tests := []struct{ name, tool, arguments, want string }{
		{"found", "instructions_search", `{"q":"wrap"}`, `2 of 2 instructions match "wrap", best first (catalog HASH):
- error-wrapping [mandatory] Wrap errors: # Wrap Say what was being done, and wrap.
- old-errors [deprecated] Wrap with pkg: Use pkg.
Read one with instructions_get {"id":"…"}.`},
		{"found one", "instructions_search", `{"q":"pkg","requirement":"deprecated","audience":"all"}`,
			`1 of 1 instruction matches "pkg" with requirement deprecated, audience all, best first (catalog HASH):
- old-errors [deprecated] Wrap with pkg: Use pkg.
Read one with instructions_get {"id":"…"}.`},
		{"found on two pages", "instructions_search", `{"q":"wrap","limit":1,"fields":["owner","categories"],"snippet":false}`,
			`1 of 2 instructions match "wrap", best first (catalog HASH):
- error-wrapping; owner: "ada"; categories: ["errors","go"]
Read one with instructions_get {"id":"…"}.
For more, repeat the call with "cursor":"` + next(`{"q":"wrap","limit":1}`) + `".`},
		{"found, uncounted", "instructions_search", `{"q":"rap errors","mode":"substring","count":false}`, `1 instruction matches "rap errors" (catalog HASH):
- error-wrapping [mandatory] Wrap errors: # Wrap Say what was being done, and wrap.
Read one with instructions_get {"id":"…"}.`},
		{"nothing found, uncounted", "instructions_list", `{"category":"none","count":false}`,
			`There is no instruction with category "none" (catalog HASH). Leave the filter out to see all.`},
		{"nothing found", "instructions_search", `{"q":"no\nsuch  thing"}`,
			`No instruction matches "no such thing" (catalog HASH). Try fewer or other words, or see all with instructions_list.`},
		{"found as a text", "instructions_search", `{"q":"rap errors","mode":"substring"}`, `1 of 1 instruction matches "rap errors" (catalog HASH):
- error-wrapping [mandatory] Wrap errors: # Wrap Say what was being done, and wrap.
Read one with instructions_get {"id":"…"}.`},
		{"not found as a text", "instructions_search", `{"q":"errors wrap","mode":"substring"}`,
			`No instruction matches "errors wrap" (catalog HASH). Try one shorter word, or see all with instructions_list.`},
		{"list", "instructions_list", `{}`, `3 of 3 instructions (catalog HASH):
- error-wrapping [mandatory] Wrap errors
- long [recommended] Long
- old-errors [deprecated] Wrap with pkg
Read one with instructions_get {"id":"…"}.`},
		{"list of a category", "instructions_list", `{"category":"go"}`, `1 of 1 instruction with category "go" (catalog HASH):
- error-wrapping [mandatory] Wrap errors
Read one with instructions_get {"id":"…"}.`},
		{"empty list", "instructions_list", `{"category":"c"}`,
			`There is no instruction with category "c" (catalog HASH). Leave the filter out to see all.`},
		{"get", "instructions_get", `{"id":"error-wrapping"}`, `Wrap errors
error-wrapping [mandatory] priority 20 of 100, audience group, categories errors, go

# Wrap

Say what was being done, and wrap.
`},
		{"get deprecated", "instructions_get", `{"id":"old-errors"}`, `Wrap with pkg
old-errors [deprecated] priority 50 of 100, audience all
Deprecated: use "error-wrapping" instead.

Use pkg.
`},
		{"get nothing", "instructions_get", `{"id":"x\ny"}`, `There is no instruction "x y". Find its id with instructions_search.`},
		{"get the beginning", "instructions_get", `{"id":"long"}`, `Long
long [recommended] priority 50 of 100, audience all
Characters 1–10,000 of 25,310. For the rest call instructions_get with {"id":"long","bodyOffset":10000}.

` + head + "\n... [truncated]"},
		{"get the middle", "instructions_get", `{"id":"long","bodyOffset":1e4}`, `Long
long [recommended] priority 50 of 100, audience all
Characters 10,001–20,000 of 25,310. For the rest call instructions_get with {"id":"long","bodyOffset":20000}.

` + head + "\n... [truncated]"},
		{"get the end", "instructions_get", `{"id":"long","bodyOffset":25300}`, `Long
long [recommended] priority 50 of 100, audience all
Characters 25,301–25,310 of 25,310.

` + strings.Repeat("ä", 9) + "\n"},
		{"track", "usage_track", `{"id":"long"}`, `Counted. long has been used 1 time.`},
		{"track again", "usage_track", `{"id":"long"}`, `Counted. long has been used 2 times.`},
		{"track nothing", "usage_track", `{"id":"nope"}`, `There is no instruction "nope". Find its id with instructions_search.`},
		{"review", "prompt_review", `{"prompt":"Deploy to the cluster with AKIAABCDEFGHIJKLMNOP for me, please."}`,
			`The review found 1 issue, at worst critical:
- critical aws-access-key: AWS access key id. Found: "AK…OP". To do: Revoke the credential first, then remove it; name the variable or vault entry that holds its successor.`},
		{"clean review", "prompt_review", `{"prompt":"Sort the rows by name and print them as a table."}`, `The review found no issue.`},
	}
	for _, tt := range tests { // in order, since uses are counted
		if got, want := a.use(tt.tool, tt.arguments).text, strings.ReplaceAll(tt.want, "HASH", list.Hash[:12]); got != want {
			t.Errorf("%s:\n got %.400s\nwant %.400s", tt.name, got, want)
		}
	}
}

// TestDefaultTools checks that agents are offered five tools, that the defaults fit the
// schemas, and that one sentence says when to use each tool.
func TestDefaultTools(t *testing.T) {
	t.Parallel()
	a := newAgent(t, t.TempDir(), instructions.MarkedSkills)
	var offered []string
	for _, m := range a.Toolset.Toolset().Methods {
		if m.Tool.Default {
			offered = append(offered, m.Name)
			if len(m.Summary) > 140 || !strings.HasSuffix(m.Summary, ".") {
				t.Errorf("%s: %q", m.Name, m.Summary)
			}
		}
	}
	if got, want := fmt.Sprint(offered), "[instructions/list instructions/get instructions/search usage/track prompt/review]"; got != want {
		t.Errorf("offered are %s, want %s", got, want)
	}
}

// worst are texts that grow most when encoded, or in which a single character matches
// most often.
var worst = []string{"<", "<&", `"`, "\U0001F4A9", "\U0001F4A9 ", "\u2028<", "a", "a b "}

// worstCatalog returns a catalog whose ids and titles take the maximum number of bytes,
// and whose bodies repeat unit.
func worstCatalog(t *testing.T, unit string) *agent {
	t.Helper()
	files := map[string]string{}
	for i, title := range []string{strings.Repeat("\x01", 199) + "t", strings.Repeat("\u2028", 199) + "t", strings.Repeat("<", 200), strings.Repeat("\U0001F4A9", 200)} {
		for n := range 9 {
			id := fmt.Sprintf("%c-%s-%04d", 'a'+i, strings.Repeat("i", 113), n)
			files[id[:1]+id[116:]+".json"] = fmt.Sprintf(
				`{"id":%q,"title":%s,"body":%s,"priority":1,"audience":"individual","requirement":"recommended","categories":[],"schemaVersion":"7"}`,
				id, jsonText(title), jsonText(strings.Repeat(unit, 1000)))
		}
	}
	return newAgent(t, open(t, files).dir, instructions.MarkedSkills)
}

// TestDefaultSearchIsSmall checks that the answer to a search without a limit has less
// than 4,000 bytes for any entries, and at least one hit.
func TestDefaultSearchIsSmall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long, and one call comes after the other")
	}
	for _, unit := range worst {
		a := worstCatalog(t, unit)
		one := string([]rune(strings.TrimPrefix(unit, "\u2028"))[:1])
		for _, query := range []string{one, unit, strings.Repeat(one, 100), ""} {
			checkSmall(t, a, unit, query, `,"mode":"substring"`, query == one || query == unit || query == "")
		}
	}
	for _, unit := range []string{"w ", "<w", "<&w", `"w`, "\U0001F4A9w", "w\u2028<"} {
		a := worstCatalog(t, unit)
		for query, found := range map[string]bool{"w": true, unit: true, "": true, strings.Repeat("w", 1000): false, strings.Repeat("w ", 500): true} {
			checkSmall(t, a, unit, query, "", found)
		}
	}
}

// checkSmall searches a worst-case catalog with and without filters.
func checkSmall(t *testing.T, a *agent, unit, query, mode string, found bool) {
	t.Helper()
	for _, filter := range []string{"", `,"audience":"individual","requirement":"recommended"`} {
		got := a.use("instructions_search", fmt.Sprintf(`{"q":%s%s%s}`, jsonText(query), mode, filter))
		if got.size >= 4000 || found && !strings.Contains(got.text, "\n- a-iii") {
			t.Errorf("bodies of %q, searched for %.8q%s%s: %d bytes, of which %d and %d: %.300s",
				unit, query, mode, filter, got.size, len(got.text), len(got.structured), got.text)
		}
	}
}

// TestDefaultSearchShowsFiveHits checks that long titles and bodies shorten the
// snippets, and that only unusually long ones reduce the number of hits.
func TestDefaultSearchShowsFiveHits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ id, title, snippet, hits int }{
		{10, 20, 150, 5}, {40, 80, 120, 5}, {80, 120, 40, 5}, {120, 200, 40, 4},
	} {
		files := map[string]string{}
		for n := range 9 {
			id := fmt.Sprintf("%s-%d", strings.Repeat("i", tt.id-2), n)
			title := strings.Repeat("title ", tt.title/6)
			files[id+".md"] = fmt.Sprintf("---\nid: %s\ntitle: %s\n---\n%s", id, title, strings.Repeat("Seven words that follow are about kiwis. ", 50))
		}
		a := newAgent(t, open(t, files).dir, instructions.MarkedSkills)
		got := a.use("instructions_search", `{"q":"title kiwi"}`)
		var result struct {
			Count      int
			Items      []struct{ Snippet struct{ Text string } }
			NextCursor string
		}
		if err := json.Unmarshal(got.structured, &result); err != nil {
			t.Fatal(err)
		}
		if rows := strings.Count(got.text, "\n- i"); result.Count != 9 || len(result.Items) != tt.hits || rows != tt.hits || got.size > 4000 || len(result.NextCursor) > 40 {
			t.Errorf("%+v: %d of %d hits, %d rows, %d bytes: %s", tt, len(result.Items), result.Count, rows, got.size, got.text)
		}
		for _, item := range result.Items {
			if n := len([]rune(item.Snippet.Text)); n < tt.snippet || n > 160 {
				t.Errorf("%+v: a snippet of %d characters: %s", tt, n, item.Snippet.Text)
			}
		}
	}
}

// TestBodiesAreServedOnce checks that the text for a model contains only the beginning
// of a body that the structured answer contains in full.
func TestBodiesAreServedOnce(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("wash ", 500)
	a := newAgent(t, open(t, map[string]string{"a.md": body}).dir, instructions.MarkedSkills)
	for tool, arguments := range map[string]string{
		"instructions_list": `{"fields":["body"]}`, "instructions_search": `{"q":"wash","limit":1,"fields":["body"]}`,
	} {
		got := a.use(tool, arguments)
		if !strings.Contains(string(got.structured), body) || !strings.Contains(got.text, "body: \"wash wash ") || len(got.text) > 1000 {
			t.Errorf("%s: %d bytes of text, %d of the structured answer: %.1500s", tool, len(got.text), len(got.structured), got.text)
		}
	}
}

// TestDefaultListIsSmall checks the same for a list, which has a larger limit.
func TestDefaultListIsSmall(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for n := range 60 {
		id := fmt.Sprintf("%s-%04d", strings.Repeat("i", 115), n)
		files[fmt.Sprintf("%d.json", n)] = strings.Replace(jsonEntry(id, ""), `"T"`, jsonText(strings.Repeat("<", 200)), 1)
	}
	a := newAgent(t, open(t, files).dir, instructions.MarkedSkills)
	if got := a.use("instructions_list", `{}`); got.size >= 6000 || !strings.HasPrefix(got.text, "1 of 60 ") {
		t.Errorf("%d bytes: %s", got.size, got.text)
	}
}
