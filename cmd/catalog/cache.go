package main

import (
	"path/filepath"
	"runtime"
	"time"

	"instruction-catalog/catalog/source"
	"instruction-catalog/toolsets/instructions"
)

// cacheGrace is how long the process may go on to write its cache when all else
// is done.
const cacheGrace = time.Second

// openCache has the catalog's files remembered from one start to the next,
// unless somebody does not want that or there is no place for it.
func (a *app) openCache() {
	if folder := userCacheFolder(a.env); !a.noCache && folder != "" {
		a.cache = source.NewCache(filepath.Join(folder, "instruction-catalog"), version+", contract "+instructions.ContractVersion, a.logger())
	}
}

// userCacheFolder is where programs keep what they can make again, by the XDG
// Base Directory Specification or the rules of macOS; "" where that is not known.
func userCacheFolder(env func(string) string) string {
	if folder := env("XDG_CACHE_HOME"); filepath.IsAbs(folder) {
		return folder
	}
	home := env("HOME")
	switch {
	case !filepath.IsAbs(home):
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Caches")
	}
	return filepath.Join(home, ".cache")
}
