//go:build !linux

package watch

// isNetwork returns false, because network drives are not detected on this system. The
// rare periodic scans find changes there.
func isNetwork(string) bool { return false }
