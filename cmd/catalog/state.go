package main

import (
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
