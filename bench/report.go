package bench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"instruction-catalog/rpc"
)

// Name is the name of this benchmark in a [Report].
const Name = "catalog"

// Report is the result of a run, as encoded in the result file.
type Report struct {
	Benchmark   string    `json:"benchmark"` // [Name]
	GeneratedAt time.Time `json:"generatedAt"`
	GoVersion   string    `json:"goVersion"`
	OS          string    `json:"os"`
	Arch        string    `json:"arch"`
	CPUs        int       `json:"cpus"`
	Iterations  int       `json:"iterations"` // as requested; see Operation for the actual number
	Runs        int       `json:"runs"`       // every figure is the median of this many runs
	InProcess   bool      `json:"inProcess"`  // true if nothing was measured over the pipe
	Results     []Result  `json:"results"`    // one for each size, in the requested order

	Bounds []Verdict `json:"bounds"` // verdicts for the measured sizes
	// Comparison compares with an earlier report. It is nil if none was given.
	Comparison *Comparison `json:"comparison,omitempty"`
}

// Result holds the measurements at one size.
type Result struct {
	Size         int   `json:"size"`         // entries
	Form         Form  `json:"form"`         // how the entries are stored
	CatalogBytes int64 `json:"catalogBytes"` // total size of all files
	EntryBytes   int   `json:"entryBytes"`   // average size in the files

	// SearchP95 and SearchMax are the larger figures of the searches for a rare and an
	// absent term: over the pipe, or in process if the pipe was not measured.
	SearchP95 Milliseconds `json:"searchP95"`
	SearchMax Milliseconds `json:"searchMax"`

	Operations []Operation `json:"operations"`
}

// Operation holds the measurements of one operation. For memory only Bytes is set; all
// others have times.
type Operation struct {
	Name      string    `json:"name"` // such as "search rare"
	Transport Transport `json:"transport"`
	// Iterations is the number of repetitions in each run. It is ten times the requested
	// number if the answer is short. If all files are read or a process is started, it is
	// a tenth of that number, but at least ten, or the requested number if that is less.
	// After five repetitions, measuring stops once it has taken two seconds, floor
	// included. Loading, indexing and memory are measured once.
	Iterations int          `json:"iterations"`
	P50        Milliseconds `json:"p50Ms,omitempty"`
	P95        Milliseconds `json:"p95Ms,omitempty"`
	Max        Milliseconds `json:"maxMs,omitempty"`
	// Bytes is the length of the answer; over the pipe, of its line. For memory, it is
	// the peak resident size.
	Bytes Bytes `json:"bytes,omitempty"`

	// The floor: the least time that any program would need, measured in turn with the
	// operation. These are absent if the operation has no floor, as for in-process
	// answers from memory.
	Floor    Floor        `json:"floor,omitempty"`
	FloorP50 Milliseconds `json:"floorP50Ms,omitempty"`
	FloorP95 Milliseconds `json:"floorP95Ms,omitempty"`
	RatioP50 Ratio        `json:"ratioP50,omitempty"` // P50 divided by FloorP50
	RatioP95 Ratio        `json:"ratio,omitempty"`    // P95 divided by FloorP95

	// Values holds [Operation.Value] of each run if there were several.
	Values []float64 `json:"values,omitempty"`
}

// Transport is how the server is called.
type Transport string

// Ways to call the server.
const (
	Pipe    Transport = "pipe"    // a subprocess, as an editor runs it
	Process Transport = "process" // a call to the registry in this process, without JSON-RPC
)

// Floor is the kind of floor of an operation: the least that any program would need for
// it.
type Floor string

// Kinds of floors.
const (
	FloorAnswer        Floor = "answer"        // a child process that answers the same number of bytes: see ServeFloor
	FloorReadAndHash   Floor = "readAndHash"   // a loop over all files: see ReadAndHash
	FloorAppendAndSync Floor = "appendAndSync" // a line appended to a file and synced
)

// Unit is the unit of [Operation.Value].
type Unit string

// Units of figures.
const (
	UnitRatio        Unit = "p50 / floor"
	UnitMilliseconds Unit = "p50"
	UnitBytes        Unit = "bytes"
)

// Value returns the figure that is bounded and compared: the ratio to the floor if
// there is one, otherwise the median time, or the memory if there is no time.
func (o *Operation) Value() (float64, Unit) {
	switch {
	case o.Floor != "":
		return float64(o.RatioP50), UnitRatio
	case o.P50 > 0:
		return float64(o.P50), UnitMilliseconds
	}
	return float64(o.Bytes), UnitBytes
}

