package source

import (
	"runtime/debug"
	"sync"
)

// While a load runs, the heap may grow by loadGCPercent between two
// collections: most of what a load allocates stays, so that collecting as often
// as usual costs a quarter of its time and finds next to nothing.
const (
	usualGCPercent = 100
	loadGCPercent  = 400
)

// relaxed counts the loads under way: the setting is one for the process, and
// the last load to end puts it back.
var relaxed struct {
	sync.Mutex
	loads int
}

// collectLess has less collected until the returned function is called. A
// setting that somebody chose is left alone.
func collectLess() (restore func()) {
	relaxed.Lock()
	defer relaxed.Unlock()
	if relaxed.loads == 0 {
		if before := debug.SetGCPercent(loadGCPercent); before != usualGCPercent {
			debug.SetGCPercent(before)
			return func() {}
		}
	}
	relaxed.loads++
	return func() {
		relaxed.Lock()
		defer relaxed.Unlock()
		if relaxed.loads--; relaxed.loads == 0 {
			debug.SetGCPercent(usualGCPercent)
		}
	}
}
