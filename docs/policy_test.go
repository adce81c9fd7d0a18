package docs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The tests of this package hold the repository to its own policy: what
// ARCHITECTURE.md and the decision records say is true of the code, and the
// code keeps to it.

// root of the repository, and the prefix of every import path in it.
const (
	root   = ".."
	module = "instruction-catalog/"
)

// goPackage is a package as `go list` describes it.
type goPackage struct {
	Dir, ImportPath, Name, Doc string
	GoFiles, Imports           []string
}

// room is the package's path below the root.
func (p goPackage) room() string { return strings.TrimPrefix(p.ImportPath, module) }

var listed = sync.OnceValues(func() ([]goPackage, error) {
	cmd := exec.Command("go", "list", "-json=Dir,ImportPath,Name,Doc,GoFiles,Imports", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var packages []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
})

func packages(t *testing.T) []goPackage {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if len(all) == 0 {
		t.Fatal("go list found no package")
	}
	return all
}

// rule is what a row of the table of rooms allows.
type rule struct {
	everything bool
	rooms      []string
}

func (r rule) allows(room string) bool { return r.everything || slices.Contains(r.rooms, room) }

var quoted = regexp.MustCompile("`([^`]+)`")

// rooms reads the table of rooms of ARCHITECTURE.md.
func rooms(t *testing.T) map[string]rule {
	t.Helper()
	_, text, found := strings.Cut(read(t, "docs/ARCHITECTURE.md"), "| room | what lives there | may import |\n")
	if !found {
		t.Fatal("docs/ARCHITECTURE.md has no table of rooms")
	}
	table := map[string]rule{}
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			break
		}
		name := quoted.FindStringSubmatch(cells[1])
		if name == nil {
			continue // the line below the head
		}
		r := rule{everything: strings.TrimSpace(cells[3]) == "every room"}
		for _, m := range quoted.FindAllStringSubmatch(cells[3], -1) {
			r.rooms = append(r.rooms, m[1])
		}
		if !r.everything && r.rooms == nil && strings.TrimSpace(cells[3]) != "–" {
			t.Errorf("docs/ARCHITECTURE.md: %q says neither which rooms it may import nor –", name[1])
		}
		table[name[1]] = r
	}
	return table
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestImportsKeepToTheRooms(t *testing.T) {
	t.Parallel()
	table := rooms(t)
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			room, ours := strings.CutPrefix(imported, module)
			if ours && !table[p.room()].allows(room) {
				t.Errorf("%s imports %s, which the table of rooms in docs/ARCHITECTURE.md does not allow", p.room(), room)
			}
		}
	}
}

func TestEveryRoomIsInTheTable(t *testing.T) {
	t.Parallel()
	table := rooms(t)
	for _, p := range packages(t) {
		if _, ok := table[p.room()]; !ok {
			t.Errorf("%s is not in the table of rooms in docs/ARCHITECTURE.md: a new room needs its row there and a decision record", p.room())
		}
	}
	for name, r := range table {
		for _, room := range append(r.rooms, name) {
			if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(room))); err != nil || !info.IsDir() {
				t.Errorf("the table of rooms names %s, which is no folder", room)
			}
		}
	}
}

func TestNoUnknownFolders(t *testing.T) {
	t.Parallel()
	known := map[string]bool{".ci": true, ".git": true, "dist": true}
	for room := range rooms(t) {
		first, _, _ := strings.Cut(room, "/")
		known[first] = true
	}
	found, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.IsDir() && !known[f.Name()] {
			t.Errorf("the folder %s is unknown: it needs a row in the table of rooms and a decision record", f.Name())
		}
	}
}

// soleImporters are the libraries that one room hides from all others.
var soleImporters = map[string]string{
	"github.com/xeipuuv/gojsonschema": "schemas",
	"github.com/sourcegraph/jsonrpc2": "rpc/stdio",

	"github.com/modelcontextprotocol/go-sdk/mcp":     "rpc/mcp",
	"github.com/modelcontextprotocol/go-sdk/jsonrpc": "rpc/mcp",
	"github.com/VictoriaMetrics/metrics":             "rpc/web",
}

func TestHiddenLibraries(t *testing.T) {
	t.Parallel()
	importers := map[string][]string{}
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			importers[imported] = append(importers[imported], p.room())
		}
	}
	for library, room := range soleImporters {
		if got := importers[library]; !slices.Equal(got, []string{room}) {
			t.Errorf("%s is imported by %q: only %s may", library, got, room)
		}
	}
}

func TestPackageNamesAndComments(t *testing.T) {
	t.Parallel()
	meaningless := []string{"util", "utils", "helper", "helpers", "common", "base", "misc", "manager", "managers"}
	for _, p := range packages(t) {
		if slices.Contains(meaningless, p.Name) || slices.Contains(meaningless, path.Base(p.ImportPath)) {
			t.Errorf("%s: the name does not say what the package provides", p.room())
		}
		if p.Doc == "" && len(p.GoFiles) > 0 {
			t.Errorf("%s has no package comment: say what the room is for and what it never does", p.room())
		}
	}
}

// modules is go.mod as `go mod edit -json` prints it.
type modules struct {
	Require []struct {
		Path     string
		Indirect bool
	}
	Tool []struct{ Path string }
}

func TestDependenciesHaveReasons(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var m modules
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	reasons := reasonsFor(t)
	var required []string
	for _, r := range m.Require {
		required = append(required, r.Path)
		if !r.Indirect && !slices.Contains(reasons, r.Path) {
			t.Errorf("go.mod requires %s, for which docs/decisions/0001-dependencies.md gives no reason", r.Path)
		}
	}
	for _, tool := range m.Tool {
		if !slices.ContainsFunc(reasons, func(path string) bool { return strings.HasPrefix(tool.Path, path+"/") }) {
			t.Errorf("go.mod names the tool %s, for which docs/decisions/0001-dependencies.md gives no reason", tool.Path)
		}
	}
	for _, path := range reasons {
		if !slices.Contains(required, path) {
			t.Errorf("docs/decisions/0001-dependencies.md gives a reason for %s, which go.mod does not require", path)
		}
	}
}

// reasonsFor returns the modules that have a row in the record.
func reasonsFor(t *testing.T) []string {
	t.Helper()
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| .+ \\|$")
	var paths []string
	for _, match := range row.FindAllStringSubmatch(read(t, "docs/decisions/0001-dependencies.md"), -1) {
		paths = append(paths, match[1])
	}
	return paths
}
