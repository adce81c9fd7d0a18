package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// state identifies a state of a catalog.
type state struct{ Hash, Revision string }

// told reads the next line, which must be a notification that the catalog has changed.
func (s *session) told() (now, before state) {
	s.t.Helper()
	line, err := s.out.ReadBytes('\n')
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			state
			Previous state
			Kept     int
		}
	}
	if err != nil || json.Unmarshal(line, &m) != nil || m.Method != "instructions/changed" || m.ID != nil {
		s.t.Fatalf("this is no notification of a change: %q (%v)", line, err)
	}
	s.kept = m.Params.Kept
	return m.Params.state, m.Params.Previous
}

func stateOf(t *testing.T, r response) (s state) {
	t.Helper()
	if err := json.Unmarshal(r.Result, &s); err != nil || s.Revision == "" {
		t.Fatalf("no state: %s", r.line)
	}
	return s
}

// follow reads notifications until the diff since a state contains a text, and returns
// the current state.
func (s *session) follow(since state, want string) state {
	s.t.Helper()
	for last := since; ; {
		now, before := s.told()
		if before != last || now == last && s.kept == 0 {
			s.t.Fatalf("told of %v after %v, after it was told of %v", now, before, last)
		}
		answer := s.call("instructions/diff", `{"since":"`+since.Revision+`","fields":["priority"]}`)
		if strings.Contains(string(answer.line), want) {
			return stateOf(s.t, answer)
		}
		last = now
	}
}

// TestSubscribe checks that a subscribed client is notified of each change and can get
// the changes since any state that it knows, and that other clients get no
// notifications.
func TestSubscribe(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	p := build(t)
	s, other := p.serve(t, l.dir), p.serve(t, l.dir)
	first := stateOf(t, s.call("instructions/subscribe", "{}"))
	if again := stateOf(t, s.call("instructions/subscribe", "{}")); again != first {
		t.Errorf("who subscribes again is told %v, not %v", again, first)
	}
	other.call("instructions/list", "{}")

	l.write("new.md", "# New\n\nText.\n")
	added := s.follow(first, `"added":[{"id":"new","priority":50}],"updated":[],"removed":[]`)
	l.write("a.md", "---\npriority: 7\n---\n# Title\n\nFirst text.\n")
	changed := s.follow(added, `"added":[],"updated":[{"id":"a","priority":7}],"removed":[]`)
	l.must(os.Remove(l.path("b.md")))
	removed := s.follow(changed, `"added":[],"updated":[],"removed":["b"]`)
	for since, want := range map[string]string{
		first.Revision:  `"added":[{"id":"new"}],"updated":[{"id":"a"}],"removed":["b"]`,
		first.Hash:      `"added":[{"id":"new"}],"updated":[{"id":"a"}],"removed":["b"]`,
		added.Hash:      `"added":[],"updated":[{"id":"a"}],"removed":["b"]`, // which changed has, too
		removed.Hash:    `"result":{"upToDate":true,"hash":"` + removed.Hash + `","revision":"` + removed.Revision + `"}`,
		"what is that?": `"result":{"resync":true,"hash":"` + removed.Hash + `","revision":"` + removed.Revision + `"}`,
	} {
		if answer := s.call("instructions/diff", `{"since":"`+since+`","fields":["id"]}`); !strings.Contains(string(answer.line), want) {
			t.Errorf("since %s: %s", since, answer.line)
		}
	}

	// An invalid file is kept as it was, and a notification is sent.
	l.write("a.md", "")
	if now, before := s.told(); now != removed || before != removed || s.kept != 1 {
		t.Errorf("told of %v after %v, with %d kept", now, before, s.kept)
	}

	s.call("instructions/unsubscribe", "{}")
	l.write("a.md", "# Title\n\nLast text.\n")
	s.until("instructions/get", `{"id":"a"}`, "Last")
	other.until("instructions/get", `{"id":"a"}`, "Last")
	other.end()
	s.end()
}

