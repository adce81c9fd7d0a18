package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/pflag"

	"instruction-catalog/catalog/usage"
)

// usageFlags are where counts of use are kept, as it was given.
type usageFlags struct{ file, sync string }

// inMemory is what --usage names for counts that end with the process.
const inMemory = "none"

func (u *usageFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&u.file, "usage", "", `keep counts of use in this `+"`file`"+`, which others may share; none for in memory, and the history of revisions, too (default below the user's state folder; CATALOG_USAGE)`)
}

func (u *usageFlags) registerSync(flags *pflag.FlagSet) {
	flags.StringVar(&u.sync, "usage-sync", "", "when a count is on disk: `always` before it is answered, or after an interval of 100 ms (default always; CATALOG_USAGE_SYNC)")
}

// openUses returns the counter of uses. Nothing is opened yet.
func (a *app) openUses() (*usage.Counter, error) {
	when := usage.Sync(cmp.Or(a.usage.sync, a.env("CATALOG_USAGE_SYNC"), string(usage.SyncAlways)))
	if when != usage.SyncAlways && when != usage.SyncInterval {
		return nil, fmt.Errorf("--usage-sync (CATALOG_USAGE_SYNC) is %q: give always or interval", when)
	}
	path := cmp.Or(a.usage.file, a.env("CATALOG_USAGE"))
	switch path {
	case inMemory:
		return usage.NewCounter(), nil
	case "":
		return a.defaultUses(when)
	}
	if below, err := a.belowCatalog(path); err != nil || below {
		return nil, cmp.Or(err, fmt.Errorf("--usage (CATALOG_USAGE) names %s, which is in the catalog, where nothing is written: name a file elsewhere", path))
	}
	return usage.Open(path, when, a.logger()), nil
}

// defaultUses keeps counts in the user's state folder. Where that is not to be
// had, they are in memory, and health/check says so.
func (a *app) defaultUses(when usage.Sync) (*usage.Counter, error) {
	path, err := a.stateFile("usage", ".journal")
	if err != nil {
		return usage.Unkept(err, a.logger()), nil
	}
	return usage.Open(path, when, a.logger()), nil
}

// historyFile is where revisions are remembered: in the user's state folder, or ""
// for in memory, where counts of use are, too.
func (a *app) historyFile() string {
	if cmp.Or(a.usage.file, a.env("CATALOG_USAGE")) == inMemory {
		return ""
	}
	path, err := a.stateFile("history", ".json")
	if err != nil {
		return "" // as health/check says of the counts of use
	}
	return path
}

// stateFile is the path of a file of this catalog in the user's state folder.
func (a *app) stateFile(kind, suffix string) (string, error) {
	folder, err := a.stateFolder()
	if err != nil {
		return "", err
	}
	key, err := a.catalogKey()
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, kind, key+suffix)
	below, err := a.belowCatalog(path)
	if below {
		err = errors.New("the user's state folder is in the catalog, where nothing is written")
	}
	return path, err
}

// belowCatalog reports whether a file is, or would be, in the catalog's folder.
func (a *app) belowCatalog(path string) (bool, error) {
	dir, err := filepath.Abs(a.dir)
	if err != nil {
		return false, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return false, err
	}
	dir, path = resolved(dir), resolved(path)
	relative, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(relative), nil
}

// resolved is where links on the way to a file lead, as far as it is there.
func resolved(path string) string {
	if target, err := follow(path); err == nil {
		return target
	}
	return path
}
