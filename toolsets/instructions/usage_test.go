package instructions_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// TestTrackShowsEverywhere counts two uses and checks them in every method that serves
// the entry.
func TestTrackShowsEverywhere(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "A.", "b.md": "B."})
	before := c.raw("instructions/list", `{}`)
	c.call("usage/track", `{"id":"a"}`)
	c.clock.advance(time.Second)
	tracked := c.call("usage/track", `{"id":"a"}`)
	const last = "2025-08-24T09:30:01.000Z"
	if tracked.ID != "a" || tracked.UsageCount != 2 || tracked.LastUsedAt != last {
		t.Errorf("usage/track: %+v", tracked)
	}
	served := map[string]entry{
		"get":     c.call("instructions/get", `{"id":"a"}`).Item,
		"list":    c.call("instructions/list", `{}`).Items[0],
		"fields":  c.call("instructions/list", `{"fields":["usageCount","lastUsedAt"]}`).Items[0],
		"search":  c.call("instructions/search", `{"q":"A."}`).Items[0],
		"changed": c.call("instructions/diff", `{}`).Changed[0],
		"added":   c.call("instructions/diff", `{"known":[]}`).Added[0],
		"updated": c.call("instructions/diff", `{"known":[{"id":"a","sourceHash":""}]}`).Updated[0],
		"hotset":  c.call("usage/hotset", `{}`).Items[0],
	}
	for where, e := range served {
		if e.ID != "a" || e.UsageCount != 2 || e.LastUsedAt != last {
			t.Errorf("%s: %+v", where, e)
		}
	}
	// Unused entries have no counts, and counts are omitted unless requested.
	for params, want := range map[string]string{
		`{"fields":["title"]}`:      `{"id":"a","title":"a"}`,
		`{"fields":["usageCount"]}`: `{"id":"a","usageCount":2}`,
		`{"fields":["lastUsedAt"]}`: `{"id":"a","lastUsedAt":"` + last + `"}`,
	} {
		var listed struct{ Items []json.RawMessage }
		if err := json.Unmarshal([]byte(c.raw("instructions/list", params)), &listed); err != nil {
			t.Fatal(err)
		}
		if string(listed.Items[0]) != want {
			t.Errorf("%s: %s, want %s", params, listed.Items[0], want)
		}
	}
	if b := c.raw("instructions/get", `{"id":"b"}`); members(t, json.RawMessage(b)) != "hash item" || c.call("instructions/get", `{"id":"b"}`).Item.UsageCount != 0 {
		t.Errorf("b was not used: %s", b)
	}
	// Counting does not change the hash of the catalog.
	var hash struct{ Hash string }
	if err := json.Unmarshal([]byte(before), &hash); err != nil || hash.Hash != c.call("instructions/list", `{}`).Hash {
		t.Errorf("the hash changed with the counts (%v)", err)
	}
}

// TestRecordedUsage checks that counting continues from the count recorded in a file.
func TestRecordedUsage(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{
		"future.json": jsonEntry("future", `,"usageCount":7,"lastUsedAt":"2030-01-01T00:00:00Z"`),
		"past.json":   jsonEntry("past", `,"usageCount":3,"lastUsedAt":"2020-01-01T00:00:00Z"`),
		"silent.json": jsonEntry("silent", `,"usageCount":5`),
	})
	hot := c.call("usage/hotset", `{}`)
	if got := ids(hot.Items); got != "future silent past" || hot.Items[1].LastUsedAt != "" {
		t.Errorf("hotset: %s, %+v", got, hot.Items)
	}
	for id, want := range map[string]entry{
		"future": {UsageCount: 8, LastUsedAt: "2030-01-01T00:00:00Z"},
		"past":   {UsageCount: 4, LastUsedAt: "2025-08-24T09:30:00.000Z"},
		"silent": {UsageCount: 6, LastUsedAt: "2025-08-24T09:30:00.000Z"},
	} {
		got := c.call("usage/track", `{"id":"`+id+`"}`)
		if got.UsageCount != want.UsageCount || got.LastUsedAt != want.LastUsedAt {
			t.Errorf("%s: %d %s, want %d %s", id, got.UsageCount, got.LastUsedAt, want.UsageCount, want.LastUsedAt)
		}
	}
}

