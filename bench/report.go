package bench

import (
	"math"
	"runtime"
	"time"
)

// Name is what a [Report] calls this benchmark.
const Name = "catalog"

// Report is what a run found, in the form of the result file.
type Report struct {
	Benchmark   string    `json:"benchmark"` // [Name]
	GeneratedAt time.Time `json:"generatedAt"`
	GoVersion   string    `json:"goVersion"`
	OS          string    `json:"os"`
	Arch        string    `json:"arch"`
	CPUs        int       `json:"cpus"`
	Iterations  int       `json:"iterations"` // as asked for: see Operation
	Runs        int       `json:"runs"`       // every figure is the median of what so many runs found
	InProcess   bool      `json:"inProcess"`  // nothing was asked over the pipe
	Results     []Result  `json:"results"`    // one for each size, in the order asked for

	// Bounds are what is promised of these sizes, and whether it holds.
	Bounds []Verdict `json:"bounds"`
	// Comparison is with an earlier report; absent unless one was named.
	Comparison *Comparison `json:"comparison,omitempty"`
}

// Result is what was found at one size.
type Result struct {
	Size         int   `json:"size"`         // entries
	Form         Form  `json:"form"`         // how they are kept
	CatalogBytes int64 `json:"catalogBytes"` // of all files
	EntryBytes   int   `json:"entryBytes"`   // on average, in the files

	// SearchP95 and SearchMax are of the slower of the searches for a rare and
	// for an absent term, over the pipe, or in process where nothing was asked
	// over the pipe.
	SearchP95 Milliseconds `json:"searchP95"`
	SearchMax Milliseconds `json:"searchMax"`

	// From the start of the server's process to its first answer, medians:
	// StartMs to one that needs no catalog (health/check), FirstAnswerMs to one
	// that does (instructions/list of one entry). FloorStartMs is the same of a
	// process that only answers as many bytes. Absent where nothing was asked
	// over the pipe, as the next two.
	StartMs       Milliseconds `json:"startMs,omitzero"`
	FirstAnswerMs Milliseconds `json:"firstAnswerMs,omitzero"`
	FloorStartMs  Milliseconds `json:"floorStartMs,omitzero"`

	// ReadAndHashMs is the median of reading and hashing all files, one after
	// the other, their names being known; FirstAnswerRatio is FirstAnswerMs
	// divided by it.
	ReadAndHashMs    Milliseconds `json:"readAndHashMs,omitzero"`
	FirstAnswerRatio float64      `json:"firstAnswerRatio,omitzero"`

	// InitializeMs is the median from the start of the server's process to its
	// answer to MCP's initialize. FirstSearchMs is that of a search for a rare term
	// which a new server is asked as soon as it has given its first answer, and
	// FirstRankedMs the same of a ranked search.
	InitializeMs  Milliseconds `json:"initializeMs,omitzero"`
	FirstSearchMs Milliseconds `json:"firstSearchMs,omitzero"`
	FirstRankedMs Milliseconds `json:"firstRankedMs,omitzero"`

	// In process, LoadMs is the first call, which loads the catalog, and IndexMs
	// how long it then takes until searches have their index. All processors
	// build it, as this process waits and so helps.
	LoadMs  Milliseconds `json:"loadMs"`
	IndexMs Milliseconds `json:"indexMs"`

	// PeakMemoryBytes is the most that was resident of the server while it
	// answered all operations, ProcessPeakMemoryBytes of the process that asked
	// itself. They are absent where the system does not tell.
	PeakMemoryBytes        int64 `json:"peakMemoryBytes,omitempty"`
	ProcessPeakMemoryBytes int64 `json:"processPeakMemoryBytes,omitempty"`

	// Swaps is how many snapshots took the place of another while many files were
	// written, at most. IdlePercent is how much of one processor a server takes at
	// most that nobody asks and whose files do not change; measured for seconds, it
	// tells no better than some tenths. Absent where nothing was followed, or the system
	// does not tell.
	Swaps       int     `json:"swaps,omitempty"`
	IdlePercent float64 `json:"idlePercent,omitempty"`

	Operations []Operation `json:"operations"`

	// Runs are what each run found, where there were several: the figures above
	// are the medians of these.
	Runs []Result `json:"runs,omitempty"`
}

