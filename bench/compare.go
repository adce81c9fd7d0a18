package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// noise is the change that is reported: a figure has moved if it is more than a
// quarter higher or lower, and no run of one report lies among those of the other.
// Two reports of the same program differ by less on a quiet machine.
const noise = 0.25

// Comparison is what moved between an earlier report and this one.
type Comparison struct {
	Differences []string `json:"differences"` // between the two runs themselves, for a person to read
	Compared    int      `json:"compared"`    // figures that both reports have
	Moves       []Move   `json:"moves"`       // those that moved by more than noise, in the order of the report
}

// Move is a figure that moved.
type Move struct {
	Size      int       `json:"size"` // entries
	Transport Transport `json:"transport"`
	Operation string    `json:"operation"`
	Statistic Statistic `json:"statistic"`
	Was       float64   `json:"was"`
	Is        float64   `json:"is"`
	Change    float64   `json:"change"` // Is divided by Was: under 1 is better
}

// ParseReport reads a result file. Its errors say what is wrong with it.
func ParseReport(data []byte) (*Report, error) {
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("it is no result of this benchmark: %w", err)
	}
	if r.Benchmark != Name {
		return nil, fmt.Errorf("it is no result of this benchmark: it says \"benchmark\": %q, not %q", r.Benchmark, Name)
	}
	if len(r.Results) == 0 {
		return nil, errors.New("it is a result without any size")
	}
	return &r, nil
}

// Compare compares a report with an earlier one: ratios where there is a floor,
// so that a slower machine is no slower server, else times.
func (r *Report) Compare(earlier *Report) *Comparison {
	c := &Comparison{Differences: r.differences(earlier), Moves: []Move{}}
	for i := range r.Results {
		now := &r.Results[i]
		before := earlier.at(now.Size)
		switch {
		case before == nil:
			c.Differences = append(c.Differences, fmt.Sprintf("the earlier run has no size %d", now.Size))
		case before.CatalogBytes != now.CatalogBytes:
			c.Differences = append(c.Differences,
				fmt.Sprintf("size %d was another catalog, of %d bytes and not %d", now.Size, before.CatalogBytes, now.CatalogBytes))
		}
		if before != nil {
			c.compare(before, now)
		}
	}
	for i := range earlier.Results {
		if size := earlier.Results[i].Size; r.at(size) == nil {
			c.Differences = append(c.Differences, fmt.Sprintf("the earlier run also has size %d", size))
		}
	}
	return c
}

// at finds the result of a size, or nil.
func (r *Report) at(size int) *Result {
	for i := range r.Results {
		if r.Results[i].Size == size {
			return &r.Results[i]
		}
	}
	return nil
}

// differences are those that make figures differ without anybody's doing.
func (r *Report) differences(earlier *Report) []string {
	found := []string{}
	for _, d := range []struct {
		what    string
		was, is any
	}{
		{"Go version", earlier.GoVersion, r.GoVersion},
		{"operating system", earlier.OS, r.OS},
		{"architecture", earlier.Arch, r.Arch},
		{"number of CPUs", earlier.CPUs, r.CPUs},
		{"number of iterations", earlier.Iterations, r.Iterations},
		{"number of runs", earlier.Runs, r.Runs},
	} {
		if d.was != d.is {
			found = append(found, fmt.Sprintf("the %s was %v and is %v", d.what, d.was, d.is))
		}
	}
	return found
}

func (c *Comparison) compare(before, now *Result) {
	for _, f := range now.figures() {
		was, ok := before.figure(f.Operation, f.Transport, f.Statistic)
		if !ok {
			continue
		}
		c.Compared++
		if f.Was = was; f.moved() && apart(before.spread(&f), now.spread(&f)) {
			f.Change = math.Round(f.Is/f.Was*100) / 100
			c.Moves = append(c.Moves, f)
		}
	}
}

// moved reports whether the figure is further from what it was than [noise].
func (m *Move) moved() bool { return m.Is > m.Was*(1+noise) || m.Is*(1+noise) < m.Was }

// span is from the least to the most that the runs found.
type span struct{ least, most float64 }

func apart(a, b span) bool { return a.most < b.least || b.most < a.least }

func (r *Result) spread(m *Move) span {
	median, _ := r.figure(m.Operation, m.Transport, m.Statistic)
	s := span{median, median}
	for i := range r.Runs {
		if value, ok := r.Runs[i].figure(m.Operation, m.Transport, m.Statistic); ok {
			s = span{min(s.least, value), max(s.most, value)}
		}
	}
	return s
}

// figures are those of a result to compare.
func (r *Result) figures() (all []Move) {
	add := func(operation string, over Transport, s Statistic) {
		if is, ok := r.figure(operation, over, s); ok {
			all = append(all, Move{Size: r.Size, Transport: over, Operation: operation, Statistic: s, Is: is})
		}
	}
	add(firstAnswer, Pipe, StatFirstAnswer)
	add(initialize, Pipe, StatInitialize)
	add(firstSearch, Pipe, StatFirstSearch)
	add(firstRanked, Pipe, StatFirstRanked)
	add(peakMemory, Pipe, StatPipePeak)
	add(loading, Process, StatLoad)
	add(indexBuild, Process, StatIndex)
	add(peakMemory, Process, StatProcessPeak)
	for _, o := range r.Operations {
		if o.Floor != "" {
			add(o.Name, o.Transport, StatRatioP50)
			add(o.Name, o.Transport, StatRatioP95)
		} else {
			add(o.Name, o.Transport, StatP50)
			add(o.Name, o.Transport, StatP95)
		}
	}
	return all
}

// Worse reports whether the figure is larger than it was.
func (m Move) Worse() bool { return m.Is > m.Was }
