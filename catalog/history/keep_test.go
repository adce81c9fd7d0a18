package history

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// kept returns a history in a file, and the buffer of its log.
func kept(t *testing.T, path string) (*past, *bytes.Buffer) {
	t.Helper()
	p, log := &past{}, new(bytes.Buffer)
	p.History = Open(path, func() *catalog.Snapshot {
		if len(p.snapshots) == 0 {
			return nil
		}
		return p.snapshots[len(p.snapshots)-1]
	}, slog.New(slog.NewTextHandler(log, nil)))
	return p, log
}

// TestServersShareAFile has several servers see states of one catalog, and save, end
// and start at any time. Every server reports only true changes, and knows everything
// that was saved.
func TestServersShareAFile(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 2))
		path := filepath.Join(t.TempDir(), "deep", "history.json")
		servers := make([]*past, 3)
		seen := map[catalog.Fingerprint]*catalog.Snapshot{} // by revision
		saved := map[catalog.Fingerprint]bool{}
		state := contents{"e0": {1, 1}}
		for range 60 {
			state = state.changed(random)
			n := random.IntN(len(servers))
			if servers[n] == nil {
				servers[n], _ = kept(t, path)
			}
			server := servers[n]
			server.swap(state.snapshot())
			last := server.snapshots[len(server.snapshots)-1]
			seen[last.Revision()] = last
			for token, from := range seen {
				_, changes, known := server.Since(token)
				if got, want := describe(changes), between(from, last); known && got != want {
					t.Fatalf("seed %d: since %.8s: %q, want %q", seed, token, got, want)
				}
				if saved[token] && !known {
					t.Fatalf("seed %d: %.8s was saved and is not known", seed, token)
				}
			}
			switch random.IntN(4) {
			case 0:
				server.Save()
				for _, s := range server.snapshots {
					saved[s.Revision()] = true
				}
			case 1:
				servers[n] = nil // killed
			}
			if server.Trouble() != "" {
				t.Fatal(server.Trouble())
			}
		}
	}
}

// TestDamagedFile changes a byte of the file or truncates it. Older revisions are then
// unknown, Trouble reports this, and the next save repairs the file.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.json")
	state := contents{"e0": {1, 1}, "e1": {1, 1}}
	first, _ := kept(t, path)
	first.swap(state.snapshot())
	first.Save()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	state["e1"] = [2]int{1, 2}
	for at := 0; at < len(whole); at += 1 + at/40 {
		for _, damage := range [][]byte{whole[:at], flipped(whole, at)} {
			if err := os.WriteFile(path, damage, 0o600); err != nil {
				t.Fatal(err)
			}
			p, log := kept(t, path)
			p.swap(state.snapshot())
			if _, changes, known := p.Since(first.Current().Revision); known {
				t.Fatalf("%q is believed: %q", damage, describe(changes))
			}
			trouble := p.Trouble()
			newer := strings.Contains(trouble, "newer version")
			if trouble == "" || !strings.Contains(log.String(), "history") {
				t.Fatalf("%q: trouble %q, log %q", damage, trouble, log)
			}
			p.Save()
			again, _ := kept(t, path)
			again.swap(state.snapshot())
			if again.Save(); (again.Trouble() == "") == newer {
				t.Fatalf("%q: then %q", damage, again.Trouble())
			}
		}
	}
}

func flipped(text []byte, at int) []byte {
	other := bytes.Clone(text)
	other[at] ^= 1
	return other
}

// A file that a newer version has written is left unchanged.
func TestNewerFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.json")
	newer := fmt.Sprintf(`{"history":%q,"version":%d}`+"\nnobody knows", state.Kind, state.Version+1)
	if err := os.WriteFile(path, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	p, _ := kept(t, path)
	p.swap(contents{"e0": {1, 1}}.snapshot())
	before := p.Current()
	p.Save()
	p.swap(contents{"e0": {1, 2}}.snapshot())
	if _, changes, known := p.Since(before.Revision); !known || describe(changes) != "~e0" {
		t.Errorf("in memory: known %v, changes %q", known, describe(changes))
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != newer || !strings.Contains(p.Trouble(), "newer") {
		t.Errorf("%s (%v), trouble %q", text, err, p.Trouble())
	}
}

// If a file cannot be written, this is reported, and writing is retried.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p, log := kept(t, filepath.Join(folder, "history.json"))
	p.swap(contents{"e0": {1, 1}}.snapshot())
	p.Save()
	p.Save()
	if p.Trouble() == "" || strings.Count(log.String(), "in memory") != 1 {
		t.Errorf("trouble %q, log %q", p.Trouble(), log)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if p.Save(); p.Trouble() != "" {
		t.Error(p.Trouble())
	}
}

// FuzzDecode checks that any content of a file is either read or rejected.
func FuzzDecode(f *testing.F) {
	p := &past{}
	p.History = New(func() *catalog.Snapshot { return p.snapshots[0] })
	p.swap(contents{"e0": {1, 1}}.snapshot())
	p.Current()
	text, err := record{p.steps, entriesOf(p.current)}.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("{}\n{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := decode(text); (err == nil) != (len(r.Steps) > 0) {
			t.Errorf("%q: %d steps, %v", text, len(r.Steps), err)
		}
	})
}
