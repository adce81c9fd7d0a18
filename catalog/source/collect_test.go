package source

import (
	"runtime/debug"
	"testing"
)

// TestCollectLess is not parallel: the setting belongs to the process.
func TestCollectLess(t *testing.T) {
	current := func() int {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p
	}
	before := debug.SetGCPercent(usualGCPercent)
	defer debug.SetGCPercent(before)
	first := collectLess()
	second := collectLess()
	first()
	if current() != loadGCPercent {
		t.Errorf("with one load left: %d", current())
	}
	second()
	if current() != usualGCPercent {
		t.Errorf("after both: %d", current())
	}
	debug.SetGCPercent(50)
	collectLess()()
	if current() != 50 {
		t.Errorf("a chosen setting became %d", current())
	}
}
