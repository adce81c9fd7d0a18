package catalog

import (
	"path"
	"strings"

	"instruction-catalog/catalog/glob"
)

// Scope selects the files of a repository that an entry applies to.
type Scope struct {
	Folder string   `json:"folder,omitempty"` // for LoadDirectory: the entry applies to files below this folder; with slashes
	Globs  []string `json:"globs,omitempty"`  // for LoadGlob: the globs, relative to the top of the repository
}

// Applies is the reason why an entry applies to a file.
type Applies struct {
	By   string `json:"by"`             // "always", "glob", "folder", or "unscoped" if the entry has no load mode
	What string `json:"what,omitempty"` // the glob or folder, relative to the top of the repository
}

// AppliesTo returns why the entry applies to the file at that path in the repository. ok
// is false if the entry does not apply, for example because the model or a person
// selects it.
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

// matching returns the first glob that matches the file on its own, or all globs,
// joined with commas, if none does.
func matching(globs []string, file string) string {
	for _, g := range globs {
		if !strings.HasPrefix(g, "!") && glob.Match([]string{g}, file) {
			return g
		}
	}
	return strings.Join(globs, ", ")
}

// cleanPath returns p in the form that globs match: with slashes, and relative to the
// top of the repository.
func cleanPath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}
