package worktree

import (
	"os"
	"path/filepath"

	"instruction-catalog/catalog/files"
)

// origins records which repository each file of a catalog was imported from. It is stored
// in the user's state folder, because paths of this machine do not belong in the catalog.
type origins struct {
	file string
	// Repositories holds the paths of the repositories, by path in the catalog.
	Repositories map[string]string `json:"repositories"`
	changed      bool
}

// originsFile describes the state file.
var originsFile = files.State{Name: "imported", Kind: "repositories that files of a catalog were imported from", Version: 1}

// readOrigins reads the record for a catalog. The path of the catalog must have no
// symbolic links. If the file is missing or damaged, the record is empty.
func readOrigins(state, catalog string) (*origins, error) {
	o := &origins{file: filepath.Join(state, hashOf([]byte(catalog))[:32]+".json")}
	if err := readState(o.file, originsFile, o); err != nil {
		return nil, err
	}
	if o.Repositories == nil {
		o.Repositories = map[string]string{}
	}
	return o, nil
}

func (o *origins) set(catalogPath, repository string) {
	if o.Repositories[catalogPath] != repository {
		o.Repositories[catalogPath], o.changed = repository, true
	}
}

// other returns the repository that a file was imported from if that is not the given
// one, or else "". A repository that was moved or removed does not count.
func (o *origins) other(catalogPath, repository string) string {
	from := o.Repositories[catalogPath]
	if info, err := os.Stat(from); from == repository || err != nil || !info.IsDir() {
		return ""
	}
	return from
}

func (o *origins) save() error {
	if !o.changed {
		return nil
	}
	return saveState(o.file, originsFile, o)
}
