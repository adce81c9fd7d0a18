package agents

import (
	"path"
	"strings"
)

// Anchor returns the globs of a file relative to the top of the repository. It removes
// a leading "./" or "/", prepends the folder of the place, and makes a glob that names
// a folder match everything in it. A glob without a slash matches only in the folder of
// the place. Cursor does not document this, so for Cursor such a glob matches at any
// depth, to miss nothing. A glob that begins with "!" excludes.
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

// ending returns the pattern to append to a glob that names a folder, or "" for other
// globs.
func ending(g string) string {
	if strings.HasSuffix(g, "/") {
		return "**"
	}
	return ""
}
