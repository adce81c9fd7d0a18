package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/spf13/pflag"

	repoconfig "instruction-catalog/catalog/config"
	"instruction-catalog/catalog/usage"
)

// errNoState means that there is no folder for persistent state.
var errNoState = errors.New("this user has no folder for the state of programs")

// stateFolder returns the folder for this program's persistent state, which may not
// exist yet. It returns errNoState if the environment does not name one.
func (a *app) stateFolder() (string, error) {
	folder := stateHome(runtime.GOOS, a.env)
	if !filepath.IsAbs(folder) {
		return "", errNoState
	}
	return filepath.Join(folder, "instruction-catalog"), nil
}

// stateHome returns the folder for the state of all programs, or "" if the
// environment does not name one.
func stateHome(system string, env func(string) string) string {
	below := func(variable string, path ...string) string {
		if env(variable) == "" {
			return ""
		}
		return filepath.Join(append([]string{env(variable)}, path...)...)
	}
	switch system {
	case "windows":
		return below("LocalAppData")
	case "darwin", "ios":
		return below("HOME", "Library", "Application Support")
	}
	if named := env("XDG_STATE_HOME"); filepath.IsAbs(named) { // the specification requires programs to ignore relative paths
		return named
	}
	return below("HOME", ".local", "state")
}

// userConfig returns the user's configuration file of this program, or "" if the
// environment does not name a folder for it. Repositories cannot change it.
func (a *app) userConfig() string {
	folder := a.env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) { // the specification requires programs to ignore relative paths
		folder = filepath.Join(a.env("HOME"), ".config")
	}
	if runtime.GOOS == "windows" && a.env("AppData") != "" {
		folder = a.env("AppData")
	}
	if !filepath.IsAbs(folder) {
		return ""
	}
	return filepath.Join(folder, "catalog", "config.json")
}

// catalogKey returns a name for the catalog that is unique on this machine. It is used
// in names of state files.
func (a *app) catalogKey() (string, error) {
	path, err := filepath.Abs(a.dir)
	if err != nil {
		return "", err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return stateKey(path), nil
}

func stateKey(of string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(of)))[:32] }

// historyFile returns the file that stores revisions, in the user's state folder. It
// returns "", which means in memory, if usage counts are kept in memory or there is no
// such folder.
func (a *app) historyFile() string {
	if cmp.Or(a.usage.file, a.env("CATALOG_USAGE")) == inMemory {
		return ""
	}
	path, err := a.stateFile("history", ".json")
	if err != nil {
		return "" // health/check reports the error for usage counts
	}
	return path
}

// usageFile returns the file of usage counts. If the configuration gives the catalog an
// id, the file's name is derived from the id, so that counts survive a move and a
// clone. Otherwise it is derived from the catalog's path.
func (a *app) usageFile() (string, error) {
	c, err := repoconfig.Find(a.dir)
	if err != nil || c.ID == "" {
		return a.stateFile("usage", ".journal")
	}
	return a.stateFileOf("usage", stateKey("id "+c.ID), ".journal")
}

// stateFile returns the path of a state file of this catalog.
func (a *app) stateFile(kind, suffix string) (string, error) {
	key, err := a.catalogKey()
	if err != nil {
		return "", err
	}
	return a.stateFileOf(kind, key, suffix)
}

func (a *app) stateFileOf(kind, key, suffix string) (string, error) {
	folder, err := a.stateFolder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, kind, key+suffix)
	below, err := a.belowCatalog(path)
	if below {
		err = errors.New("the user's state folder is in the catalog, which is never written")
	}
	return path, err
}

// belowCatalog reports whether a file is in the catalog's folder. The file may not
// exist.
func (a *app) belowCatalog(path string) (bool, error) { return isBelow(path, a.dir) }

// isBelow reports whether a file is in a folder. The file may not exist. It resolves
// symbolic links and recognises different spellings of the folder.
func isBelow(path, dir string) (bool, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return false, err
	}
	dir, path = resolved(dir), resolved(path)
	if relative, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(relative) {
		return true, nil
	}
	for above := filepath.Dir(path); !sameFile(above, dir); above = filepath.Dir(above) {
		if above == filepath.Dir(above) {
			return false, nil
		}
	}
	return true, nil
}

// resolved returns path with symbolic links resolved, or path itself on an error. The
// file may not exist.
func resolved(path string) string {
	if target, err := follow(path); err == nil {
		return target
	}
	return path
}

// usageFlags holds the flags for usage counts.
type usageFlags struct{ file, sync string }

// inMemory is the value of --usage that keeps counts in memory only.
const inMemory = "none"

func (u *usageFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&u.file, "usage", "", `keep counts of use in this `+"`file`"+`, which other servers may share; none keeps them in memory, and the history of revisions, too (default below the user's state folder; CATALOG_USAGE)`)
}

func (u *usageFlags) registerSync(flags *pflag.FlagSet) {
	flags.StringVar(&u.sync, "usage-sync", "", "when a count is written to disk: `always` before the answer, or after an interval of 100 ms (default always; CATALOG_USAGE_SYNC)")
}

// openUses returns the counter of uses. It does not open the file yet.
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
		return nil, cmp.Or(err, fmt.Errorf("--usage (CATALOG_USAGE) names %s, which is in the catalog, which is never written: name a file elsewhere", path))
	}
	return usage.Open(path, when, a.logger()), nil
}

// defaultUses returns a counter that keeps counts in the user's state folder. If there
// is no such folder, counts are kept in memory, and health/check reports that.
func (a *app) defaultUses(when usage.Sync) (*usage.Counter, error) {
	path, err := a.usageFile()
	if err != nil {
		return usage.Unkept(err, a.logger()), nil
	}
	return usage.Open(path, when, a.logger()), nil
}
