package bench

import "slices"

// bound is a promise: a figure that must not be exceeded.
type bound struct {
	size       int // entries; 0 for any
	over       Transport
	operations []string
	statistic  Statistic
	max        float64
	perByte    float64 // of the catalog's files, on top of max
	later      string  // the operation whose p50 is added to max, or none
}

// What figures of a whole result are about, where an operation is named.
const (
	firstAnswer = "first answer"
	firstSearch = "first search"
	firstRanked = "first search ranked"
	initialize  = "initialize"
	peakMemory  = "peak memory"
	indexBuild  = "index build"
	loading     = "load"
)

// bounds are all promises; MB and GB are powers of ten. They are made when asked
// for: this package is a part of every server that starts.
func bounds() []bound {
	return []bound{
		// 5,000 entries of 1.8 KB, over the pipe.
		{size: 5000, over: Pipe, operations: brief, statistic: StatRatioP50, max: 3},
		{size: 5000, over: Pipe, operations: []string{firstSearch}, statistic: StatFirstSearch, max: 2, later: searchRare},
		{size: 5000, over: Pipe, operations: []string{listAll, searchCommon}, statistic: StatRatioP50, max: 2},
		{size: 5000, over: Pipe, operations: []string{listCategory}, statistic: StatRatioP50, max: 2.5},
		{size: 5000, over: Pipe, operations: []string{diffStale}, statistic: StatRatioP50, max: 4},
		{size: 5000, over: Pipe, operations: []string{firstAnswer}, statistic: StatFirstAnswer, max: 2.5},
		{size: 5000, over: Pipe, operations: []string{initialize}, statistic: StatInitialize, max: 15},
		{size: 5000, over: Pipe, operations: []string{peakMemory}, statistic: StatPipePeak, max: 20e6, perByte: 6},

		// The same while files are edited, and what that takes in process.
		{size: 5000, over: Pipe, operations: []string{notified}, statistic: StatP50, max: 150},
		{size: 5000, over: Pipe, operations: []string{diffSince}, statistic: StatRatioP50, max: 2},
		{size: 5000, over: Pipe, operations: []string{searchMeanwhile}, statistic: StatRatioP95, max: 3},
		{size: 5000, over: Pipe, operations: []string{manySwaps}, statistic: StatSwaps, max: 3},
		{size: 5000, over: Pipe, operations: []string{idleServer}, statistic: StatIdle, max: 0.5},
		{size: 5000, over: Process, operations: []string{reloadOne}, statistic: StatP50, max: 20},
		{size: 100_000, over: Process, operations: []string{reloadOne}, statistic: StatP50, max: 300},

		// In process: files of 1.8 KB, then lines of 1 KB.
		{size: 5000, over: Process, operations: counted(), statistic: StatP95, max: 2},
		{size: 5000, over: Process, operations: ranked, statistic: StatP50, max: 1},
		{size: 100_000, over: Process, operations: []string{searchRare, searchAbsent}, statistic: StatP50, max: 1},
		{size: 100_000, over: Process, operations: counted(), statistic: StatP50, max: 40},
		{size: 100_000, over: Process, operations: ranked, statistic: StatP50, max: 10},
		{size: 1_000_000, over: Process, operations: []string{searchRare, searchAbsent}, statistic: StatP50, max: 10},
		{size: 1_000_000, over: Process, operations: first(), statistic: StatP50, max: 10},
		{size: 1_000_000, over: Process, operations: []string{peakMemory}, statistic: StatProcessPeak, max: 4e9},
		{size: 1_000_000, over: Process, operations: []string{indexBuild}, statistic: StatIndex, max: 20_000},

		// At any size.
		{over: Process, operations: []string{dispatchOnly}, statistic: StatP50, max: 0.025},
		{over: Process, operations: []string{trackKept}, statistic: StatRatioP50, max: 2},
	}
}

// brief are the operations with a short answer from memory.
var brief = []string{getOne, trackOne, searchRare, searchAbsent, diffByHash}

// ranked are the searches that list what fits best first.
var ranked = []string{searchRanked, searchRankedCommon}

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
	limit := b.max + b.perByte*float64(at.CatalogBytes)
	if b.later != "" {
		later, _ := at.figure(b.later, b.over, StatP50)
		limit += later
	}
	return Verdict{
		Size: at.Size, Transport: b.over, Operation: operation, Statistic: b.statistic,
		Value: value, Bound: limit, Pass: value <= limit,
	}
}
