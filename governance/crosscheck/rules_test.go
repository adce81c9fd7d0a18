package crosscheck_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// TestAllRulesAreExplained checks that each rule constant of the package is in Rules
// or FileRules exactly once.
func TestAllRulesAreExplained(t *testing.T) {
	t.Parallel()
	tree, err := parser.ParseFile(token.NewFileSet(), "rules.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	count := map[report.Rule]int{}
	for _, r := range slices.Concat(crosscheck.Rules, crosscheck.FileRules) {
		count[r.ID]++
		if r.Severity == "" || r.Finds == "" || r.Hit == "" || r.NearMiss == "" || r.Repair == "" || count[r.ID] > 1 {
			t.Errorf("%+v", r)
		}
	}
	declared := 0
	ast.Inspect(tree, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.SelectorExpr); !ok || kind.Sel.Name != "Rule" {
			return true
		}
		for _, value := range spec.Values {
			id, _ := strconv.Unquote(value.(*ast.BasicLit).Value)
			if declared++; count[report.Rule(id)] == 0 {
				t.Errorf("%s is not explained", id)
			}
		}
		return true
	})
	if declared < 8 {
		t.Errorf("%d rules are declared", declared)
	}
}

// TestExamplesOfRules checks that each rule finds its hit, with its severity, and does
// not find its near miss.
func TestExamplesOfRules(t *testing.T) {
	t.Parallel()
	for _, r := range crosscheck.Rules {
		if r.ID == crosscheck.NotParsed {
			continue // its example needs a large text
		}
		if got := strings.Join(rulesIn(t, r.Hit), ", "); got != string(r.ID)+" "+string(r.Severity) {
			t.Errorf("hit of %s: got %q", r.ID, got)
		}
		if got := rulesIn(t, r.NearMiss); slices.Contains(got, string(r.ID)+" "+string(r.Severity)) {
			t.Errorf("near miss of %s: got %q", r.ID, got)
		}
	}
}

// rulesIn returns the rules and severities of the findings in an example.
func rulesIn(t *testing.T, example string) (found []string) {
	t.Helper()
	formats := map[string]string{"AGENTS.md": "agents", "CLAUDE.md": "claude"}
	var entries []*catalog.Entry
	for line := range strings.SplitSeq(example, "\n") {
		name, text, ok := strings.Cut(line, ": ")
		i := catalog.Instruction{ID: catalog.ID(strings.TrimSuffix(strings.ReplaceAll(name, "/", "."), ".md")), Title: "T", Body: text, Priority: 1, Audience: catalog.Everybody, Load: catalog.LoadAlways}
		from := catalog.Origin{Path: name, BodyLine: 1, Format: "markdown"}
		if field, target, ok := strings.Cut(text, ": "); ok && field == "deprecatedBy" {
			i.DeprecatedBy, i.Body = target, "Text."
		} else if ok && field == "supersedes" {
			i.Supersedes, i.Body = target, "Text."
		}
		folder, base, nested := strings.Cut(name, "/")
		if format := formats[base]; nested && format != "" {
			from.Format, i.Load, from.Scope = format, catalog.LoadDirectory, &catalog.Scope{Folder: folder}
		} else if formats[name] != "" {
			from.Format = formats[name]
		} else if strings.HasSuffix(name, ".mdc") {
			from.Format = "cursor"
		}
		if !ok {
			t.Fatalf("%q has no path", line)
		}
		entries = append(entries, catalog.NewEntry(i, from))
	}
	for _, f := range findings(entries...) {
		found = append(found, string(f.Rule)+" "+string(f.Severity))
	}
	return found
}
