package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// measurements is all that a report is made of.
type measurements struct {
	Machine machine      `json:"machine"`
	Catalog []*results   `json:"catalog"` // one for each run of catalog bench
	Peers   []comparison `json:"peers"`   // one for each size
}

// date is when the last of the results was found.
func (m *measurements) date() time.Time {
	var last time.Time
	for _, r := range m.Catalog {
		if r.GeneratedAt.After(last) {
			last = r.GeneratedAt
		}
	}
	return last.UTC()
}

// sizes returns the results by size. Of several of one size, the first counts in
// charts.
func (m *measurements) sizes() []*result {
	var all []*result
	for _, r := range m.Catalog {
		for i := range r.Results {
			all = append(all, &r.Results[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *result) int { return a.Size - b.Size })
	return all
}

// bounds returns all verdicts.
func (m *measurements) bounds() []verdict {
	var all []verdict
	for _, r := range m.Catalog {
		all = append(all, r.Bounds...)
	}
	return all
}

// command measures the same again.
func (m *measurements) command() string {
	var sizes []string
	for _, r := range m.sizes() {
		if size := fmt.Sprint(r.Size); !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
	}
	return fmt.Sprintf("go -C bench/peers run . --sizes %s --iterations %d", strings.Join(sizes, ","), m.Catalog[0].Iterations)
}

func (m *measurements) encode() ([]byte, error) {
	encoded, err := json.MarshalIndent(m, "", " ")
	return append(encoded, '\n'), err
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
