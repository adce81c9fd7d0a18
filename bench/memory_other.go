//go:build !linux

package bench

// peakResident does not know.
func peakResident(int) (int64, bool) { return 0, false }

// resetPeak cannot.
func resetPeak() bool { return false }
