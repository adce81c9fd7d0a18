package agents

import (
	"path"
	"strings"
)

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
