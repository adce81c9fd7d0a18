package cachefile

import (
	"crypto/sha256"
	"testing"
	"time"
)

// BenchmarkChecksum sets the checksum against SHA-256, in turn.
func BenchmarkChecksum(b *testing.B) {
	data := make([]byte, 10<<20)
	var sum, sha time.Duration
	for b.Loop() {
		start := time.Now()
		sumOf(data)
		middle := time.Now()
		sha256.Sum256(data)
		sum += middle.Sub(start)
		sha += time.Since(middle)
	}
	b.ReportMetric(sum.Seconds()/sha.Seconds(), "ratio")
}

func sumOf(data []byte) checksum {
	var s summer
	_, _ = s.Write(data)
	return s.checksum()
}