// ParseReport decodes a result file. It fails if the data is not a result of this
// benchmark or has no sizes.
func ParseReport(data []byte) (*Report, error) {
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("not a result of this benchmark: %w", err)
	}
	if r.Benchmark != Name {
		return nil, fmt.Errorf("not a result of this benchmark: it says \"benchmark\": %q, not %q", r.Benchmark, Name)
	}
	if len(r.Results) == 0 {
		return nil, errors.New("a result without any size")
	}
	return &r, nil
}

// at returns the result for a size, or nil if there is none.
func (r *Report) at(size int) *Result {
	i := slices.IndexFunc(r.Results, func(r Result) bool { return r.Size == size })
	if i < 0 {
		return nil
	}
	return &r.Results[i]
}

// Operation returns the operation with the given name and transport, or nil if there is
// none.
func (r *Result) Operation(name string, over Transport) *Operation {
	i := slices.IndexFunc(r.Operations, func(o Operation) bool { return o.Name == name && o.Transport == over })
	if i < 0 {
		return nil
	}
	return &r.Operations[i]
}

// add adds an operation. The first timing is its own; the second, unless kind is empty,
// is that of its floor.
func (r *Result) add(name string, over Transport, bytes int, kind Floor, timings ...timing) {
	took := timings[0]
	o := Operation{
		Name: name, Transport: over, Iterations: took.rounds, Bytes: Bytes(bytes), Floor: kind,
		P50: milliseconds(took.p50), P95: milliseconds(took.p95), Max: milliseconds(took.max),
	}
	if kind != "" {
		o.FloorP50, o.FloorP95 = milliseconds(timings[1].p50), milliseconds(timings[1].p95)
		o.RatioP50, o.RatioP95 = ratio(o.P50, o.FloorP50), ratio(o.P95, o.FloorP95)
	}
	r.Operations = append(r.Operations, o)
	if over == r.Operations[0].Transport && (name == searchRare || name == searchAbsent) {
		r.SearchP95, r.SearchMax = max(r.SearchP95, o.P95), max(r.SearchMax, o.Max)
	}
}

// addMemory adds the peak of resident memory.
func (r *Result) addMemory(over Transport, bytes int64) {
	r.Operations = append(r.Operations, Operation{Name: peakMemory, Transport: over, Iterations: 1, Bytes: Bytes(bytes)})
}

// ratio returns of divided by to, rounded to hundredths, or 0 if to is 0.
func ratio(of, to Milliseconds) Ratio {
	if to == 0 {
		return 0
	}
	return Ratio(math.Round(float64(of/to)*100) / 100)
}

// medianResult returns the median of each figure over several runs of the same
// operations.
func medianResult(runs []Result) Result {
	m := runs[0]
	m.SearchP95 = median(runs, func(r *Result) Milliseconds { return r.SearchP95 })
	m.SearchMax = median(runs, func(r *Result) Milliseconds { return r.SearchMax })
	m.Operations = slices.Clone(m.Operations)
	for i := range m.Operations {
		o := &m.Operations[i]
		o.Iterations = median(runs, func(r *Result) int { return r.Operations[i].Iterations })
		o.Bytes = median(runs, func(r *Result) Bytes { return r.Operations[i].Bytes })
		o.P50 = median(runs, func(r *Result) Milliseconds { return r.Operations[i].P50 })
		o.P95 = median(runs, func(r *Result) Milliseconds { return r.Operations[i].P95 })
		o.Max = median(runs, func(r *Result) Milliseconds { return r.Operations[i].Max })
		o.FloorP50 = median(runs, func(r *Result) Milliseconds { return r.Operations[i].FloorP50 })
		o.FloorP95 = median(runs, func(r *Result) Milliseconds { return r.Operations[i].FloorP95 })
		o.RatioP50 = median(runs, func(r *Result) Ratio { return r.Operations[i].RatioP50 })
		o.RatioP95 = median(runs, func(r *Result) Ratio { return r.Operations[i].RatioP95 })
		for j := 0; len(runs) > 1 && j < len(runs); j++ {
			value, _ := runs[j].Operations[i].Value()
			o.Values = append(o.Values, value)
		}
	}
	return m
}

