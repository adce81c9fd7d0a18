package rpc

import "strconv"

// Grouped writes a whole number as texts for people and models have it, with a
// comma before every three digits: 1,234.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
