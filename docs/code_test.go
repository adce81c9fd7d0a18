package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// source is a Go file that is no test, with what its names refer to.
type source struct {
	*ast.File
	name  string // below the root
	room  string
	set   *token.FileSet
	types *types.Info
}

func sources(t *testing.T) (all []source) {
	t.Helper()
	for _, p := range load(t) {
		for i, f := range p.Syntax {
			name := room(p) + "/" + filepath.Base(p.CompiledGoFiles[i])
			all = append(all, source{f, name, room(p), p.Fset, p.TypesInfo})
		}
	}
	return all
}

func (s source) line(pos token.Pos) int { return s.set.Position(pos).Line }

// uses calls look with everything of other packages that the file names.
func (s source) uses(look func(line int, pkg string, used types.Object)) {
	ast.Inspect(s.File, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if used := s.types.Uses[id]; used != nil && used.Pkg() != nil {
				look(s.line(id.Pos()), used.Pkg().Path(), used)
			}
		}
		return true
	})
}

// maxLines is how long a file may be. Tests and generated files may be longer.
const maxLines = 400

// An example that takes more than 100 lines teaches something else than what it is
// for.
func TestExamplesAreShort(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"main.go", "sync.mts"} {
		if n := strings.Count(read(t, "docs/examples/sync/"+name), "\n"); n >= 100 {
			t.Errorf("docs/examples/sync/%s has %d lines", name, n)
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if n := s.line(s.FileEnd); n > maxLines && !ast.IsGenerated(s.File) {
			t.Errorf("%s has %d lines: split it where its subject changes (%d are allowed)", s.name, n, maxLines)
		}
	}
}

func TestExportedIdentifiersAreDocumented(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, name := range undocumented(s.File) {
			t.Errorf("%s: %s has no doc comment", s.name, name)
		}
	}
}

// undocumented returns the exported identifiers of a file without a comment.
func undocumented(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && visible(d) && !explainsItself(d) {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				names = append(names, undocumentedSpec(d, spec)...)
			}
		}
	}
	return names
}

// visible reports whether a function shows in `go doc`: a method of a type
// that is not exported does not.
func visible(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name, ok := of.(*ast.Ident)
	return ok && name.IsExported()
}

// explainsItself reports whether a method is one of those that everybody
// knows.
func explainsItself(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "String"}, d.Name.Name)
}

// undocumentedSpec looks at one line or block of a declaration. A comment on
// the whole covers constants and variables, and a type that stands alone.
func undocumentedSpec(d *ast.GenDecl, spec ast.Spec) []string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		covered := spec.Doc != nil || spec.Comment != nil || d.Doc != nil && len(d.Specs) == 1
		if spec.Name.IsExported() && !covered {
			return []string{spec.Name.Name}
		}
	case *ast.ValueSpec:
		if d.Doc != nil || spec.Doc != nil || spec.Comment != nil {
			return nil
		}
		var names []string
		for _, name := range spec.Names {
			if name.IsExported() {
				names = append(names, name.Name)
			}
		}
		return names
	}
	return nil
}

// The check must be able to fail.
func TestUndocumented(t *testing.T) {
	t.Parallel()
	const text = `package p
// Documented is.
type Documented struct{}
func (Documented) Method() {}
func (*Documented) String() string { return "" }
func (hidden) Method2() {}
type hidden struct{}
type Bare int
const A, b = 1, 2
// The constants.
const (
	C = 1
	D = 2
)
var E = 1 // explained
func F() {}
func g() {}
`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := undocumented(f), []string{"Method", "Bare", "A", "F"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// writing are the functions and methods of package os that change a file
// system, and the flags of opening a file for that.
var writing = strings.Fields(`Chmod Chown Chtimes CopyFS Create CreateTemp Lchown Link Mkdir MkdirAll MkdirTemp
	O_APPEND O_CREATE O_RDWR O_TRUNC O_WRONLY Remove RemoveAll Rename Symlink Truncate WriteFile`)

// drafts are the functions of catalog/files that write a file.
var drafts = strings.Fields("NewDraft NewDraftIn Replace ReplaceIn CreateNewIn")

// mayWrite are the rooms that change files, because somebody asked for it.
var mayWrite = strings.Fields(`cmd/catalog cmd/gendocs bench catalog/files catalog/write catalog/worktree catalog/usage catalog/history catalog/search/vectors
	docs/examples/sync docs/examples/check`)

func TestReadingNeverWrites(t *testing.T) {
	t.Parallel()
	wrote := map[string]bool{}
	for _, s := range sources(t) {
		s.uses(func(line int, pkg string, used types.Object) {
			ofOS := pkg == "os" && slices.Contains(writing, used.Name())
			if !ofOS && (pkg != "instruction-catalog/catalog/files" || !slices.Contains(drafts, used.Name())) {
				return
			}
			wrote[s.room] = true
			if !slices.Contains(mayWrite, s.room) {
				t.Errorf("%s:%d: %s changes files: nothing here may", s.name, line, used.Name())
			}
		})
	}
	for _, room := range mayWrite {
		if !wrote[room] {
			t.Errorf("%s may change files and does not: take it out of the list", room)
		}
	}
}

// Standard output belongs to the protocol: whoever writes is told where to.
func TestOnlyMainNamesStdout(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		s.uses(func(line int, pkg string, used types.Object) {
			stdout := pkg == "os" && used.Name() == "Stdout" && s.name != "cmd/catalog/main.go"
			print := pkg == "fmt" && strings.HasPrefix(used.Name(), "Print")
			if stdout || print {
				t.Errorf("%s:%d: %s.%s writes to standard output: take a writer", s.name, line, pkg, used.Name())
			}
		})
	}
}

// What a library may not do to the program that it is in: look past types, be
// written for one processor, or tune the collector.
func TestNothingUnsafe(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		s.uses(func(line int, pkg string, used types.Object) {
			tunes := pkg == "runtime/debug" && (used.Name() == "SetGCPercent" || used.Name() == "SetMemoryLimit")
			if pkg == "unsafe" || tunes {
				t.Errorf("%s:%d: no room uses %s's %s", s.name, line, pkg, used.Name())
			}
		})
	}
	for _, name := range files(t) {
		if path.Ext(name) == ".s" {
			t.Errorf("%s: no room has assembly", name)
		}
	}
}

var example = regexp.MustCompile(`(?m)^func Example`)

// noExample are imported packages that an Example could not show: what only
// speaks to a server of PostgreSQL, and parts that one toolset shares.
var noExample = strings.Fields("toolsets/tasks/postgres toolsets/tasks/sqlstore toolsets/entities/internal/fakebackend")

// Whoever wants to use a package can see how.
func TestImportedPackagesHaveAnExample(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, name := range files(t) {
		if strings.HasSuffix(name, "_test.go") && example.MatchString(read(t, name)) {
			shown[path.Dir(name)] = true
		}
	}
	for _, room := range noExample {
		if shown[room] {
			t.Errorf("%s has an Example: take it out of the list", room)
		}
	}
	for _, p := range load(t) {
		for _, imported := range imports(p) {
			if !shown[imported] && !slices.Contains(noExample, imported) {
				t.Errorf("%s is imported by %s and has no Example function: show how it is used", imported, room(p))
				shown[imported] = true // told
			}
		}
	}
}
