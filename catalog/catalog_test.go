package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// draft holds the fields of an entry for a test.
type draft struct {
	Instruction
	Origin Origin
}

// entry returns a valid entry. change modifies its fields first.
func entry(id ID, change ...func(*draft)) *Entry {
	d := &draft{Instruction{
		ID: id, Title: "Title of " + string(id), Body: "Body of " + string(id), Priority: 50,
		Audience: Everybody, Requirement: Recommended, SchemaVersion: "1",
		CreatedAt: "2025-01-01T00:00:00.000Z", UpdatedAt: "2025-01-01T00:00:00.000Z",
	}, Origin{Path: string(id) + ".json"}}
	for _, c := range change {
		c(d)
	}
	return NewEntry(d.Instruction, d.Origin)
}

func ids(entries []*Entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, string(e.ID))
	}
	return strings.Join(names, " ")
}

func TestIDValid(t *testing.T) {
	t.Parallel()
	for id, want := range map[ID]bool{
		"a": true, "7": true, "a-b_c9": true, ID(strings.Repeat("a", 120)): true,
		"": false, "-a": false, "a-": false, "A": false, "a.b": false, "a b": false, "é": false, "a\n": false,
		ID(strings.Repeat("a", 121)): false,
	} {
		if got := id.Valid(); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}

func TestAnyHashOfABodyMatches(t *testing.T) {
	t.Parallel()
	hash := func(s string) string { return string(FingerprintOf(s)) }
	const body = "\ufeff line \t\r\nnext  \rlast\n\n"
	for name, test := range map[string]struct {
		recorded string
		want     bool
	}{
		"as served":             {hash(body), true},
		"trimmed":               {hash("line \t\r\nnext  \rlast"), true},
		"normalised":            {hash("\ufeff line\nnext\nlast\n\n"), true},
		"trimmed, normalised":   {hash("line\nnext\nlast"), true},
		"upper case":            {strings.ToUpper(hash(body)), true},
		"of another body":       {hash("line next last"), false},
		"a part of it":          {hash(body)[:32], false},
		"no hash":               {"recorded", false},
		"of the empty body":     {hash(""), false},
		"blanks within changed": {hash("line\nnext\n last"), false},
	} {
		if got := recordedMatches(test.recorded, body); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSnapshotHash(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{entry("b"), entry("a")}, nil)
	want := FingerprintOf("a:" + string(FingerprintOf("Body of a")) + "|b:" + string(FingerprintOf("Body of b")))
	if s.Hash() != want {
		t.Errorf("got %s, want %s", s.Hash(), want)
	}
	if empty := NewSnapshot(nil, nil); empty.Hash() != FingerprintOf("") {
		t.Errorf("empty: %s", empty.Hash())
	}
}

func TestDuplicatesFirstPathIsServed(t *testing.T) {
	t.Parallel()
	at := func(path string) func(*draft) { return func(e *draft) { e.Origin.Path = path } }
	s := NewSnapshot([]*Entry{entry("a", at("z.md")), entry("a", at("b.json")), entry("a", at("B.json"))}, nil)
	if e, _ := s.Get("a"); e.Origin.Path != "B.json" || len(s.Entries()) != 1 {
		t.Errorf("served %s of %d", e.Origin.Path, len(s.Entries()))
	}
	for i, path := range []string{"b.json", "z.md"} {
		d := s.Diagnostics()[i]
		if d.Path != path || d.Severity != SeverityError || !strings.Contains(d.Message, "already taken by B.json") {
			t.Errorf("diagnostic %d: %v", i, d)
		}
	}
}

func TestGetBySpelling(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{entry("a-b", func(e *draft) { e.Origin.SpelledID = "A.b" }), entry("c")}, nil)
	for id, want := range map[string]bool{"a-b": true, "A.b": true, "c": true, "A-B": false, "": false} {
		if _, ok := s.Get(id); ok != want {
			t.Errorf("%q: %v", id, ok)
		}
	}
}

func TestRiskScore(t *testing.T) {
	t.Parallel()
	for r, want := range map[Requirement]int{Critical: 150, Mandatory: 140, Recommended: 110, Optional: 95, Deprecated: 60} {
		e := entry("a", func(e *draft) { e.Priority, e.Requirement = 10, r })
		if got := e.Instruction().RiskScore; got != want {
			t.Errorf("%s: %d, want %d", r, got, want)
		}
	}
}

func TestListAndSearch(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{
		entry("a", func(e *draft) { e.Categories, e.Title = []string{"go", "straße"}, "Straße" }),
		entry("b", func(e *draft) { e.Requirement, e.Body = Critical, "Die STRASSE" }),
		entry("c", func(e *draft) { e.Audience, e.Categories = Group, []string{"go"} }),
	}, nil)
	for name, test := range map[string]struct{ got, want string }{
		"all":                  {ids(s.List(Filter{})), "a b c"},
		"category":             {ids(s.List(Filter{Category: "GO"})), "a c"},
		"category, audience":   {ids(s.List(Filter{Category: "go", Audience: Group})), "c"},
		"requirement":          {ids(s.List(Filter{Requirement: Critical})), "b"},
		"no such category":     {ids(s.List(Filter{Category: "rust"})), ""},
		"search folds":         {ids(found(s, "strasse", Filter{})), "a b"},
		"search in title":      {ids(found(s, "title OF c", Filter{})), "c"},
		"search not across":    {ids(found(s, "straßeBody", Filter{})), ""},
		"search and filter":    {ids(found(s, "strasse", Filter{Requirement: Critical})), "b"},
		"empty search":         {ids(found(s, "", Filter{Audience: Group})), "c"},
		"search finds nothing": {ids(found(s, "absent", Filter{})), ""},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %q, want %q", name, test.got, test.want)
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{entry("a"), entry("b"), entry("c"), entry("d"), entry("e")}, nil)
	for limit := range 7 {
		var all []*Entry
		var cursor Cursor
		for pages := 0; ; pages++ {
			page, next, err := s.Page(s.Entries(), limit, cursor)
			if err != nil || pages > 5 {
				t.Fatalf("limit %d, page %d: %v", limit, pages, err)
			}
			all = append(all, page...)
			if cursor = next; cursor == "" {
				break
			}
		}
		if ids(all) != "a b c d e" {
			t.Errorf("limit %d: %s", limit, ids(all))
		}
	}
}

