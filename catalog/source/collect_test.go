package source

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

func TestGrowth(t *testing.T) {
	t.Parallel()
	for used, want := range map[uint64]int{0: 400, 1 << 20: 400, 5 << 20: 400, 13 << 20: 59, 27 << 20: 13, 100 << 20: 12, 1 << 30: 12, 2 << 30: 6, 1 << 40: 1} {
		if got := growth(used); got != want {
			t.Errorf("%d bytes: %d %%, want %d", used, got, want)
		}
	}
}

// TestCollectByNeed is not parallel: the setting belongs to the process.
func TestCollectByNeed(t *testing.T) {
	current := func() int {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return int(sample[0].Value.Uint64())
	}
	loaded := collectByNeed()
	if got := current(); got > firstGrowth || got < leastGrowth {
		t.Errorf("during a load: %d %%", got)
	}
	loaded()
	if got := current(); got > mostGrowth || got < leastGrowth {
		t.Errorf("after a load: %d %%", got)
	}
	held := make([]byte, 200<<20)
	for range 1000 {
		runtime.GC()
		if current() == leastGrowth {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if got := current(); got != leastGrowth {
		t.Errorf("with much in use: %d %%", got)
	}
	runtime.KeepAlive(held)
}
