package bench

import "slices"

// medianResult is, figure by figure, the median of what several runs found. The
// runs asked the same questions in the same order.
func medianResult(runs []Result) Result {
	m := runs[0]
	m.SearchP95 = median(runs, func(r *Result) Milliseconds { return r.SearchP95 })
	m.SearchMax = median(runs, func(r *Result) Milliseconds { return r.SearchMax })
	m.StartMs = median(runs, func(r *Result) Milliseconds { return r.StartMs })
	m.InitializeMs = median(runs, func(r *Result) Milliseconds { return r.InitializeMs })
	m.FirstSearchMs = median(runs, func(r *Result) Milliseconds { return r.FirstSearchMs })
	m.FirstRankedMs = median(runs, func(r *Result) Milliseconds { return r.FirstRankedMs })
	m.FirstAnswerMs = median(runs, func(r *Result) Milliseconds { return r.FirstAnswerMs })
	m.FloorStartMs = median(runs, func(r *Result) Milliseconds { return r.FloorStartMs })
	m.ReadAndHashMs = median(runs, func(r *Result) Milliseconds { return r.ReadAndHashMs })
	m.FirstAnswerRatio = median(runs, func(r *Result) float64 { return r.FirstAnswerRatio })
	m.LoadMs = median(runs, func(r *Result) Milliseconds { return r.LoadMs })
	m.IndexMs = median(runs, func(r *Result) Milliseconds { return r.IndexMs })
	m.PeakMemoryBytes = median(runs, func(r *Result) int64 { return r.PeakMemoryBytes })
	m.ProcessPeakMemoryBytes = median(runs, func(r *Result) int64 { return r.ProcessPeakMemoryBytes })
	m.Swaps = median(runs, func(r *Result) int { return r.Swaps })
	m.IdlePercent = median(runs, func(r *Result) float64 { return r.IdlePercent })
	m.Operations = make([]Operation, len(runs[0].Operations))
	for i := range m.Operations {
		m.Operations[i] = medianOperation(runs, i)
	}
	if len(runs) > 1 {
		m.Runs = runs
	}
	return m
}

func medianOperation(runs []Result, i int) Operation {
	m := runs[0].Operations[i]
	m.Iterations = median(runs, func(r *Result) int { return r.Operations[i].Iterations })
	m.AnswerBytes = median(runs, func(r *Result) int { return r.Operations[i].AnswerBytes })
	m.P50 = median(runs, func(r *Result) Milliseconds { return r.Operations[i].P50 })
	m.P95 = median(runs, func(r *Result) Milliseconds { return r.Operations[i].P95 })
	m.Max = median(runs, func(r *Result) Milliseconds { return r.Operations[i].Max })
	m.FloorP50 = median(runs, func(r *Result) Milliseconds { return r.Operations[i].FloorP50 })
	m.FloorP95 = median(runs, func(r *Result) Milliseconds { return r.Operations[i].FloorP95 })
	m.RatioP50 = median(runs, func(r *Result) float64 { return r.Operations[i].RatioP50 })
	m.Ratio = median(runs, func(r *Result) float64 { return r.Operations[i].Ratio })
	return m
}

// median returns the middle one of a figure of several runs, the larger one of
// two in the middle: no mean, which nobody measured, and nothing that flatters.
func median[T int | int64 | float64 | Milliseconds](runs []Result, figure func(*Result) T) T {
	figures := make([]T, len(runs))
	for i := range runs {
		figures[i] = figure(&runs[i])
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}