// TestRecordedLastUse checks that the last use is served even if the file records no
// count.
func TestRecordedLastUse(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.json": jsonEntry("a", `,"lastUsedAt":"2020-01-01T00:00:00Z"`)})
	if got := c.call("instructions/get", `{"id":"a"}`).Item.LastUsedAt; got != "2020-01-01T00:00:00Z" {
		t.Errorf("lastUsedAt is %q", got)
	}
	if got := c.call("instructions/list", `{"fields":["lastUsedAt"]}`).Items[0].LastUsedAt; got != "2020-01-01T00:00:00Z" {
		t.Errorf("lastUsedAt is %q", got)
	}
}

// TestHotsetClamps checks that limits are clamped to 1 to 100 and that the answer
// contains the applied limit.
func TestHotsetClamps(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 120 {
		files[fmt.Sprintf("e%03d.md", i)] = "x"
	}
	c := open(t, files)
	if got := c.call("usage/hotset", `{}`); got.Count != 0 || got.Limit != 10 || len(got.Items) != 0 {
		t.Errorf("nothing was used: %+v", got)
	}
	for i := range 120 {
		c.call("usage/track", fmt.Sprintf(`{"id":"e%03d"}`, i))
	}
	tests := []struct {
		params string
		limit  int
	}{
		{`{}`, 10}, {`{"limit":1}`, 1}, {`{"limit":0}`, 1}, {`{"limit":-5}`, 1}, {`{"limit":-9223372036854775808}`, 1},
		{`{"limit":99}`, 99}, {`{"limit":100}`, 100}, {`{"limit":101}`, 100}, {`{"limit":9223372036854775807}`, 100},
	}
	for _, tt := range tests {
		if got := c.call("usage/hotset", tt.params); got.Limit != tt.limit || got.Count != tt.limit || len(got.Items) != tt.limit {
			t.Errorf("%s: limit %d, count %d, %d items, want %d", tt.params, got.Limit, got.Count, len(got.Items), tt.limit)
		}
	}
}

// TestHotsetOrder checks the order by count, then latest use, then id.
func TestHotsetOrder(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "x", "b.md": "x", "c.md": "x", "d.md": "x", "unused.md": "x"})
	for _, id := range []string{"d", "c"} { // at the same time
		c.call("usage/track", `{"id":"`+id+`"}`)
	}
	c.clock.advance(time.Millisecond)
	c.call("usage/track", `{"id":"b"}`)
	for range 2 {
		c.call("usage/track", `{"id":"a"}`)
	}
	c.clock.advance(-time.Hour) // the clock of a machine may be set back
	c.call("usage/track", `{"id":"a"}`)
	if got := ids(c.call("usage/hotset", `{}`).Items); got != "a b c d" {
		t.Errorf("got %s", got)
	}
	if got := c.call("usage/hotset", `{"limit":2}`); ids(got.Items) != "a b" || got.Count != 2 {
		t.Errorf("got %+v", got)
	}
}

// TestTrackNothing checks that nothing is counted for an unknown id.
func TestTrackNothing(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "x"})
	for _, id := range []string{"b", "A", "a ", "../a", "a.md"} {
		if got := c.raw("usage/track", `{"id":"`+id+`"}`); got != `{"notFound":true}` {
			t.Errorf("%q: %s", id, got)
		}
	}
	if got := c.call("usage/hotset", `{}`); got.Count != 0 {
		t.Errorf("something was counted: %+v", got)
	}
}

// TestAliases checks that an entry is found by the spelling of its id in its file.
func TestAliases(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{
		"1.json": jsonEntry("Loose.Values", ""),
		"2.json": jsonEntry("Taken.Over", `,"rationale":"first"`),
		"3.json": jsonEntry("taken-over", ""),
	})
	for _, id := range []string{"Loose.Values", "loose-values"} {
		if got := c.call("instructions/get", `{"id":"`+id+`"}`); got.Item.ID != "loose-values" || got.Hash == "" {
			t.Errorf("get %s: %+v", id, got)
		}
		if got := c.call("usage/track", `{"id":"`+id+`"}`); got.ID != "loose-values" {
			t.Errorf("track %s: %+v", id, got)
		}
	}
	if got := c.call("instructions/get", `{"id":"loose-values"}`).Item.UsageCount; got != 2 {
		t.Errorf("both spellings are one entry, and usageCount is %d", got)
	}
	if got := c.raw("instructions/get", `{"id":"LOOSE.VALUES"}`); got != `{"notFound":true}` {
		t.Errorf("a spelling that no file has: %s", got)
	}
	if got := c.call("instructions/list", `{}`); ids(got.Items) != "loose-values taken-over" {
		t.Errorf("list: %s", ids(got.Items))
	}
}
