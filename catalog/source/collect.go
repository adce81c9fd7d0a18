package source

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// How much a heap may grow between two collections, in per cent of what is in
// use. While little is, a catalog is being read: most of that stays, and
// collecting as often as usual would cost a quarter of the time and find next to
// nothing. Once much is, it is a catalog that is being held, and what answers
// leave behind is small beside it.
const (
	usualGrowth = 100
	mostGrowth  = 400
	leastGrowth = 12
)

// growth falls with the square of what is in use, in bytes: from 400 % of 5 MiB
// over 59 % of 13 MiB to 14 % of 27 MiB.
func growth(used uint64) int {
	const small = 5 << 20
	share := float64(small) / float64(max(used, 1))
	return int(min(mostGrowth, max(leastGrowth, mostGrowth*share*share)))
}

// collectByNeed has the process collect by [growth] from now on. A setting that
// somebody chose, with GOGC or otherwise, is left alone.
var collectByNeed = sync.OnceFunc(func() {
	if before := debug.SetGCPercent(mostGrowth); before != usualGrowth {
		debug.SetGCPercent(before)
		return
	}
	watch(&collection{sample: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, percent: mostGrowth})
})

// collection is garbage from the start, so that each collection finds it.
type collection struct {
	sample  []metrics.Sample
	percent int
}

func watch(c *collection) { runtime.SetFinalizer(c, adjust) }

// adjust runs after each collection, and waits for the next.
func adjust(c *collection) {
	metrics.Read(c.sample)
	if wanted := growth(c.sample[0].Value.Uint64()); wanted != c.percent {
		debug.SetGCPercent(wanted)
		c.percent = wanted
	}
	watch(c)
}
