//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// holdJournal locks a journal like another process. The caller must call release.
func holdJournal(t *testing.T, journal string) (release func()) {
	t.Helper()
	release, err := lockedfile.MutexAt(journal + ".lock").Lock()
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// tracked is the result of usage/track.
type tracked struct {
	UsageCount int
	InMemory   bool
}

func trackedIn(t *testing.T, r response) (answer tracked) {
	t.Helper()
	if err := json.Unmarshal(r.Result, &answer); r.Error != nil || err != nil {
		t.Fatalf("answered %s", r.line)
	}
	return answer
}

// countIn returns the count of the only entry in a journal that no process writes.
func countIn(t *testing.T, p program, dir, journal string) int {
	t.Helper()
	s := p.serve(t, dir, "--usage", journal)
	defer s.end()
	var hotset struct{ Items []tracked }
	if r := s.call("usage/hotset", "{}"); json.Unmarshal(r.Result, &hotset) != nil || len(hotset.Items) > 1 {
		t.Fatalf("answered %s", r.line)
	}
	if len(hotset.Items) == 0 {
		return 0
	}
	return hotset.Items[0].UsageCount
}

// TestHeldLockDelaysNothingElse checks that later requests are answered before
// usage/track while another process holds the journal's lock, and that usage/track is
// answered afterwards.
func TestHeldLockDelaysNothingElse(t *testing.T) {
	t.Parallel()
	p, dir := build(t), generate(t, 1, 10)
	for name, tt := range map[string]struct{ begin, call string }{
		"bare": {"", request(1, "usage/track", `{"id":"entry-0"}`)},
		"mcp":  {handshake, request(1, "tools/call", `{"name":"usage_track","arguments":{"id":"entry-0"}}`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			journal := filepath.Join(t.TempDir(), "uses.journal")
			release := holdJournal(t, journal)
			defer func() { release() }()
			s := p.serve(t, dir, "--usage", journal, "--tools", "all")
			if tt.begin != "" {
				s.send(tt.begin)
				s.receive()
			}
			s.send(tt.call)
			for i, method := range []string{"health/check", "instructions/list", "usage/hotset", "ping"} {
				s.send(request(i+2, method, "{}"))
				if a := s.receive(); string(a.ID) != fmt.Sprint(i+2) || a.Error != nil {
					t.Fatalf("%s was not answered first: %s", method, a.line)
				}
			}
			release()
			release = func() {}
			if a := s.receive(); string(a.ID) != "1" || a.Error != nil {
				t.Errorf("answered %s", a.line)
			}
			s.end()
			if got := countIn(t, p, dir, journal); got != 1 {
				t.Errorf("%d uses in the journal, want 1", got)
			}
		})
	}
}

// TestLockHeldToTheEnd checks that a lock that is never released blocks neither calls
// nor the end of the server, and that the answers report counts in memory.
func TestLockHeldToTheEnd(t *testing.T) {
	t.Parallel()
	p, dir := build(t), generate(t, 1, 10)
	journal := filepath.Join(t.TempDir(), "uses.journal")
	defer holdJournal(t, journal)()
	s := p.serve(t, dir, "--usage", journal)
	for i := range 3 {
		if got, want := trackedIn(t, s.call("usage/track", `{"id":"entry-0"}`)), (tracked{i + 1, true}); got != want {
			t.Errorf("answered %+v, want %+v", got, want)
		}
	}
	if a := s.call("health/check", `{"detail":true}`); !strings.Contains(string(a.Result), `"state":"memory"`) {
		t.Errorf("health/check says %s", a.Result)
	}
	s.end()
	if !strings.Contains(s.stderr.String(), "counts continue in memory") {
		t.Errorf("standard error:\n%s", &s.stderr)
	}
}

// TestCountsWithoutJournalSayNothing checks that answers do not mention a journal with
// --usage none.
func TestCountsWithoutJournalSayNothing(t *testing.T) {
	t.Parallel()
	s := build(t).serve(t, generate(t, 1, 10), "--usage", "none")
	if a := s.call("usage/track", `{"id":"entry-0"}`); strings.Contains(string(a.Result), "inMemory") {
		t.Errorf("answered %s", a.Result)
	}
	s.end()
}

// TestJournalCannotGrow checks that, under any limit on file size, uses that were
// acknowledged without inMemory are in the journal after kill -9.
func TestJournalCannotGrow(t *testing.T) {
	t.Parallel()
	p, dir := build(t), generate(t, 1, 10)
	const calls = 40
	for _, blocks := range []int{0, 1, 2, 5} { // of 512 bytes
		journal := filepath.Join(t.TempDir(), "uses.journal")
		s := &session{t: t, ctx: t.Context(), cmd: exec.CommandContext(t.Context(), "sh", "-c",
			fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, blocks), string(p), "serve", "--dir", dir, "--usage", journal)}
		s.cmd.Stderr = &s.stderr
		s.run(func() {})
		acknowledged := 0
		for i := range calls {
			got := trackedIn(t, s.call("usage/track", `{"id":"entry-0"}`))
			if got.UsageCount != i+1 {
				t.Errorf("%d blocks: call %d counts %d", blocks, i+1, got.UsageCount)
			}
			if !got.InMemory {
				acknowledged++
			}
		}
		s.signal(syscall.SIGKILL)
		_, _ = io.Copy(io.Discard, s.out)
		s.wait()
		if got := countIn(t, p, dir, journal); got < acknowledged || got > calls || acknowledged == calls {
			t.Errorf("%d blocks: %d of %d uses were acknowledged, %d are in the journal", blocks, acknowledged, calls, got)
		}
		if left, _ := os.ReadDir(filepath.Dir(journal)); len(left) > 2 {
			t.Errorf("%d blocks: left behind %v", blocks, left)
		}
	}
}
