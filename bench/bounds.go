package bench

import (
	"slices"
	"strings"
)

// bound is an upper limit on the figures of some operations, in the unit of
// [Operation.Value].
type bound struct {
	size       int // entries
	over       Transport
	operations []string
	max        float64
	perByte    float64 // added to max for each byte of the catalog's files
	above      string  // name of an operation whose median time is added to max; "" for none
}

// Names used in reports for the operations that are not questions.
const (
	anyAnswer   = "start"         // from process start to an answer that does not need the catalog
	firstAnswer = "first answer"  // from process start to the first answer that needs the catalog
	firstSearch = "first search"  // a search right after the first answer
	loading     = "load"          // the first call in process, which loads the catalog
	indexBuild  = "index"         // from the end of that call until the search index is built
	trackOnDisk = "track on disk" // usage/track with a journal, synced before the answer
	peakMemory  = "peak memory"   // peak resident memory
)

// bounds returns all bounds, which limit what a user can notice. Figures are medians:
// the ratio to the floor if the operation has one, otherwise milliseconds, or bytes for
// memory. MB and GB are powers of ten.
func bounds() []bound {
	return []bound{
		// Over the pipe, with files of 1.8 KB.
		{size: 5000, over: Pipe, operations: []string{getOne, trackOne, searchRare, searchAbsent, diffByHash}, max: 4},
		{size: 5000, over: Process, operations: []string{trackOnDisk}, max: 2},
		{size: 5000, over: Pipe, operations: []string{listAll, searchCommon}, max: 2},
		{size: 5000, over: Pipe, operations: []string{listCategory}, max: 2.5},
		{size: 5000, over: Pipe, operations: []string{diffStale}, max: 5},
		{size: 5000, over: Pipe, operations: []string{firstAnswer}, max: 4},
		{size: 5000, over: Pipe, operations: []string{firstSearch}, max: 3, above: searchRare},
		{size: 5000, over: Pipe, operations: []string{peakMemory}, max: 30e6, perByte: 8},

		// In process, with files of 1.8 KB, then with lines of 1 KB.
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

// searches returns the names of the searches that begin with prefix, except those in
// without.
func searches(prefix string, without ...string) (names []string) {
	for _, q := range questions(&corpus{form: &folderForm}) {
		if q.method == "instructions/search" && strings.HasPrefix(q.name, prefix) && !slices.Contains(without, q.name) {
			names = append(names, q.name)
		}
	}
	return names
}

// Verdict reports whether an operation meets a bound.
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

// judge compares the report with bounds and returns the verdicts in the order of
// bounds. It skips operations that were not measured.
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