// TestDiffPages reads the changes page by page. Each must occur once.
func TestDiffPages(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	s := build(t).serve(t, l.dir)
	first := stateOf(t, s.call("instructions/subscribe", "{}"))
	s.call("instructions/unsubscribe", "{}")
	l.must(os.Remove(l.path("b.md")))
	l.write("a.md", "# Title\n\nOther.\n")
	l.write("ab.md", "# Title\n\nOther.\n")
	l.write("z.md", "# Title\n\nOther.\n")
	s.until("instructions/list", `{}`, `!"id":"b"`)
	s.until("instructions/list", `{}`, `"id":"z"`)
	pages := []string{
		`"added":[{"id":"ab"}],"updated":[{"id":"a"}],"removed":[],"nextCursor":"`,
		`"added":[{"id":"z"}],"updated":[],"removed":["b"]}`,
	}
	cursor := ""
	for _, want := range pages {
		answer := s.call("instructions/diff", `{"since":"`+first.Revision+`","fields":["id"],"limit":2`+cursor+`}`)
		if !strings.Contains(string(answer.line), want) {
			t.Errorf("got %s, want %s", answer.line, want)
		}
		var page struct{ NextCursor string }
		l.must(json.Unmarshal(answer.Result, &page))
		if page.NextCursor != "" {
			cursor = `,"cursor":"` + page.NextCursor + `"`
		}
	}
	other := s.call("instructions/diff", `{"since":"`+first.Hash+`"`+cursor+`}`)
	if !strings.Contains(string(other.line), "belongs to another query") {
		t.Errorf("another since with the cursor: %s", other.line)
	}
	l.write("a.md", "---\npriority: 9\n---\n# Title\n\nOther.\n")
	s.until("instructions/get", `{"id":"a"}`, `"priority":9`)
	stale := s.call("instructions/diff", `{"since":"`+first.Revision+`"`+cursor+`}`)
	if !strings.Contains(string(stale.line), "another snapshot") {
		t.Errorf("the cursor of another revision with the same hash: %s", stale.line)
	}
	s.end()
}

// A server that does not watch files offers no subscriptions.
func TestSubscribeWithoutWatching(t *testing.T) {
	t.Parallel()
	s := build(t).serve(t, newLive(t).dir, "--no-watch")
	if answer := s.call("instructions/subscribe", "{}"); !strings.Contains(string(answer.line), "without --no-watch") {
		t.Errorf("got %s", answer.line)
	}
	s.end()
}

