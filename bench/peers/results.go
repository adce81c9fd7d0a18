package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// results is what this program reads of the result file of "catalog bench".
// Members that it does not know are passed over, and those that an older file
// lacks are zero: see bench.Report for what they mean.
type results struct {
	Benchmark   string    `json:"benchmark"`
	GeneratedAt time.Time `json:"generatedAt"`
	GoVersion   string    `json:"goVersion"`
	OS          string    `json:"os"`
	Arch        string    `json:"arch"`
	CPUs        int       `json:"cpus"`
	Iterations  int       `json:"iterations"`
	Runs        int       `json:"runs,omitempty"`
	Results     []result  `json:"results"`
	Bounds      []verdict `json:"bounds,omitempty"`
}

// result is what was found at one size.
type result struct {
	Size                   int           `json:"size"`
	CatalogBytes           byteCount     `json:"catalogBytes"`
	StartMs                milliseconds  `json:"startMs,omitempty"`
	FirstAnswerMs          milliseconds  `json:"firstAnswerMs,omitempty"`
	FloorStartMs           milliseconds  `json:"floorStartMs,omitempty"`
	ReadAndHashMs          milliseconds  `json:"readAndHashMs,omitempty"`
	InitializeMs           milliseconds  `json:"initializeMs,omitempty"`
	FirstSearchMs          milliseconds  `json:"firstSearchMs,omitempty"`
	FirstRankedMs          milliseconds  `json:"firstRankedMs,omitempty"`
	LoadMs                 milliseconds  `json:"loadMs,omitempty"`
	IndexMs                milliseconds  `json:"indexMs,omitempty"`
	PeakMemoryBytes        byteCount     `json:"peakMemoryBytes,omitempty"`
	ProcessPeakMemoryBytes byteCount     `json:"processPeakMemoryBytes,omitempty"`
	Operations             []measurement `json:"operations"`
}

// measurement is what was found for one operation.
type measurement struct {
	Name        string       `json:"name"`
	Transport   transport    `json:"transport"`
	P50         milliseconds `json:"p50Ms"`
	P95         milliseconds `json:"p95Ms"`
	Max         milliseconds `json:"maxMs"`
	AnswerBytes byteCount    `json:"answerBytes"`
	FloorP50    milliseconds `json:"floorP50Ms,omitempty"`
	FloorP95    milliseconds `json:"floorP95Ms,omitempty"`
}

// transport is the way on which an operation was asked for.
type transport string

const (
	overPipe  transport = "pipe"
	inProcess transport = "process"
)

func (t transport) String() string {
	if t == inProcess {
		return "in process"
	}
	return string(t)
}

// verdict is whether a promise holds.
type verdict struct {
	Size      int       `json:"size"`
	Transport transport `json:"transport"`
	Operation string    `json:"operation"`
	Statistic string    `json:"statistic"`
	Value     float64   `json:"value"`
	Bound     float64   `json:"bound"`
	Pass      bool      `json:"pass"`
}

// operation finds what was found for an operation.
func (r *result) operation(name string, over transport) (measurement, bool) {
	for _, m := range r.Operations {
		if m.Name == name && m.Transport == over {
			return m, true
		}
	}
	return measurement{}, false
}

// readResults reads a file that "catalog bench --out" wrote.
func readResults(path string) (*results, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r results
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.Benchmark != "catalog" || len(r.Results) == 0 {
		return nil, fmt.Errorf("%s has no results of catalog bench: name a file that it wrote with --out", path)
	}
	return &r, nil
}
