package bench

import (
	"math"
	"slices"
)

// bound is a promise: a figure that must not be exceeded.
type bound struct {
	size       int // entries; 0 for any
	over       Transport
	operations []string
	statistic  Statistic
	most       float64
	perByte    float64 // of the catalog's files, on top of most
}

// What figures of a whole result are about, where an operation is named.
const (
	firstAnswer = "first answer"
	peakMemory  = "peak memory"
	indexBuild  = "index build"
	loading     = "load"
)

// bounds are all promises. Where nothing is said of p95, p50 is meant; MB and
// GB are powers of ten. What is constant may grow by a half, since the time of
// a microsecond depends on what else the caches hold. They are made when asked for:
// this package is a part of every server that starts.
func bounds() []bound {
	return []bound{
		// 5,000 entries of 1.8 KB, over the pipe.
		{size: 5000, over: Pipe, operations: brief, statistic: StatRatioP50, most: 2},
		{size: 5000, over: Pipe, operations: brief, statistic: StatRatioP95, most: 3},
		{size: 5000, over: Pipe, operations: []string{listAll, searchCommon}, statistic: StatRatioP50, most: 1.5},
		{size: 5000, over: Pipe, operations: []string{listCategory}, statistic: StatRatioP50, most: 2},
		{size: 5000, over: Pipe, operations: []string{diffStale}, statistic: StatRatioP50, most: 2.5},
		{size: 5000, over: Pipe, operations: []string{firstAnswer}, statistic: StatFirstAnswer, most: 2},
		{size: 5000, over: Pipe, operations: []string{peakMemory}, statistic: StatPipePeak, most: 20e6, perByte: 4},

		// In process.
		{size: 5000, over: Process, operations: counted(), statistic: StatP95, most: 0.3},
		{size: 100_000, over: Process, operations: []string{searchRare, searchAbsent}, statistic: StatP50, most: 0.1},
		{size: 100_000, over: Process, operations: []string{searchEighth}, statistic: StatP50, most: 10},
		{size: 100_000, over: Process, operations: []string{searchNearlyAll}, statistic: StatP50, most: 20},
		{size: 1_000_000, over: Process, operations: []string{searchRare, searchAbsent}, statistic: StatP50, most: 1},
		{size: 1_000_000, over: Process, operations: first(), statistic: StatP50, most: 1},
		{size: 1_000_000, over: Process, operations: []string{peakMemory}, statistic: StatProcessPeak, most: 3e9},
		{size: 1_000_000, over: Process, operations: []string{indexBuild}, statistic: StatIndex, most: 10_000},

		// At any size.
		{over: Process, operations: []string{dispatchOnly}, statistic: StatP50, most: 0.025},
		{over: Process, operations: []string{diffByHash}, statistic: StatGrowth, most: 1.5},
	}
}

// brief are the operations with a short answer from memory.
var brief = []string{getOne, trackOne, searchRare, searchAbsent, diffByHash}

// counted are the searches that tell how many entries match in all.
func counted() []string {
	return slices.Concat([]string{searchRare, searchAbsent, searchCommon, searchEighth, searchNearlyAll}, names(pages(&truth{})))
}

// first are the searches that do not.
func first() []string { return names(firstPages(&truth{})) }

func names(questions []question) (all []string) {
	for _, q := range questions {
		all = append(all, q.name)
	}
	return all
}

// Verdict is whether a bound holds.
type Verdict struct {
	Size      int       `json:"size"` // entries
	Transport Transport `json:"transport"`
	Operation string    `json:"operation"`
	Statistic Statistic `json:"statistic"`
	Value     float64   `json:"value"`
	Bound     float64   `json:"bound"`
	Pass      bool      `json:"pass"`
}

// Miss is by what factor the bound is exceeded, or less than 1 where it holds.
func (v *Verdict) Miss() float64 { return v.Value / v.Bound }

// judge holds the report against bounds, in their order. A bound of a size, or
// of a figure, that was not measured is left out.
func (r *Report) judge(bounds []bound) []Verdict {
	verdicts := []Verdict{}
	for i := range bounds {
		for _, operation := range bounds[i].operations {
			verdicts = append(verdicts, r.hold(&bounds[i], operation)...)
		}
	}
	return verdicts
}

func (r *Report) hold(b *bound, operation string) (verdicts []Verdict) {
	if b.statistic == StatGrowth {
		return r.holdGrowth(b, operation)
	}
	for i := range r.Results {
		result := &r.Results[i]
		if b.size != 0 && b.size != result.Size {
			continue
		}
		if value, ok := result.figure(operation, b.over, b.statistic); ok {
			verdicts = append(verdicts, b.judge(result, operation, value))
		}
	}
	return verdicts
}

func (b *bound) judge(at *Result, operation string, value float64) Verdict {
	most := b.most + b.perByte*float64(at.CatalogBytes)
	return Verdict{
		Size: at.Size, Transport: b.over, Operation: operation, Statistic: b.statistic,
		Value: value, Bound: most, Pass: value <= most,
	}
}

// holdGrowth compares the largest size with the smallest.
func (r *Report) holdGrowth(b *bound, operation string) []Verdict {
	var least, most *Result
	for i := range r.Results {
		result := &r.Results[i]
		if least == nil || result.Size < least.Size {
			least = result
		}
		if most == nil || result.Size > most.Size {
			most = result
		}
	}
	if least == nil || least.Size == most.Size {
		return nil
	}
	before, ok := least.operation(operation, b.over)
	after, alsoOK := most.operation(operation, b.over)
	if !ok || !alsoOK || before.P50 == 0 {
		return nil
	}
	return []Verdict{b.judge(most, operation, math.Round(float64(after.P50/before.P50)*100)/100)}
}
