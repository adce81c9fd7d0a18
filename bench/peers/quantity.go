package main

import (
	"fmt"
	"math"
	"strconv"
)

// milliseconds is a duration.
type milliseconds float64

func (d milliseconds) String() string {
	switch {
	case d == 0:
		return "–"
	case d < 1:
		return significant(float64(d)*1000) + " µs"
	case d < 1000:
		return significant(float64(d)) + " ms"
	}
	return significant(float64(d)/1000) + " s"
}

// byteCount is a number of bytes, shown with prefixes that are powers of a thousand.
type byteCount int64

func (n byteCount) String() string {
	switch {
	case n == 0:
		return "–"
	case n < 1e3:
		return fmt.Sprintf("%d B", int64(n))
	case n < 1e6:
		return significant(float64(n)/1e3) + " kB"
	case n < 1e9:
		return significant(float64(n)/1e6) + " MB"
	}
	return significant(float64(n)/1e9) + " GB"
}

// times is a ratio.
type times float64

func (f times) String() string {
	if f == 0 {
		return "–"
	}
	return significant(float64(f)) + "×"
}

// ratio is of nothing where the floor was not measured.
func ratio(of, to milliseconds) times {
	if to == 0 {
		return 0
	}
	return times(of / to)
}

// significant writes a number with three figures, or all those before its point.
func significant(f float64) string {
	decimals := 2
	for limit := 10.0; decimals > 0 && math.Abs(f) >= limit-limit/2000; limit *= 10 {
		decimals--
	}
	return strconv.FormatFloat(f, 'f', decimals, 64)
}
