package bench

import (
	"context"
	"math"
	"slices"
	"time"
)

// A subject does once what is to be measured, and tells how long that took:
// what has to be done before and after does not count.
type subject func() (time.Duration, error)

// timing sums up many durations.
type timing struct {
	rounds        int
	p50, p95, max time.Duration
}

// Five rounds are enough of what takes longer than patience in all.
const (
	enough   = 5
	patience = 2 * time.Second
)

// interleave runs the subjects in turn, so many rounds, and sums each up. What
// slows the machine down for a while slows all of them. Once they took longer
// than [patience] it stops as soon as [enough] rounds are done.
func interleave(ctx context.Context, rounds int, subjects ...subject) ([]timing, error) {
	took := make([][]time.Duration, len(subjects))
	spent := time.Duration(0)
	for round := range rounds {
		if round >= enough && spent > patience {
			break
		}
		for i, run := range subjects {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			d, err := run()
			if err != nil {
				return nil, err
			}
			took[i] = append(took[i], d)
			spent += d
		}
	}
	timings := make([]timing, len(subjects))
	for i := range took {
		timings[i] = summarise(took[i])
	}
	return timings, nil
}

func summarise(took []time.Duration) timing {
	sorted := slices.Sorted(slices.Values(took))
	return timing{
		rounds: len(took),
		p50:    percentile(sorted, 50),
		p95:    percentile(sorted, 95),
		max:    percentile(sorted, 100),
	}
}

// percentile returns the smallest of the sorted durations that at least p per
// cent of them do not exceed (nearest rank); 0 of none.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// fewer is how many rounds are run of what takes long: a tenth, but ten where
// so many were asked for.
func fewer(iterations int) int { return max(iterations/10, min(iterations, 10)) }
