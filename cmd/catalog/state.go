package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
)

// errNoState says that there is no folder for what is to outlive the process.
var errNoState = errors.New("this user has no folder for the state of programs")

// stateFolder is the folder below which this program keeps what is to outlive
// it, and which need not be there yet: where the system wants that, and never
// below the catalog.
func (a *app) stateFolder() (string, error) {
	folder := stateHome(runtime.GOOS, a.env)
	if !filepath.IsAbs(folder) {
		return "", errNoState
	}
	return filepath.Join(folder, "instruction-catalog"), nil
}

// stateHome is the folder for the state of all programs, "" where the
// environment does not tell.
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
	if named := env("XDG_STATE_HOME"); filepath.IsAbs(named) { // the standard has others ignored
		return named
	}
	return below("HOME", ".local", "state")
}

// userConfig is the file in which the user configures this program, "" where the
// environment does not tell. No repository has a say in it.
func (a *app) userConfig() string {
	folder := a.env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) { // the standard has others ignored
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

// catalogKey is a name for the catalog that no other on this machine has, for
// files of its state.
func (a *app) catalogKey() (string, error) {
	path, err := filepath.Abs(a.dir)
	if err != nil {
		return "", err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(path)))[:32], nil
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
func (a *app) belowCatalog(path string) (bool, error) { return isBelow(path, a.dir) }

// isBelow reports whether a file is, or would be, in a folder, wherever links lead.
func isBelow(path, dir string) (bool, error) {
	dir, err := filepath.Abs(dir)
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
