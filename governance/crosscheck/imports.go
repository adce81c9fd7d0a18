package crosscheck

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/governance/report"
)

// importChecker follows the imports of agent files.
type importChecker struct {
	*tree
	view  View
	seen  map[string]bool // files already checked
	found []report.Finding
}

// deadImports reports @path imports of files that do not exist, and imports of files
// that are not read.
func deadImports(texts []entryText, t *tree, view View) []report.Finding {
	c := importChecker{tree: t, view: view, seen: map[string]bool{}}
	for _, e := range texts {
		if hops := importHops(e.Entry); hops > 0 && e.Origin.Line == 0 {
			c.check(e.Entry, t.ofCatalog(e.Origin.Path), e.body, hops, func(line int) report.Place { return view.Place(e.Entry, line) })
		}
	}
	return c.found
}

// importHops returns the depth to which the agent of a file follows imports, or 0 if it
// follows none.
func importHops(e *catalog.Entry) int {
	switch agents.Kind(e.Origin.Format) {
	case agents.Claude, agents.ClaudeLocal, agents.Agents:
		return agents.ClaudeImportHops
	case agents.Gemini:
		return agents.GeminiImportHops
	}
	return 0
}

// check checks the imports of a file and, up to hops deep, of the files it imports.
func (c *importChecker) check(e *catalog.Entry, file, text string, hops int, place func(line int) report.Place) {
	if c.seen[file] {
		return
	}
	c.seen[file] = true
	told := map[string]bool{}
	for i := range agents.Imports(text) {
		if told[i.Path] {
			continue
		}
		told[i.Path] = true
		target := path.Join(path.Dir(file), i.Path)
		is, at := c.look(target)
		switch {
		case strings.HasPrefix(i.Path, "~/"), path.IsAbs(i.Path), leadsOut(target):
			c.name(e, i, place, "leads out of the repository")
		case isSecret(target):
			c.name(e, i, place, "is a file of secrets or of git")
		case is == unknown:
			c.name(e, i, place, "is ignored by git, or outside of the repository")
		case is == absent && c.isPath(i.Path):
			c.tell(e, i, file, target, text, place)
		case is == present && hops > 1:
			if imported, ok := c.Text(at); ok && isProse(at) {
				c.check(e, at, imported, hops-1, func(line int) report.Place { return c.place(c.view, at, line) })
			}
		}
	}
}

// isPath reports whether p is a path and not a name in code, such as @scope/chart.js:
// it begins with ./ or ../, has the extension of a prose file, or begins with an
// existing folder.
func (c *importChecker) isPath(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || isProse(p) || first != p && c.known[first]
}

func isProse(p string) bool {
	return slices.Contains([]string{".md", ".mdc", ".mdx", ".markdown", ".txt", ".rst", ".adoc"}, strings.ToLower(path.Ext(p)))
}

// isSecret reports whether a path must not be read, whether or not git ignores it.
func isSecret(p string) bool {
	return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool {
		return name == ".git" || name == ".env" || strings.HasPrefix(name, ".env.")
	})
}

// exampleWords matches the end of a text that introduces an example.
var exampleWords = regexp.MustCompile(`(?i)\b(?:e\.g\.|i\.e\.|for example|for instance|such as|like)[,:]?\s*$`)

// isExample reports whether the words before an import on its line introduce an example.
func isExample(text string, i agents.Import) bool {
	lines := strings.SplitN(text, "\n", i.Line+1)
	before, _, found := strings.Cut(lines[i.Line-1], "@"+i.Path)
	return found && exampleWords.MatchString(before)
}

func (c *importChecker) tell(e *catalog.Entry, i agents.Import, file, target, text string, place func(int) report.Place) {
	f := finding(DeadImport, e, place(i.Line))
	name, repair := c.view.quoteName(e, i.Path), "correct it, or remove it"
	if near := c.nearest(target); near != "" {
		repair = fmt.Sprintf("@%s exists", relative(path.Dir(file), near))
	}
	if isExample(text, i) {
		f.Severity = report.Note
	}
	f.Message = fmt.Sprintf("the import @%s leads to no file: %s", name, repair)
	f.Match, f.Target = "import "+name, c.inCatalog(target)
	c.found = append(c.found, f)
}

// name reports an import that is not followed.
func (c *importChecker) name(e *catalog.Entry, i agents.Import, place func(int) report.Place, why string) {
	f := finding(ImportNotRead, e, place(i.Line))
	name := c.view.quoteName(e, i.Path)
	f.Severity = report.Note
	f.Message = fmt.Sprintf("the import @%s %s: it is not read here, and not everybody has it", name, why)
	f.Match = "import " + name
	c.found = append(c.found, f)
}
