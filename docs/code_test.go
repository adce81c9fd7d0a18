package docs_test

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// source is a parsed Go file that is no test.
type source struct {
	*ast.File
	name string // below the root
	room string
	set  *token.FileSet
}

// sources parses every file of every package.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	for _, p := range packages(t) {
		for _, name := range p.GoFiles {
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, source{f, p.room() + "/" + name, p.room(), set})
		}
	}
	return all
}

func (s source) line(pos token.Pos) int { return s.set.Position(pos).Line }

// mostLines is how long a file may be. Tests and generated files may be longer.
const mostLines = 400

func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if n := s.line(s.FileEnd); n > mostLines && !ast.IsGenerated(s.File) {
			t.Errorf("%s has %d lines: split it where its subject changes (%d are allowed)", s.name, n, mostLines)
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

// writing are the functions of package os, and the methods of os.Root, that
// change a file system.
var writing = strings.Fields(`Chmod Chown Chtimes CopyFS Create CreateTemp Lchown Link Mkdir MkdirAll MkdirTemp
	O_APPEND O_CREATE O_RDWR O_TRUNC O_WRONLY Remove RemoveAll Rename Symlink Truncate WriteFile`)

// mayWrite are the rooms that make files, because somebody asked for them, or in
// the user's cache folder.
var mayWrite = []string{"cmd/catalog", "cmd/gendocs", "bench", "cachefile"}

func TestReadingNeverWrites(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if slices.Contains(mayWrite, s.room) {
			continue
		}
		for _, use := range selectors(s.File) {
			if slices.Contains(writing, use.Sel.Name) {
				t.Errorf("%s:%d: %s changes files: nothing here may", s.name, s.line(use.Pos()), use.Sel.Name)
			}
		}
	}
}

// Standard output belongs to the protocol: whoever writes is told where to.
func TestOnlyMainNamesStdout(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, use := range selectors(s.File) {
			pkg, _ := use.X.(*ast.Ident)
			if pkg == nil {
				continue
			}
			stdout := pkg.Name == "os" && use.Sel.Name == "Stdout" && s.name != "cmd/catalog/main.go"
			print := pkg.Name == "fmt" && strings.HasPrefix(use.Sel.Name, "Print")
			if stdout || print {
				t.Errorf("%s:%d: %s.%s writes to standard output: take a writer", s.name, s.line(use.Pos()), pkg.Name, use.Sel.Name)
			}
		}
	}
}

func selectors(f *ast.File) []*ast.SelectorExpr {
	var found []*ast.SelectorExpr
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			found = append(found, s)
		}
		return true
	})
	return found
}

// mostMain is how many lines of code main.go may have after its imports.
const mostMain = 15

func TestMainOnlyExits(t *testing.T) {
	t.Parallel()
	text := read(t, "cmd/catalog/main.go")
	_, code, found := strings.Cut(text, "\n)\n")
	if !found {
		t.Fatal("cmd/catalog/main.go has no block of imports")
	}
	n := 0
	for lines := bufio.NewScanner(strings.NewReader(code)); lines.Scan(); {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	if n > mostMain {
		t.Errorf("cmd/catalog/main.go has %d lines of code: what can be tested belongs into run (%d are allowed)", n, mostMain)
	}
}