func TestCursors(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{entry("a"), entry("b")}, nil)
	other := NewSnapshot([]*Entry{entry("a"), entry("c")}, nil)
	_, cursor, _ := other.Page(other.Entries(), 1, "")
	for c, want := range map[Cursor]error{cursor: ErrCursorStale, "nonsense!": ErrCursorForm, "YWJj": ErrCursorForm} {
		if _, _, err := s.Page(s.Entries(), 1, c); !errors.Is(err, want) {
			t.Errorf("%q: %v", c, err)
		}
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	s := NewSnapshot([]*Entry{entry("a"), entry("b"), entry("c")}, nil)
	now := func(id ID) Known { e, _ := s.Get(string(id)); return Known{ID: id, SourceHash: e.SourceHash} }
	for name, test := range map[string]struct {
		known []Known
		want  string
	}{
		"nothing known":     {nil, "+a +b +c"},
		"all known":         {[]Known{now("c"), now("a"), now("b")}, ""},
		"one changed":       {[]Known{now("a"), {ID: "b", SourceHash: "old"}, now("c")}, "~b"},
		"one gone":          {[]Known{now("a"), now("b"), now("c"), {ID: "z", SourceHash: "x"}, {ID: "y", SourceHash: "x"}, {ID: "z", SourceHash: "w"}}, "-y -z"},
		"part known":        {[]Known{now("b")}, "+a +c"},
		"first counts":      {[]Known{now("a"), {ID: "a", SourceHash: "old"}, now("b"), now("c")}, ""},
		"first counts, old": {[]Known{{ID: "a", SourceHash: "old"}, now("a"), now("b"), now("c")}, "~a"},
	} {
		if got := describe(s.Diff(test.known)); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

func describe(c Changes) string {
	var parts []string
	for _, e := range c.Added {
		parts = append(parts, "+"+string(e.ID))
	}
	for _, e := range c.Updated {
		parts = append(parts, "~"+string(e.ID))
	}
	for _, id := range c.Removed {
		parts = append(parts, "-"+string(id))
	}
	return strings.Join(parts, " ")
}

// FuzzDiff checks that applying a diff to a client's entries yields the catalog. Each
// letter of now is an entry of the catalog, and each letter of known an entry of the
// client. A capital is the same entry with another body.
func FuzzDiff(f *testing.F) {
	for _, pair := range [][2]string{{"abc", "abc"}, {"abc", "aBd"}, {"", "abc"}, {"ABC", ""}, {"abc", "aAbBcC"}, {"aB", "bbAA"}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, now, known string) {
		s := NewSnapshot(entriesOf(now), nil)
		client := map[ID]Fingerprint{}
		var names []Known
		for _, e := range entriesOf(known) {
			k := Known{ID: e.ID, SourceHash: e.SourceHash}
			names = append(names, k)
			if _, twice := client[k.ID]; !twice {
				client[k.ID] = k.SourceHash
			}
		}
		c := s.Diff(names)
		for _, e := range c.Added {
			if _, had := client[e.ID]; had {
				t.Errorf("%s is added though it is known", e.ID)
			}
			client[e.ID] = e.SourceHash
		}
		for _, e := range c.Updated {
			if old, had := client[e.ID]; !had || old == e.SourceHash {
				t.Errorf("%s is updated though it is not stale", e.ID)
			}
			client[e.ID] = e.SourceHash
		}
		for _, id := range c.Removed {
			delete(client, id)
		}
		if len(client) != len(s.Entries()) {
			t.Errorf("the client has %d entries, the catalog %d", len(client), len(s.Entries()))
		}
		for _, e := range s.Entries() {
			if client[e.ID] != e.SourceHash {
				t.Errorf("%s differs", e.ID)
			}
		}
	})
}

func entriesOf(letters string) []*Entry {
	var entries []*Entry
	for i, r := range letters {
		lower := strings.ToLower(string(r))
		if r < 0x80 && ID(lower).Valid() {
			entries = append(entries, entry(ID(lower), func(e *draft) {
				e.Body = string(r)
				e.Origin.Path = fmt.Sprintf("%06d", i)
			}))
		}
	}
	return entries
}

func TestVerify(t *testing.T) {
	t.Parallel()
	recorded := func(hash Fingerprint) func(*draft) {
		return func(e *draft) { e.Origin.RecordedHash = string(hash) }
	}
	s := NewSnapshot([]*Entry{
		entry("edited"), entry("gone"), entry("same"), entry("blank"),
		entry("recorded", recorded(FingerprintOf("Body of recorded"))),
		entry("recorded-trimmed", recorded(FingerprintOf("Body of recorded-trimmed"))),
		entry("recorded-wrong", recorded("beef")),
	}, nil)
	var reported atomic.Int64
	got, err := s.Verify(t.Context(), func(_ context.Context, entries []*Entry, found func(ID, string)) error {
		for _, e := range entries {
			switch e.ID {
			case "edited":
				found(e.ID, "new")
			case "gone":
				continue
			case "blank", "recorded-trimmed":
				found(e.ID, e.Body.Text()+"\n")
			default:
				found(e.ID, e.Body.Text())
			}
			found(e.ID, "a second of that id, which does not count")
		}
		found("unknown", "an entry that came later")
		return nil
	}, func(done, total int) {
		if done < 1 || done > total || total != 7 {
			t.Errorf("progress %d of %d", done, total)
		}
		reported.Add(1)
	})
	if reported.Load() != 7 {
		t.Errorf("progress was told %d times, want 7", reported.Load())
	}
	want := []Drift{
		{"blank", string(FingerprintOf("Body of blank")), string(FingerprintOf("Body of blank\n"))},
		{"edited", string(FingerprintOf("Body of edited")), string(FingerprintOf("new"))},
		{"gone", string(FingerprintOf("Body of gone")), ""},
		{"recorded-wrong", "beef", string(FingerprintOf("Body of recorded-wrong"))},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v\nwant %v", got, err, want)
	}
	ended := errors.New("ended")
	failing := func(context.Context, []*Entry, func(ID, string)) error { return ended }
	if drifts, err := s.Verify(t.Context(), failing, func(int, int) {}); drifts != nil || err != ended {
		t.Errorf("ended: %v, %v", drifts, err)
	}
}

func TestEncodedIsTheEntry(t *testing.T) {
	t.Parallel()
	e := entry("a", func(e *draft) {
		e.Body, e.UsageCount, e.LastUsedAt = "<b> & \u2028 \"x\" \x00", 7, "2025-01-01T00:00:00.000Z"
		e.Extensions = json.RawMessage(`{"x":[1,"<"]}`)
	})
	NewSnapshot([]*Entry{e}, nil)
	var back Instruction
	if err := json.Unmarshal(e.Encoded(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Body != e.Body.Text() || back.UsageCount != 0 || back.LastUsedAt != "" || back.SourceHash != FingerprintOf("<b> & \u2028 \"x\" \x00") {
		t.Errorf("got %+v", back)
	}
	if strings.Contains(string(e.Encoded()), `\u003c`) {
		t.Errorf("< is escaped: %s", e.Encoded())
	}
}

func TestProject(t *testing.T) {
	t.Parallel()
	e := entry("a", func(e *draft) { e.Owner = "me" })
	NewSnapshot([]*Entry{e}, nil)
	for want, fields := range map[string][]Field{
		`{"id":"a"`: {},
		`{"id":"a","title":"Title of a","owner":"me"`:                          {"owner", "title", "id", "status"},
		`{"id":"a","priority":50,"categories":[],"riskScore":70`:               {"riskScore", "priority", "categories", "usageCount"},
		`{"id":"a","audience":"all","updatedAt":"` + string(e.UpdatedAt) + `"`: {"updatedAt", "audience"},
	} {
		if got := string(e.Project(fields)); got != want+"}" {
			t.Errorf("%v: got %s, want %s}", fields, got, want)
		}
	}
	if whole := string(e.Project(Fields())); whole != string(e.Encoded()) {
		t.Errorf("all fields: got %s, want %s", whole, e.Encoded())
	}
}

func TestStoreLoadsOnce(t *testing.T) {
	t.Parallel()
	var loads atomic.Int32
	fail := errors.New("not now")
	store := NewStore(func(context.Context) (*Snapshot, error) {
		if loads.Add(1) == 1 {
			return nil, fail
		}
		return NewSnapshot(nil, nil), nil
	})
	if _, err := store.Snapshot(t.Context()); !errors.Is(err, fail) {
		t.Fatalf("first: %v", err)
	}
	var wg sync.WaitGroup
	got := make([]*Snapshot, 20)
	for i := range got {
		wg.Go(func() { got[i], _ = store.Snapshot(t.Context()) })
	}
	wg.Wait()
	if loads.Load() != 2 {
		t.Errorf("loaded %d times", loads.Load())
	}
	for _, s := range got {
		if s == nil || s != got[0] {
			t.Fatal("not everybody got the same snapshot")
		}
	}
}

// found returns all entries that match a query.
func found(s *Snapshot, text string, f Filter) []*Entry {
	page, err := s.Find(Query{Text: text, Filter: f})
	if err != nil {
		panic(err)
	}
	return page.Entries
}
