package main

import (
	"cmp"
	"fmt"

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