// Operation is what was found for one kind of question.
type Operation struct {
	Name      string    `json:"name"` // such as "search rare"
	Transport Transport `json:"transport"`
	// Iterations is how often it was done in each run: ten times what was
	// asked for where answers are short, a tenth of it, or ten, where all files
	// are read; but at least five times, and then no longer than two seconds,
	// floor included.
	Iterations  int          `json:"iterations"`
	P50         Milliseconds `json:"p50Ms"`
	P95         Milliseconds `json:"p95Ms"`
	Max         Milliseconds `json:"maxMs"`
	AnswerBytes int          `json:"answerBytes"` // over the pipe the whole line, in process the result

	// What the operation was compared to, in turn with it; absent in process,
	// where an answer from memory has no floor, and where a server follows an edit.
	Floor    Floor        `json:"floor,omitempty"`
	FloorP50 Milliseconds `json:"floorP50Ms,omitempty"`
	FloorP95 Milliseconds `json:"floorP95Ms,omitempty"`
	RatioP50 float64      `json:"ratioP50,omitempty"` // P50 divided by FloorP50
	Ratio    float64      `json:"ratio,omitempty"`    // P95 divided by FloorP95
}

// Transport is the way to the server.
type Transport string

// The transports.
const (
	Pipe    Transport = "pipe"    // a subprocess, as an editor runs it
	Process Transport = "process" // a call of the registry, without JSON-RPC
)

// Floor is the least that any program would need for an operation.
type Floor string

// The floors.
const (
	FloorAnswer      Floor = "answer"      // a child process that answers as many bytes: see ServeFloor
	FloorReadAndHash Floor = "readAndHash" // a loop over all files: see ReadAndHash

	FloorQuiet Floor = "quiet" // the same while nothing else happens

	FloorAppendAndSync Floor = "appendAndSync" // a line appended to a file and brought to the disk
)

// Milliseconds is a duration in milliseconds, to a tenth of a microsecond.
type Milliseconds float64

func milliseconds(d time.Duration) Milliseconds {
	return Milliseconds(math.Round(float64(d)/100) / 10_000)
}

func newReport(c *Config) *Report {
	return &Report{
		Benchmark:   Name,
		GeneratedAt: time.Now().UTC().Truncate(time.Millisecond),
		GoVersion:   runtime.Version(),
		OS:          runtime.GOOS,
		Arch:        runtime.GOARCH,
		CPUs:        runtime.NumCPU(),
		Iterations:  c.Iterations,
		Runs:        c.Runs,
		InProcess:   c.InProcess,
	}
}

// newResult has what is known of a catalog before anything is measured.
func (c *corpus) newResult() *Result {
	n := c.truth.entries
	return &Result{Size: n, Form: c.form.name, CatalogBytes: c.bytes, EntryBytes: int(c.bytes) / n}
}

func newOperation(name string, over Transport, t timing, answerBytes int) Operation {
	return Operation{
		Name: name, Transport: over, Iterations: t.rounds, AnswerBytes: answerBytes,
		P50: milliseconds(t.p50), P95: milliseconds(t.p95), Max: milliseconds(t.max),
	}
}

// beside adds the floor to an operation.
func (o Operation) beside(kind Floor, floor timing) Operation {
	o.Floor, o.FloorP50, o.FloorP95 = kind, milliseconds(floor.p50), milliseconds(floor.p95)
	o.RatioP50, o.Ratio = ratio(o.P50, o.FloorP50), ratio(o.P95, o.FloorP95)
	return o
}

// ratio is rounded to hundredths.
func ratio(of, to Milliseconds) float64 {
	if to == 0 {
		return 0
	}
	return math.Round(float64(of/to)*100) / 100
}

// addSearch fills the figures of the result that sum up its searches. What was
// asked over the pipe comes before what was asked in process.
func (r *Result) addSearch() {
	over := r.Operations[0].Transport
	for _, o := range r.Operations {
		if o.Transport == over && (o.Name == searchRare || o.Name == searchAbsent) {
			r.SearchP95 = max(r.SearchP95, o.P95)
			r.SearchMax = max(r.SearchMax, o.Max)
		}
	}
}
