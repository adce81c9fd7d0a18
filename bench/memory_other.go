//go:build !linux

package bench

// peakResident is not supported on this system.
func peakResident(int) (int64, bool) { return 0, false }

// resetPeak is not supported on this system.
func resetPeak() bool { return false }