// change changes the catalog "changing" and returns its previous revision.
func (s contractSessions) change(t *testing.T) string {
	t.Helper()
	changing := s["changing"]
	before := stateOf(t, changing.call("instructions/list", `{"revision":true}`)).Revision
	dir := changing.cmd.Args[slices.Index(changing.cmd.Args, "--dir")+1]
	for name, want := range map[string]string{"a": "Changed", "c": "New"} {
		writeFile(t, filepath.Join(dir, name+".md"), want+".\n")
		changing.until("instructions/get", `{"id":"`+name+`"}`, want)
	}
	if err := os.Remove(filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	changing.until("instructions/get", `{"id":"b"}`, "notFound")
	return before
}

// historyFileOf returns the file that stores a catalog's revisions, which may not exist
// yet.
func historyFileOf(t *testing.T, state, dir string) string {
	t.Helper()
	env := map[string]string{"XDG_STATE_HOME": state, "LocalAppData": state, "HOME": state}
	path := (&app{env: func(name string) string { return env[name] }, dir: dir}).historyFile()
	if path == "" {
		t.Fatal("there is no state folder")
	}
	return path
}

// TestRevisionsLast checks that changes made while no server ran are reported, and that
// nothing is invented if the history file is damaged.
func TestRevisionsLast(t *testing.T) {
	t.Parallel()
	l, p, state := newLive(t), build(t), t.TempDir()
	serve := func() *session { return p.startWith(t, state, "serve", "--dir", l.dir) }
	s := serve()
	first := stateOf(t, s.call("instructions/list", `{"revision":true}`))
	s.end()
	before := l.fingerprints()

	l.write("a.md", "---\npriority: 7\n---\n# Title\n\nFirst text.\n")
	since := `{"since":"` + first.Revision + `","fields":["id"]}`
	s = serve()
	if answer := s.call("instructions/diff", since); !strings.Contains(string(answer.line), `"added":[],"updated":[{"id":"a"}],"removed":[]`) {
		t.Errorf("after a restart: %s", answer.line)
	}
	s.end()

	path := historyFileOf(t, state, l.dir)
	text, err := os.ReadFile(path)
	l.must(err)
	writeFile(t, path, string(text[:len(text)-1]))
	s = serve()
	if answer := s.call("instructions/diff", since); !strings.Contains(string(answer.line), `{"resync":true,"hash":"`) {
		t.Errorf("with a damaged file: %s", answer.line)
	}
	if answer := s.call("health/check", `{"detail":true}`); !strings.Contains(string(answer.line), `"history":"the history of revisions was damaged`) {
		t.Errorf("with a damaged file: %s", answer.line)
	}
	s.end()
	l.write("a.md", "# Title\n\nFirst text.\n")
	if after := l.fingerprints(); len(after) != len(before) {
		t.Errorf("files in the catalog: %q, before %q", after, before)
	}

	s = p.startWith(t, state, "serve", "--dir", l.dir, "--usage", "none")
	if answer := s.call("instructions/diff", since); !strings.Contains(string(answer.line), `"upToDate":true`) {
		t.Errorf("the revision is the same as at first: %s", answer.line)
	}
	s.end()
}

// TestAgentsHearOfChanges checks that an MCP client is notified of the resources that
// it subscribed to, and of changed lists if the server offers that.
func TestAgentsHearOfChanges(t *testing.T) {
	t.Parallel()
	l, p := newLive(t), build(t)
	const initialize = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`
	const promised = `"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}`
	still := p.serve(t, l.dir, "--no-watch")
	if answer := string(still.call("initialize", initialize).line); strings.Contains(answer, "listChanged") || strings.Contains(answer, "subscribe") {
		t.Errorf("without watching: %s", answer)
	}
	still.end()

	s := p.serve(t, l.dir)
	if answer := string(s.call("initialize", initialize).line); !strings.Contains(answer, promised) {
		t.Errorf("with watching: %s", answer)
	}
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	s.call("resources/subscribe", `{"uri":"instruction://a"}`)
	l.write("a.md", "# Title\n\nOther text.\n")
	l.write("new.md", "# Title\n\nNew text.\n")
	missing := map[string]bool{
		`"method":"notifications/resources/updated","params":{"uri":"instruction://a"}`: true,
		`"method":"notifications/resources/list_changed"`:                               true,
		`"method":"notifications/prompts/list_changed"`:                                 true,
	}
	for len(missing) > 0 {
		line, err := s.out.ReadString('\n')
		l.must(err)
		for want := range missing {
			if strings.Contains(line, want) {
				delete(missing, want)
			}
		}
	}
	s.hangUp()
}

// hangUp ends the input and expects a clean exit. Unread output is ignored.
func (s *session) hangUp() {
	s.t.Helper()
	s.in.Close()
	for _, err := s.out.ReadString('\n'); err == nil; _, err = s.out.ReadString('\n') {
	}
	if code := s.wait(); code != exitClean {
		s.t.Errorf("exit code %d: %s", code, &s.stderr)
	}
}

// TestAgentsHearFromTheBeginning checks that a client that only listens for changed
// lists is notified, and so is one that knows a skill that is renamed or removed.
func TestAgentsHearFromTheBeginning(t *testing.T) {
	t.Parallel()
	l, p := newLive(t), build(t)
	const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	listen := func(s *session, what string) {
		t.Helper()
		s.send(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{` + what + `},` + modern + "}}\n")
		s.hear("subscriptions/acknowledged")
	}
	skill := func(name string) {
		l.write(".claude/skills/fold/SKILL.md", "---\nname: "+name+"\ndescription: Folds.\n---\nFold it.\n")
	}
	l.write("gates.json", `{"gates":[]}`)
	s := p.serve(t, l.dir)
	listen(s, `"resourcesListChanged":true`)
	skill("fold")
	s.hear("resources/list_changed")
	s.hangUp()

	s = p.serve(t, l.dir)
	listen(s, `"resourceSubscriptions":["skill://fold/SKILL.md"]`)
	skill("crease")
	s.hear(`"uri":"skill://fold/SKILL.md"`)
	s.hangUp()

	s = p.serve(t, l.dir)
	listen(s, `"resourceSubscriptions":["skill://crease/SKILL.md"]`)
	l.must(os.RemoveAll(l.path(".claude")))
	s.hear(`"uri":"skill://crease/SKILL.md"`)
	s.hangUp()
}

// hear reads lines until one contains a text.
func (s *session) hear(want string) {
	s.t.Helper()
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.t.Fatalf("waiting for %s: %v", want, err)
		}
		if strings.Contains(line, want) {
			return
		}
	}
}
