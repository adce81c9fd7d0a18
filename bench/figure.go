package bench

// figure finds one figure of a result, where it was measured. Of those that
// are about the whole result, the operation is only a name.
func (r *Result) figure(operation string, over Transport, s Statistic) (float64, bool) {
	value := 0.0
	switch s {
	case StatFirstAnswer:
		value = r.FirstAnswerRatio
	case StatInitialize:
		value = float64(r.InitializeMs)
	case StatFirstSearch:
		value = float64(r.FirstSearchMs)
	case StatFirstRanked:
		value = float64(r.FirstRankedMs)
	case StatIndex:
		value = float64(r.IndexMs)
	case StatLoad:
		value = float64(r.LoadMs)
	case StatPipePeak:
		value = float64(r.PeakMemoryBytes)
	case StatProcessPeak:
		value = float64(r.ProcessPeakMemoryBytes)
	case StatSwaps:
		value = float64(r.Swaps)
	case StatIdle:
		value = r.IdlePercent
	default:
		if o, ok := r.operation(operation, over); ok {
			value = o.figure(s)
		}
	}
	return value, value > 0
}

func (o *Operation) figure(s Statistic) float64 {
	switch s {
	case StatRatioP50:
		return o.RatioP50
	case StatRatioP95:
		return o.Ratio
	case StatP50:
		return float64(o.P50)
	case StatP95:
		return float64(o.P95)
	}
	return 0
}

// operation finds what was found for a question.
func (r *Result) operation(name string, over Transport) (*Operation, bool) {
	for i := range r.Operations {
		if o := &r.Operations[i]; o.Name == name && o.Transport == over {
			return o, true
		}
	}
	return nil, false
}
