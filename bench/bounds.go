package bench

import (
	"slices"
	"strings"
)

// bound is the largest figure that operations may have, in the unit of [Operation.Value].
type bound struct {
	size       int // entries
	over       Transport
	operations []string
	max        float64
	perByte    float64 // of the catalog's files, added to max
	above      string  // an operation whose time is added to max, or ""
}

// The names in reports of operations that are no question.
const (
	anyAnswer   = "start"         // from the start of the process to any answer
	firstAnswer = "first answer"  // from there to the first answer that needs the catalog
	firstSearch = "first search"  // a search right after that
	loading     = "load"          // the first call, which loads the catalog
	indexBuild  = "index"         // from then on until searches have their index
	trackOnDisk = "track on disk" // a count that is synced before it is answered
	peakMemory  = "peak memory"   // the most that was resident
)

// bounds returns all bounds: what a user can feel. Figures are medians: a ratio to the
// floor if the operation has one, else milliseconds, or bytes for memory. MB and GB are
// powers of ten.
func bounds() []bound {
	return []bound{
		// Over the pipe, files of 1.8 KB.
		{size: 5000, over: Pipe, operations: []string{getOne, trackOne, searchRare, searchAbsent, diffByHash}, max: 4},
		{size: 5000, over: Process, operations: []string{trackOnDisk}, max: 2},
		{size: 5000, over: Pipe, operations: []string{listAll, searchCommon}, max: 2},
		{size: 5000, over: Pipe, operations: []string{listCategory}, max: 2.5},
		{size: 5000, over: Pipe, operations: []string{diffStale}, max: 5},
		{size: 5000, over: Pipe, operations: []string{firstAnswer}, max: 4},
		{size: 5000, over: Pipe, operations: []string{firstSearch}, max: 3, above: searchRare},
		{size: 5000, over: Pipe, operations: []string{peakMemory}, max: 30e6, perByte: 8},

		// In process, files of 1.8 KB, then lines of 1 KB.
		{size: 5000, over: Process, operations: searches(""), max: 5},
		{size: 100_000, over: Process, operations: []string{searchRare, searchAbsent}, max: 1},
		{size: 100_000, over: Process, operations: searches("", searchRare, searchAbsent, searchRanked, searchRankedCommon), max: 70},
		{size: 100_000, over: Process, operations: []string{searchRanked, searchRankedCommon}, max: 25},
		{size: 1_000_000, over: Process, operations: []string{searchRare, searchAbsent}, max: 10},
		{size: 1_000_000, over: Process, operations: searches("first page "), max: 10},
		{size: 1_000_000, over: Process, operations: []string{peakMemory}, max: 8e9},
		{size: 1_000_000, over: Process, operations: []string{indexBuild}, max: 30_000},
	}
}

// searches returns the names of the searches that begin with prefix, without some.
func searches(prefix string, without ...string) (names []string) {
	for _, q := range questions(&corpus{form: &folderForm}) {
		if q.method == "instructions/search" && strings.HasPrefix(q.name, prefix) && !slices.Contains(without, q.name) {
			names = append(names, q.name)
		}
	}
	return names
}

// Verdict is whether a bound holds.
type Verdict struct {
	Size      int       `json:"size"` // entries
	Transport Transport `json:"transport"`
	Operation string    `json:"operation"`
	Unit      Unit      `json:"unit"`
	Value     float64   `json:"value"`
	Bound     float64   `json:"bound"`
	Pass      bool      `json:"pass"`
}

// Miss returns the factor by which the bound is exceeded; it is at most 1 if the bound holds.
func (v *Verdict) Miss() float64 { return v.Value / v.Bound }

// judge compares the report with bounds, in their order. It skips bounds on operations
// that were not measured.
func (r *Report) judge(bounds []bound) []Verdict {
	verdicts := []Verdict{}
	for _, b := range bounds {
		at := r.at(b.size)
		if at == nil {
			continue
		}
		for _, name := range b.operations {
			o := at.Operation(name, b.over)
			if o == nil {
				continue
			}
			value, unit := o.Value()
			limit := b.max + b.perByte*float64(at.CatalogBytes)
			if above := at.Operation(b.above, b.over); above != nil {
				limit += float64(above.P50)
			}
			verdicts = append(verdicts, Verdict{at.Size, b.over, name, unit, value, limit, value <= limit})
		}
	}
	return verdicts
}
