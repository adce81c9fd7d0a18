package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var damageRounds = flag.Int("damage-rounds", 8, "how often a server starts on a state folder that is damaged")

// damages are changes to files as on a failing disk.
var damages = map[string]func(r *rand.Rand, text []byte) []byte{
	"flipped": func(r *rand.Rand, text []byte) []byte {
		if len(text) > 0 {
			text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		}
		return text
	},
	"cut": func(r *rand.Rand, text []byte) []byte { return text[:r.IntN(len(text)+1)] },
	"zeroed": func(r *rand.Rand, text []byte) []byte {
		from := r.IntN(len(text) + 1)
		clear(text[from : from+r.IntN(len(text)-from+1)])
		return text
	},
	"garbage": func(r *rand.Rand, text []byte) []byte {
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		return text
	},
	"emptied":  func(*rand.Rand, []byte) []byte { return nil },
	"repeated": func(_ *rand.Rand, text []byte) []byte { return append(text, text...) },
}

// stateFiles are the files of the state folder, by kind.
var stateFiles = []string{"notes/*/pending/plan", "notes/*/pending/[0-9]*", "usage/*", "history/*", "notes/*.vectors"}

// writeAll makes a folder contain exactly the given files.
func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	writeVault(t, dir, files)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

// A server starts and answers with any damage to the state folder. Notes can be
// written, and no file of the user is damaged.
func TestDamagedState(t *testing.T) {
	t.Parallel()
	p := build(t)
	const servers = 4
	for n := range servers {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			d := newDamaged(t, p, uint64(n))
			for round := range *damageRounds / servers {
				d.round(t, p, round)
			}
			t.Logf("%d rounds, of which %d found the plan of a rename", *damageRounds/servers, d.plans)
		})
	}
}

// damaged is a catalog, a vault in the middle of a rename, and the state folder of a
// killed server.
type damaged struct {
	*rand.Rand
	dir            string
	catalog, vault map[string]string
	state          map[string]string
	plans          int
}

func (d *damaged) path(name string) string { return filepath.Join(d.dir, name) }

func (d *damaged) serve(t *testing.T, p program) *session {
	t.Helper()
	return p.startWith(t, d.path("vault-state"), "serve", "--dir", d.path("catalog"), "--notes", d.path("vault"), "--notes-embedder", d.path("words.txt"))
}

func newDamaged(t *testing.T, p program, seed uint64) *damaged {
	t.Helper()
	d := &damaged{Rand: rand.New(rand.NewPCG(seed, 3)), dir: t.TempDir()}
	if err := os.CopyFS(d.path("catalog"), os.DirFS("testdata/catalog")); err != nil {
		t.Fatal(err)
	}
	writeVault(t, d.dir, map[string]string{"words.txt": "name 1 0\ntext 0 1\nline 1 1\n"})
	for range 50 { // until the server is killed in the middle
		writeAll(t, d.path("vault"), linked(names[0]))
		s := d.serve(t, p)
		s.call("usage/track", `{"id":"secrets"}`)
		s.call("instructions/diff", `{"known":[]}`)
		s.until("notes/search", `{"query":"name text"}`, `"id"`)
		s.end()
		killRenaming(t, p, d.path("vault"), 0, true)
		if hasPlan(d.path("vault")) {
			break
		}
	}
	d.catalog, d.vault, d.state = readVault(t, d.path("catalog")), readVault(t, d.path("vault")), readVault(t, d.path("vault-state"))
	return d
}

// round damages some files of the state folder and starts a server.
func (d *damaged) round(t *testing.T, p program, round int) {
	t.Helper()
	state, done := maps.Clone(d.state), []string{}
	for i := range 1 + d.IntN(2) {
		of := stateFiles[(round+i)%len(stateFiles)]
		all := slices.DeleteFunc(slices.Sorted(maps.Keys(state)), func(name string) bool { ok, _ := path.Match("instruction-catalog/"+of, name); return !ok })
		if len(all) == 0 { // the rename was nearly complete
			continue
		}
		name, kind := all[d.IntN(len(all))], slices.Sorted(maps.Keys(damages))[d.IntN(len(damages))]
		state[name] = string(damages[kind](d.Rand, []byte(state[name])))
		done = append(done, kind+" "+name)
	}
	writeAll(t, d.path("vault"), d.vault)
	writeAll(t, d.path("vault-state"), state)
	if hasPlan(d.path("vault")) {
		d.plans++
	}
	s := d.serve(t, p)
	for _, call := range []string{
		"health/check {}", "instructions/list {}", `usage/track {"id":"secrets"}`, `instructions/diff {"known":[]}`, "notes/get_hubs {}",
		`notes/search {"query":"name"}`, `notes/create_node {"title":"Zebra","content":"x"}`,
	} {
		method, params, _ := strings.Cut(call, " ")
		if r := s.call(method, params); r.Error != nil {
			t.Errorf("%q: %s: %s", done, method, r.line)
		}
	}
	s.end()
	if got := readVault(t, d.path("catalog")); !maps.Equal(got, d.catalog) {
		t.Errorf("%q: the catalog has changed", done)
	}
	d.check(t, done, &s.stderr)
}

// check checks that every note is as before or as after the rename.
func (d *damaged) check(t *testing.T, done []string, log fmt.Stringer) {
	t.Helper()
	got, notes := readVault(t, d.path("vault")), 0
	before, after := linked(names[0]), linked(names[1])
	for name, text := range got {
		if strings.HasPrefix(name, ".trash/") || name == "zebra.md" {
			continue
		}
		notes++
		moved := name == "d/"+names[1][1]+".md" && text == before["d/"+names[0][1]+".md"]
		if text != before[name] && text != after[name] && !moved {
			t.Errorf("%q: %s is %.300q\n%s", done, name, text, log)
		}
	}
	if notes != len(before) {
		t.Errorf("%q: there are %d notes, want %d\n%s", done, notes, len(before), log)
	}
}
