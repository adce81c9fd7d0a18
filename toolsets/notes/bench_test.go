package notes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"instruction-catalog/toolsets/notes"
)

// randomSnapshot returns count notes with five links each.
func randomSnapshot(count int) *notes.Snapshot {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]*notes.Note, count)
	for i := range all {
		var text strings.Builder
		for range 5 {
			fmt.Fprintf(&text, "[[n%d]] ", r.IntN(count))
		}
		all[i] = notes.NewNote(notes.ID(fmt.Sprintf("n%d.md", i)), []byte(text.String()))
	}
	return notes.NewSnapshot(all, nil)
}

func BenchmarkPath(b *testing.B) {
	s := randomSnapshot(100_000)
	r := rand.New(rand.NewPCG(3, 4))
	var times []time.Duration
	for b.Loop() {
		source, target := s.Notes()[r.IntN(100_000)], s.Notes()[r.IntN(100_000)]
		start := time.Now()
		s.Path(source, target, notes.Out)
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds()), "p95-µs")
}

// BenchmarkChange measures the change of one note: resolving its links and reversing the
// graph.
func BenchmarkChange(b *testing.B) {
	s := randomSnapshot(20_000)
	for b.Loop() {
		all := slices.Clone(s.Notes())
		all[7] = notes.NewNote(all[7].ID, append(slices.Clone(all[7].File), " [[n1]]"...))
		notes.NewSnapshot(all, s)
	}
}
