package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"instruction-catalog/bench"
)

// measurements is all that a report is made of.
type measurements struct {
	Machine machine         `json:"machine"`
	Catalog []*bench.Report `json:"catalog"` // one for each run of catalog bench
	Peers   []comparison    `json:"peers"`   // one for each size
}

// Names of what is written.
const (
	reportName       = "BENCHMARKS.md"
	measurementsName = "measurements.json"
)

// date is when the last of the results was found.
func (m *measurements) date() time.Time {
	last := slices.MaxFunc(m.Catalog, func(a, b *bench.Report) int { return a.GeneratedAt.Compare(b.GeneratedAt) })
	return last.GeneratedAt.UTC()
}

// sizes returns the results by size. Of several of one size, the first counts in
// charts.
func (m *measurements) sizes() []*bench.Result {
	var all []*bench.Result
	for _, r := range m.Catalog {
		for i := range r.Results {
			all = append(all, &r.Results[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *bench.Result) int { return a.Size - b.Size })
	return all
}

// command measures the same again.
func (m *measurements) command() string {
	var sizes []string
	for _, r := range m.sizes() {
		sizes = append(sizes, fmt.Sprint(r.Size))
	}
	return fmt.Sprintf("go -C bench/peers run . --sizes %s --iterations %d", strings.Join(slices.Compact(sizes), ","), m.Catalog[0].Iterations)
}

func readMeasurements(path string) (*measurements, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &measurements{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(m.Catalog) == 0 {
		return nil, fmt.Errorf("%s has no results of catalog bench: measure anew", path)
	}
	return m, nil
}

// files returns what is written, by its path below the folder of the documents.
func (m *measurements) files() (map[string][]byte, error) {
	encoded, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, err
	}
	report, err := m.report()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		reportName: []byte(report),
		filepath.Join(chartsFolder, measurementsName): append(encoded, '\n'),
	}
	for _, c := range m.charts() {
		if files[filepath.Join(chartsFolder, c.File+".svg")], err = c.svg(); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (m *measurements) write(dir string) error {
	files, err := m.files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, chartsFolder), 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