// median returns the median of a figure over several runs. Of two middle values it
// returns the larger, because their mean would be a figure that no run has.
func median[T cmp.Ordered](runs []Result, figure func(*Result) T) T {
	figures := make([]T, len(runs))
	for i := range runs {
		figures[i] = figure(&runs[i])
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}

// Table is a table of a report, for a terminal or a page.
type Table struct {
	Heading []string
	Rows    [][]string // a cell is "" if not measured
	Numbers []int      // indexes of the columns with figures
}

// Table returns a table of the figures of each operation and its floor.
func (r *Result) Table() Table {
	t := Table{
		Heading: []string{"operation", "over", "p50", "p95", "max", "bytes", "floor p50", "floor p95", "r p50", "r p95"},
		Numbers: []int{2, 3, 4, 5, 6, 7, 8, 9},
	}
	for _, o := range r.Operations {
		t.add(o.Name, o.Transport, o.P50, o.P95, o.Max, o.Bytes, o.FloorP50, o.FloorP95, o.RatioP50, o.RatioP95)
	}
	return t
}

// BoundsTable returns a table of the verdicts and the number of bounds that hold. The
// last column is "PASS", or the factor by which the bound is missed.
func (r *Report) BoundsTable() (t Table, held int) {
	t = Table{Heading: []string{"entries", "over", "bound on", "figure", "found", "at most", ""}, Numbers: []int{0, 4, 5}}
	for _, v := range r.Bounds {
		verdict := "PASS"
		if v.Pass {
			held++
		} else {
			verdict = "misses by " + Ratio(v.Miss()).String()
		}
		t.add(rpc.Grouped(v.Size), v.Transport, v.Operation, v.Unit, v.Unit.Format(v.Value), v.Unit.Format(v.Bound), verdict)
	}
	return t, held
}

// Table returns a table of the moves, worse figures first.
func (c *Comparison) Table() Table {
	t := Table{Heading: []string{"entries", "over", "operation", "figure", "was", "is", ""}, Numbers: []int{0, 4, 5}}
	for _, direction := range []string{"worse", "better"} {
		for _, m := range c.Moves {
			if m.Worse() == (direction == "worse") {
				t.add(rpc.Grouped(m.Size), m.Transport, m.Operation, m.Unit, m.Unit.Format(m.Was), m.Unit.Format(m.Is), direction+", "+Ratio(m.Change).String())
			}
		}
	}
	return t
}

func (t *Table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = fmt.Sprint(cell)
	}
	t.Rows = append(t.Rows, row)
}

// Format formats a value of the unit.
func (u Unit) Format(value float64) string {
	switch u {
	case UnitMilliseconds:
		return Milliseconds(value).String()
	case UnitBytes:
		return Bytes(value).String()
	}
	return Ratio(value).String()
}

// Milliseconds is a duration in milliseconds, rounded to a tenth of a microsecond.
type Milliseconds float64

func milliseconds(d time.Duration) Milliseconds {
	return Milliseconds(math.Round(float64(d)/100) / 10_000)
}

// String returns three digits and a unit, or "" for 0, which means not measured.
func (d Milliseconds) String() string {
	return scaled(float64(d)*1000, 1000, "µs", "ms", "s")
}

// Bytes is a number of bytes.
type Bytes int64

// String returns three digits and a decimal unit such as kB, or "" for 0.
func (n Bytes) String() string {
	if 0 < n && n < 1000 {
		return fmt.Sprintf("%d B", int64(n))
	}
	return scaled(float64(n), 1000, "B", "kB", "MB", "GB")
}

// Ratio is the quotient of two figures.
type Ratio float64

// String returns the quotient as "1.46×", or "" for 0.
func (r Ratio) String() string {
	return strings.ReplaceAll(scaled(float64(r), math.Inf(1), "×"), " ", "")
}

// scaled formats a number in the largest unit in which it is at least 1. It returns ""
// for 0.
func scaled(f, step float64, units ...string) string {
	if f == 0 {
		return ""
	}
	for len(units) > 1 && f >= step {
		f, units = f/step, units[1:]
	}
	decimals := 2
	for limit := 10.0; decimals > 0 && math.Abs(f) >= limit-limit/2000; limit *= 10 {
		decimals--
	}
	return strconv.FormatFloat(f, 'f', decimals, 64) + " " + units[0]
}
