package catalog

import (
	"path"
	"strings"

	"instruction-catalog/catalog/glob"
)

// Scope says which files of a repository an entry applies to.
type Scope struct {
	Folder string   `json:"folder,omitempty"` // below which an entry counts that is loaded by directory, with slashes
	Globs  []string `json:"globs,omitempty"`  // of an entry that is loaded by glob, from the top of the repository
}

// Applies says why an entry applies to a file.
type Applies struct {
	By   string `json:"by"`             // "always", "glob", "folder", or "unscoped": the entry does not say when it is loaded
	What string `json:"what,omitempty"` // the glob or folder, from the top of the repository
}

// AppliesTo returns why the entry applies to the file at that path. It is not ok if the
// entry does not apply, as one that the model or a person chooses.
func (e *Entry) AppliesTo(file string) (why Applies, ok bool) {
	file = cleanPath(file)
	switch scope := e.Origin.Scope; {
	case e.Load == "":
		return Applies{By: "unscoped"}, true
	case e.Load == LoadAlways:
		return Applies{By: "always"}, true
	case e.Load == LoadGlob && scope != nil && glob.Match(scope.Globs, file):
		return Applies{By: "glob", What: matching(scope.Globs, file)}, true
	case e.Load == LoadDirectory && scope == nil:
		return Applies{By: "folder", What: "."}, true
	case e.Load == LoadDirectory && strings.HasPrefix(file, scope.Folder+"/"):
		return Applies{By: "folder", What: scope.Folder}, true
	}
	return Applies{}, false
}

// matching returns the first glob that includes a file by itself.
func matching(globs []string, file string) string {
	for _, g := range globs {
		if !strings.HasPrefix(g, "!") && glob.Match([]string{g}, file) {
			return g
		}
	}
	return strings.Join(globs, ", ")
}

// cleanPath is a path as globs have it: with slashes, and from the top.
func cleanPath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}
