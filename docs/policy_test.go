package docs_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The tests of this package hold the repository to its own policy: what
// ARCHITECTURE.md and the decision records say is true of the code, and the
// code keeps to it.

// root of the repository, and the prefix of every import path in it.
const (
	root   = ".."
	module = "instruction-catalog/"
)

// loaded has every package of the module without its tests, type-checked.
var loaded = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Dir: root,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
	}, "./...")
})

func load(t *testing.T) []*packages.Package {
	t.Helper()
	all, err := loaded()
	if err != nil || len(all) == 0 {
		t.Fatalf("%d packages loaded: %v", len(all), err)
	}
	for _, p := range all {
		for _, problem := range p.Errors {
			t.Fatalf("load %s: %v", p.PkgPath, problem)
		}
	}
	return all
}

// room is a package's path below the root.
func room(p *packages.Package) string { return strings.TrimPrefix(p.PkgPath, module) }

// tracked are the files of the repository, by their paths below the root: those
// that git knows or would add, without those that are about to be removed.
var tracked = sync.OnceValues(func() ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	cmd.Dir = root
	out, err := cmd.Output()
	all := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	return slices.DeleteFunc(all, func(name string) bool {
		_, missing := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
		return missing != nil
	}), err
})

func files(t *testing.T) []string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("this is no clone: git cannot tell what belongs to the repository")
	}
	all, err := tracked()
	if err != nil || len(all) == 0 {
		t.Fatalf("git lists %d files: %v", len(all), err)
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
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

// imports are the rooms that a package imports, tests aside.
func imports(p *packages.Package) (found []string) {
	for imported := range p.Imports {
		if room, ours := strings.CutPrefix(imported, module); ours {
			found = append(found, room)
		}
	}
	return found
}

func TestImportsKeepToTheRooms(t *testing.T) {
	t.Parallel()
	table := rooms(t)
	for _, p := range load(t) {
		imported := imports(p)
		for _, other := range imported {
			if !table[room(p)].allows(other) {
				t.Errorf("%s imports %s, which the table of rooms in docs/ARCHITECTURE.md does not allow", room(p), other)
			}
		}
		for _, allowed := range table[room(p)].rooms {
			if !slices.Contains(imported, allowed) {
				t.Errorf("the table of rooms in docs/ARCHITECTURE.md lets %s import %s, which it does not: take it out", room(p), allowed)
			}
		}
	}
}

func TestEveryRoomIsInTheTable(t *testing.T) {
	t.Parallel()
	table := rooms(t)
	for _, p := range load(t) {
		if _, ok := table[room(p)]; !ok {
			t.Errorf("%s is not in the table of rooms in docs/ARCHITECTURE.md: a new room needs its row there and a decision record", room(p))
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
	known := map[string]bool{".ci": true}
	for room := range rooms(t) {
		first, _, _ := strings.Cut(room, "/")
		known[first] = true
	}
	for _, name := range files(t) {
		if folder, _, below := strings.Cut(name, "/"); below && !known[folder] {
			t.Errorf("%s is in an unknown folder: it needs a row in the table of rooms and a decision record", name)
		}
	}
}

// topLevel are the folders at the top that may hold Go.
var topLevel = strings.Fields("cmd catalog rpc governance toolsets instructions docs schemas bench")

func TestTopLevel(t *testing.T) {
	t.Parallel()
	for _, p := range load(t) {
		if folder, _, _ := strings.Cut(room(p), "/"); !slices.Contains(topLevel, folder) {
			t.Errorf("%s: the top level has room for the Go of %q and nothing else", room(p), topLevel)
		}
	}
}

// soleImporters are the libraries that one room hides from all others.
var soleImporters = map[string]string{
	"github.com/xeipuuv/gojsonschema": "schemas",
	"github.com/sourcegraph/jsonrpc2": "rpc/stdio",

	"github.com/modelcontextprotocol/go-sdk/mcp":     "rpc/mcp",
	"github.com/modelcontextprotocol/go-sdk/jsonrpc": "rpc/mcp",
	"github.com/VictoriaMetrics/metrics":             "rpc/server",
}

func TestHiddenLibraries(t *testing.T) {
	t.Parallel()
	importers := map[string][]string{}
	for _, p := range load(t) {
		for imported := range p.Imports {
			importers[imported] = append(importers[imported], room(p))
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
	for _, p := range load(t) {
		if slices.Contains(meaningless, p.Name) || slices.Contains(meaningless, path.Base(p.PkgPath)) {
			t.Errorf("%s: the name does not say what the package provides", room(p))
		}
		documented := len(p.Syntax) == 0 // only tests
		for _, f := range p.Syntax {
			documented = documented || f.Doc != nil
		}
		if !documented {
			t.Errorf("%s has no package comment: say what the room is for and what it never does", room(p))
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

var recordName = regexp.MustCompile(`^(\d{4})-[a-z0-9-]+\.md$`)

// A record has a number of its own, and ARCHITECTURE.md lists it.
func TestDecisionRecords(t *testing.T) {
	t.Parallel()
	architecture := read(t, "docs/ARCHITECTURE.md")
	records, err := fs.ReadDir(os.DirFS(root), "docs/decisions")
	if err != nil || len(records) == 0 {
		t.Fatal(records, err)
	}
	taken := map[string]string{}
	for _, record := range records {
		name := record.Name()
		number := recordName.FindStringSubmatch(name)
		if number == nil {
			t.Errorf("docs/decisions/%s: a record is called NNNN-title.md", name)
			continue
		}
		if other, ok := taken[number[1]]; ok {
			t.Errorf("docs/decisions: %s and %s have one number", other, name)
		}
		taken[number[1]] = name
		title, _, _ := strings.Cut(read(t, "docs/decisions/"+name), "\n")
		if !strings.HasPrefix(title, "# "+number[1]+": ") {
			t.Errorf("docs/decisions/%s begins with %q, not with its number", name, title)
		}
		if line := fmt.Sprintf("- [%s](decisions/%s)", strings.TrimPrefix(title, "# "), name); !strings.Contains(architecture, line+"\n") {
			t.Errorf("docs/ARCHITECTURE.md lacks the line %s", line)
		}
	}
	for _, number := range slices.Sorted(maps.Keys(taken)) {
		if listed := "- [" + number + ": "; strings.Count(architecture, listed) != 1 {
			t.Errorf("docs/ARCHITECTURE.md lists record %s more than once", number)
		}
	}
}
