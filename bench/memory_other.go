//go:build !linux

package bench

import "time"

// peakResident does not know.
func peakResident(int) (int64, bool) { return 0, false }

// resetPeak cannot.
func resetPeak() bool { return false }

const tick = 10 * time.Millisecond

// processorTime does not know.
func processorTime(int) (time.Duration, bool) { return 0, false }
