package agents

import (
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Import is a path that a text imports with @.
type Import struct {
	Path string // without escapes and #fragment
	Line int    // from 1
}

// Imports returns the imports of a text: each @path that begins a word, except in code
// and in comments. The path ends in a known file extension or begins with ./, ../ or
// ~/, unlike @someone, @scope/package and @decorator.
func Imports(text string) iter.Seq[Import] {
	return func(yield func(Import) bool) {
		fence, comment, n := "", false, 0
		for line := range strings.Lines(text) {
			n++
			trimmed := strings.TrimSpace(line)
			switch {
			case fence != "":
				if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
					fence = ""
				}
			case comment || strings.HasPrefix(trimmed, "<!--"):
				comment = !strings.Contains(trimmed, "-->")
			case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
				fence = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:1]))]
			case strings.Contains(line, "@") && !eachImport(line, func(p string) bool { return yield(Import{p, n}) }):
				return
			}
		}
	}
}

// word matches an @ and the path after it.
var word = regexp.MustCompile(`^@((?:[\w./~+@%#-]|\\ )+)`)

// eachImport yields the imports in a line. It returns false if yield does.
func eachImport(line string, yield func(string) bool) bool {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '`':
			ticks := line[i : len(line)-len(strings.TrimLeft(line[i:], "`"))]
			if end := strings.Index(line[i+len(ticks):], ticks); end >= 0 {
				i += len(ticks) + end
			}
			i += len(ticks) - 1
		case c != '@' || i > 0 && !strings.ContainsRune(" \t(", rune(line[i-1])):
		default:
			m := word.FindStringSubmatch(line[i:])
			if m == nil {
				continue
			}
			p, _, _ := strings.Cut(strings.TrimRight(m[1], ".-"), "#")
			if p = strings.ReplaceAll(p, `\ `, " "); isImport(p) && !yield(p) {
				return false
			}
		}
	}
	return true
}

// isImport reports whether p, the text after an @, is the path of a file.
func isImport(p string) bool {
	known := slices.Contains(imported, strings.ToLower(path.Ext(p)))
	switch {
	case strings.HasPrefix(p, "./"), strings.HasPrefix(p, "../"), strings.HasPrefix(p, "~/"):
		return len(p) > 4
	case strings.HasPrefix(p, "/"): // @/components is an alias of a source folder
		return known
	}
	return known && !strings.Contains(p, "@")
}

// imported lists the extensions of files that people import.
var imported = []string{
	".md", ".mdc", ".mdx", ".markdown", ".txt", ".rst", ".adoc",
	".json", ".jsonc", ".yaml", ".yml", ".toml", ".xml", ".csv", ".ini", ".cfg", ".conf",
	".sh", ".py", ".rb", ".go", ".rs", ".java", ".kt", ".swift", ".c", ".h", ".cpp", ".cs", ".php", ".sql", ".proto",
	".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".html", ".css",
}
