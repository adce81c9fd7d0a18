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

// mostGarbage is by how many bytes a heap may grow where so many per cent would be
// more: where a million entries are held, memory is scarcer than time.
const mostGarbage = 128 << 20

// firstGrowth is for the first load, until it is done or something is collected:
// of the 4 MiB that the runtime takes for in use at the start, to 32 MiB. What is
// loaded has hardly any garbage, and a collection beside it makes new memory
// dearer, too, for the processors have to tell each other.
const firstGrowth = 700

// growth falls with the square of what is in use, in bytes: from 400 % of 5 MiB
// over 59 % of 13 MiB to 14 % of 27 MiB. From there on it is 12 %, or [mostGarbage]
// where that is less, but never nothing.
func growth(used uint64) int {
	const small = 5 << 20
	share := float64(small) / float64(max(used, 1))
	least := min(leastGrowth, max(1, 100*mostGarbage/float64(max(used, 1))))
	return int(min(mostGrowth, max(least, mostGrowth*share*share)))
}

// collectByNeed has the process collect by [growth] from now on, and by
// [firstGrowth] until the function that it returns is called. A setting that
// somebody chose, with GOGC or otherwise, is left alone, unless it is the usual one.
func collectByNeed() (loaded func()) {
	collecting().begin()
	return collecting().settle
}

// collecting returns how this process collects.
var collecting = sync.OnceValue(func() *collection {
	return &collection{percent: usualGrowth, sample: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
})

// collection is the setting of a process.
type collection struct {
	mu      sync.Mutex
	begun   bool
	percent int // as it was last set
	sample  []metrics.Sample
}

func (c *collection) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.begun {
		return
	}
	c.begun = true
	if before := debug.SetGCPercent(firstGrowth); before != usualGrowth {
		debug.SetGCPercent(before)
		return
	}
	c.percent = firstGrowth
	watch(&sentinel{c})
}

// settle ends the first load, unless a collection has done so.
func (c *collection) settle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.percent == firstGrowth {
		c.set(mostGrowth)
	}
}

func (c *collection) set(percent int) {
	if percent != c.percent {
		debug.SetGCPercent(percent)
		c.percent = percent
	}
}

// sentinel is garbage from the start, so that each collection finds it.
type sentinel struct{ of *collection }

func watch(s *sentinel) { runtime.SetFinalizer(s, (*sentinel).adjust) }

// adjust runs after each collection, and waits for the next.
func (s *sentinel) adjust() {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	metrics.Read(s.of.sample)
	s.of.set(growth(s.of.sample[0].Value.Uint64()))
	watch(s)
}
