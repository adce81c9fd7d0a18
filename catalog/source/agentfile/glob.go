package agentfile

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// SplitGlobs takes a text apart at the commas that stand outside of braces and
// brackets. A list in brackets, as in YAML, gives its items.
func SplitGlobs(s string) []string {
	s = strings.TrimSpace(s)
	inList := strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && strings.ContainsAny(s, `"'*/,`)
	if inList {
		s = s[1 : len(s)-1]
	}
	var globs []string
	for {
		end := endOfGlob(s)
		g := strings.TrimSpace(s[:end])
		if inList {
			g = strings.Trim(g, `"'`)
		}
		if g != "" {
			globs = append(globs, g)
		}
		if end == len(s) {
			return globs
		}
		s = s[end+1:]
	}
}

// endOfGlob returns where the first glob of a text ends: at a comma outside of
// braces and brackets, or at the end.
func endOfGlob(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			i += 1 + strings.IndexByte(s[i+1:], ']') // one that is not closed is a character
		case '{':
			depth++
		case '}':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// Anchor returns the globs of a place in the one form in which they are matched
// with paths from the top of the repository: below their folder, without "./" and
// "/" at the beginning, and with all that lies in a folder. A glob without a slash
// matches at the top only; but Cursor does not say so, and there it matches at any
// depth, as nothing should be missed. One that begins with "!" takes away.
func (p Place) Anchor(globs []string) []string {
	anchored := make([]string, len(globs))
	for i, g := range globs {
		g, not := strings.CutPrefix(g, "!")
		if p.Kind == Cursor && !strings.Contains(g, "/") {
			g = "**/" + g
		}
		g = path.Join(p.Folder, strings.TrimPrefix(strings.TrimPrefix(g, "./"), "/"), ending(g))
		if not {
			g = "!" + g
		}
		anchored[i] = g
	}
	return anchored
}

// ending is what a glob of a folder lacks.
func ending(g string) string {
	if strings.HasSuffix(g, "/") {
		return "**"
	}
	return ""
}

// maxAlternatives is how many globs without braces one with braces may stand
// for: matching takes as much time in the worst case.
const maxAlternatives = 1000

// alternatives returns for how many globs without braces one stands, or more.
func alternatives(g string) int {
	n, open := 1, []int{}
	for _, c := range g {
		switch {
		case c == '{':
			open = append(open, 1)
		case len(open) == 0:
		case c == ',':
			open[len(open)-1]++
		case c == '}':
			n = min(n*open[len(open)-1], maxAlternatives+1)
			open = open[:len(open)-1]
		}
	}
	return n
}

// valid reports whether a glob can match anything.
func valid(g string) bool {
	return alternatives(g) <= maxAlternatives && doublestar.ValidatePattern(strings.TrimPrefix(g, "!"))
}

// Match reports whether one of the anchored globs matches a path, and none takes
// it away again. A glob that is not well-formed, or stands for more than 1,000,
// matches nothing.
func Match(globs []string, p string) bool {
	matched := false
	for _, g := range globs {
		g, not := strings.CutPrefix(g, "!")
		switch {
		case !valid(g) || !doublestar.MatchUnvalidated(g, p):
		case not:
			return false
		default:
			matched = true
		}
	}
	return matched
}
