package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc/rpctest"
)

var besideEditor = flag.Int("beside-editor", 5, "how many notes two servers rename beside an editor")

var noteKills = flag.Int("note-kills", 8, "how often a process is killed that renames a note")

// names are the two names between which a note is renamed: title and file name.
var names = [2][2]string{{"Old Name", "old-name"}, {"Another One", "another-one"}}

// linked returns a vault in which many notes link to one.
func linked(name [2]string) map[string]string {
	vault := map[string]string{
		"d/" + name[1] + ".md": fmt.Sprintf("---\n# mine\ntitle: %s   # kept\n---\nMyself: [[%s|me]]\n%s", name[0], name[1], strings.Repeat("text\n", 500)),
	}
	for i := range 60 {
		vault[fmt.Sprintf("f%d/n%d.md", i%4, i)] = fmt.Sprintf(
			"[[%[1]s|alias]] ![[d/%[1]s#h]]\r\n[x](../d/%[1]s.md#h) [[d/%[1]s|path]]\n`[[old-name]]`\n%[2]s", name[1], strings.Repeat("line\n", i*20))
	}
	return vault
}

func writeVault(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// readVault returns all files of a folder by name.
func readVault(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			found[name] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// serveNotes serves a vault. The plans of changes are kept outside it.
func (p program) serveNotes(t *testing.T, dir string, args ...string) *session {
	t.Helper()
	return p.startWith(t, stateBeside(dir), append([]string{"serve", "--toolsets", "notes", "--notes", dir}, args...)...)
}

func stateBeside(vault string) string { return vault + "-state" }

// pending returns the files of the state folder that belong to an unfinished change.
func pending(vault, name string) []string {
	found, _ := filepath.Glob(filepath.Join(stateBeside(vault), "instruction-catalog", "notes", "*", "pending", name))
	return found
}

// hasPlan reports whether a plan of a change exists.
func hasPlan(vault string) bool { return len(pending(vault, "plan")) > 0 }

// If a process is killed while it renames a note, the next process finds the old or the
// new state, complete, and nothing else is left, although it changes nothing itself. A
// process that only reads does not change this.
func TestKilledWhileRenaming(t *testing.T) {
	rpctest.Long(t)
	t.Parallel()
	t.Run("one disk", func(t *testing.T) {
		t.Parallel()
		killedWhileRenaming(t, t.TempDir())
	})
	t.Run("state on another disk", func(t *testing.T) {
		t.Parallel()
		shared, err := os.MkdirTemp("/dev/shm", "vault")
		if err != nil {
			t.Skip("there is no other disk here:", err)
		}
		t.Cleanup(func() { os.RemoveAll(shared) })
		dir := filepath.Join(shared, "vault")
		link(t, t.TempDir(), stateBeside(dir))
		killedWhileRenaming(t, dir)
	})
}

func killedWhileRenaming(t *testing.T, dir string) {
	p := build(t)
	writeVault(t, dir, linked(names[0]))
	now, halves, renamed := 0, 0, 0
	for round := range *noteKills {
		killRenaming(t, p, dir, now, round%4 > 0)
		if hasPlan(dir) {
			halves++
			half := readVault(t, dir)
			reader := p.serveNotes(t, dir, "--notes-read-only")
			reader.call("notes/get_hubs", "{}")
			reader.end()
			if !maps.Equal(half, readVault(t, dir)) {
				t.Error("a server that only reads has written")
			}
		}
		s := p.serveNotes(t, dir)
		s.call("notes/get_hubs", "{}")
		s.end()
		if left := pending(dir, "*"); len(left) > 0 {
			t.Errorf("in the state folder there are %v", left)
		}
		after := readVault(t, dir)
		switch {
		case maps.Equal(after, linked(names[1-now])):
			now, renamed = 1-now, renamed+1
		case maps.Equal(after, linked(names[now])):
		default:
			t.Fatalf("%d files, neither as before nor as after: %v", len(after), differing(after, linked(names[now]), linked(names[1-now])))
		}
	}
	t.Logf("%d rounds: %d renamed, %d of them completed by the next process", *noteKills, renamed, halves)
}

// killRenaming starts a server, has it rename the note, and kills it: at a random time,
// or as soon as a plan exists.
func killRenaming(t *testing.T, p program, dir string, now int, inStep bool) {
	t.Helper()
	s := p.serveNotes(t, dir)
	s.call("notes/get_hubs", "{}") // the server has read the notes
	s.send(request(1, "notes/update_node", fmt.Sprintf(`{"id":"d/%s.md","title":%q}`, names[now][1], names[1-now][0])))
	if inStep {
		for range 5000 { // the plan may also be too short-lived to be seen
			if hasPlan(dir) {
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
		time.Sleep(rand.N(5 * time.Millisecond))
	} else {
		time.Sleep(rand.N(400 * time.Millisecond))
	}
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.wait()
}

// differing returns the names of the files that equal neither vault's.
func differing(got map[string]string, vaults ...map[string]string) (all []string) {
	for name, text := range got {
		if text != vaults[0][name] && text != vaults[1][name] {
			all = append(all, fmt.Sprintf("%s: %.300q", name, text))
		}
	}
	return all
}

// If two servers create the same note, only one succeeds.
func TestTwoServersCreateOneNote(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := t.TempDir()
	a, b := p.serveNotes(t, dir), p.serveNotes(t, dir)
	const notes = 20
	for i := range notes {
		for _, s := range []*session{a, b} {
			s.send(request(i, "notes/create_node", fmt.Sprintf(`{"title":"Note %d","content":"x"}`, i)))
		}
	}
	for i := range notes {
		first, second := a.receive(), b.receive()
		if (first.Error == nil) == (second.Error == nil) {
			t.Errorf("note %d: %s and %s", i, first.line, second.line)
		}
		for _, r := range []response{first, second} {
			if r.Error != nil && (r.Error.Code != -32002 || !strings.Contains(string(r.Error.Data), `"NODE_EXISTS"`)) {
				t.Errorf("note %d: %s", i, r.line)
			}
		}
	}
	if got := readVault(t, dir); len(got) != notes {
		t.Errorf("there are %d files", len(got))
	}
}

// Two servers rename notes of one vault beside an editor. No link is lost, and no line
// that the editor saved.
func TestTwoServersAndAnEditor(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := t.TempDir()
	writeVault(t, dir, gardenVault(*gardenSeed, *gardenSize))
	servers := []*session{p.serveNotes(t, dir), p.serveNotes(t, dir)}
	o := newOracle(readVault(t, dir))
	g := &garden{Rand: rand.New(rand.NewPCG(*gardenSeed, 2))}
	e := newNoteEditor(t, dir, rand.New(rand.NewPCG(*gardenSeed, 3)))
	for i := range *besideEditor {
		from, to, title := renameInGarden(t, g, servers[i%2], slices.DeleteFunc(slices.Clone(o.ids), isEdited))
		e.mu.Lock() // a file is incomplete while the editor saves it in place
		files := readVault(t, dir)
		e.mu.Unlock()
		before := o
		o = newOracle(files)
		checkRename(t, before.withoutEdits(), o.withoutEdits(), from, to, title)
		if t.Failed() {
			break
		}
	}
	saved := e.close()
	files := readVault(t, dir)
	var all strings.Builder
	for _, text := range files {
		all.WriteString(text)
	}
	for i := range saved {
		if !strings.Contains(all.String(), editedLine(i)) {
			t.Errorf("line %d is lost", i)
		}
	}
	o = newOracle(files)
	for _, s := range servers {
		checkGarden(t, s, o)
		s.end()
	}
	t.Logf("%d renames beside %d saves", *besideEditor, saved)
}

func idOf(t *testing.T, r response) string {
	t.Helper()
	var node struct{ ID string }
	if err := json.Unmarshal(r.Result, &node); err != nil || node.ID == "" {
		t.Fatalf("%s: %v", r.line, err)
	}
	return node.ID
}

// With --notes-read-only, nothing mentions the tools that change notes.
func TestNotesReadOnly(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := t.TempDir()
	writeVault(t, dir, map[string]string{"a.md": "x"})
	s := p.serveNotes(t, dir, "--notes-read-only")
	for _, tool := range []string{"create_node", "update_node", "delete_node"} {
		if r := s.call("notes/"+tool, `{"id":"a.md"}`); r.Error == nil || r.Error.Code != -32601 {
			t.Errorf("%s: %s", tool, r.line)
		}
	}
	if r := s.call("rpc.discover", "{}"); strings.Contains(string(r.Result), "_node\"") && strings.Contains(string(r.Result), "update_node") {
		t.Errorf("it is told of: %.500s", r.line)
	}
	if r := s.call("notes/get_node", `{"id":"a.md"}`); r.Error != nil {
		t.Errorf("%s", r.line)
	}
	s.end()
	if got := readVault(t, dir); len(got) != 1 {
		t.Errorf("there are %v", got)
	}
}
