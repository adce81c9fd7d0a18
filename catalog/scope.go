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

// appliesTo reports whether an entry applies to the file at that path: it is always
// loaded, does not say when it is loaded, or has globs or a folder that include the
// file. An entry that the model or a person chooses applies to no file by itself.
func (e *Entry) appliesTo(file string) bool {
	file = cleanPath(file)
	switch scope := e.Origin.Scope; e.Load {
	case LoadAlways, "":
		return true
	case LoadGlob:
		return scope != nil && glob.Match(scope.Globs, file)
	case LoadDirectory:
		return scope == nil || strings.HasPrefix(file, scope.Folder+"/")
	}
	return false
}

// cleanPath is a path as globs have it: with slashes, and from the top.
func cleanPath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}
