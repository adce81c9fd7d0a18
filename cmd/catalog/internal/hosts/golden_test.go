package hosts

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the edits give into the golden files; read the difference")

// TestGolden shows for each host the result of installing without a file, into a file
// with other servers, with an older entry of ours and with invalid content, and the
// result of uninstalling.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, h := range All() {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join("testdata", h.Name+".txtar")
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := &txtar.Archive{Comment: archive.Comment, Files: golden(t, h, archive)}
			if *update {
				if err := os.WriteFile(name, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if string(txtar.Format(got)) != string(txtar.Format(archive)) {
				t.Errorf("%s says otherwise:\n%s", name, txtar.Format(got))
			}
		})
	}
}

// golden returns the files that a host's archive should contain, computed from its
// inputs.
func golden(t *testing.T, h Host, archive *txtar.Archive) []txtar.File {
	t.Helper()
	input := func(name string) []byte {
		for _, f := range archive.Files {
			if f.Name == name {
				return f.Data
			}
		}
		t.Fatalf("there is no input %q", name)
		return nil
	}
	others, older, broken := input("others"), input("older"), input("broken")
	added := mustAdd(t, h, others)
	if rest, nothing := mustRemove(t, h, added); string(rest) != string(others) || nothing {
		t.Errorf("taken back from the other servers: %q", rest)
	}
	if rest, nothing := mustRemove(t, h, h.File(server)); !nothing {
		t.Errorf("a file that holds our entry alone holds something else: %q", rest)
	}
	updated := mustAdd(t, h, older)
	removed, nothing := mustRemove(t, h, updated)
	if again, _ := mustRemove(t, h, older); string(again) != string(removed) {
		t.Errorf("without the older entry: %q, without that brought up to date: %q", again, removed)
	}
	if nothing {
		removed = []byte("nothing\n")
	}
	_, err := h.Add(broken, server)
	if _, _, same := h.Remove(broken, server); err == nil || same == nil || err.Error() != same.Error() {
		t.Fatalf("a broken file: to add: %v, to remove: %v", err, same)
	}
	return []txtar.File{
		{Name: "no file, added", Data: h.File(server)},
		{Name: "no file, at a URL", Data: atURL(t, h, others)},
		{Name: "others", Data: others}, {Name: "others, added", Data: added},
		{Name: "older", Data: older}, {Name: "older, added", Data: updated}, {Name: "older, removed", Data: removed},
		{Name: "broken", Data: broken}, {Name: "broken, added or removed", Data: []byte(err.Error() + "\n")},
	}
}

// atURL returns the file with an entry for a running server, and checks that adding and
// removing the entry leaves no trace.
func atURL(t *testing.T, h Host, others []byte) []byte {
	t.Helper()
	if !h.TakesURL() {
		return []byte("no URLs\n")
	}
	remote := Server{URL: "https://rules.example/mcp"}
	if h.TakesToken() {
		remote.TokenEnv = "CATALOG_TOKEN"
	}
	file := h.File(remote)
	if there, ok := h.Entry(file); !ok || there.URL != remote.URL || there.TokenEnv != remote.TokenEnv {
		t.Errorf("the entry is read as %+v", there)
	}
	if rest, nothing, err := h.Remove(file, remote); err != nil || !nothing {
		t.Errorf("a file that holds our URL alone holds something else: %q, %v", rest, err)
	}
	for _, s := range []Server{server, {URL: "https://other.example/mcp"}} {
		if text, err := h.Add(file, s); err == nil {
			t.Errorf("%+v takes the place of another: %q", s, text)
		}
		if text, _, err := h.Remove(file, s); err == nil {
			t.Errorf("taken back as %+v: %q", s, text)
		}
	}
	if text, err := h.Add(h.File(server), remote); err == nil {
		t.Errorf("a URL takes the place of what is started: %q", text)
	}
	added, err := h.Add(others, remote)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := h.Add(added, remote); err != nil || string(again) != string(added) {
		t.Errorf("added again: %q, %v", again, err)
	}
	if rest, _, err := h.Remove(added, remote); err != nil || string(rest) != string(others) {
		t.Errorf("taken back from the other servers: %q, %v", rest, err)
	}
	return file
}

var server = Server{Command: "catalog", Args: []string{"serve"}}

// mustAdd adds our entry, and checks that adding it again changes nothing.
func mustAdd(t *testing.T, h Host, text []byte) []byte {
	t.Helper()
	added, err := h.Add(text, server)
	if err != nil {
		t.Fatalf("add to %q: %v", text, err)
	}
	if again, err := h.Add(added, server); err != nil || string(again) != string(added) {
		t.Errorf("added again: %q, %v", again, err)
	}
	return added
}

func mustRemove(t *testing.T, h Host, text []byte) (rest []byte, nothingElse bool) {
	t.Helper()
	rest, nothingElse, err := h.Remove(text, server)
	if err != nil {
		t.Fatalf("remove from %q: %v", text, err)
	}
	return rest, nothingElse
}
