package catalog

import (
	"path"
	"strings"

	"instruction-catalog/catalog/glob"
)

// Scope is for which files of a repository an entry counts.
type Scope struct {
	Folder string   `json:"folder,omitempty"` // below which an entry counts that is loaded by directory, with slashes
	Globs  []string `json:"globs,omitempty"`  // of an entry that is loaded by glob, from the top of the repository
}

// appliesTo reports whether an entry counts for the file of that path: it is
// loaded always, or says nothing of when, or its globs or its folder take the
// file in. What the model or a person chooses counts for no file by itself.
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
