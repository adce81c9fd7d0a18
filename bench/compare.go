package bench

import (
	"fmt"
	"math"
	"slices"
)

// noise is the relative change that [Report.Compare] ignores. A figure has moved only
// if the larger of its two values exceeds the smaller by more than noise and the runs
// of the two reports do not overlap. On a quiet machine, two reports of the same
// program differ by less.
const noise = 0.25

// Comparison lists the figures that moved between an earlier report and a later one.
type Comparison struct {
	Differences []string `json:"differences"` // sentences on differences between the two runs, such as another Go version
	Compared    int      `json:"compared"`    // number of figures in both reports
	Moves       []Move   `json:"moves"`       // figures that moved by more than noise, in the order of the report
}

// Move is a figure that moved by more than noise.
type Move struct {
	Size      int       `json:"size"` // entries
	Transport Transport `json:"transport"`
	Operation string    `json:"operation"`
	Unit      Unit      `json:"unit"`
	Was       float64   `json:"was"`
	Is        float64   `json:"is"`
	Change    float64   `json:"change"` // Is divided by Was: less than 1 is better
}

// Worse reports whether the figure is larger than it was.
func (m Move) Worse() bool { return m.Is > m.Was }

// Compare compares r with an earlier report. It compares the ratio to the floor if an
// operation has a floor, because ratios do not depend on the speed of the machine.
// Otherwise it compares the time or the memory.
func (r *Report) Compare(earlier *Report) *Comparison {
	c := &Comparison{Differences: r.differences(earlier), Moves: []Move{}}
	for i := range r.Results {
		now := &r.Results[i]
		before := earlier.at(now.Size)
		if before == nil {
			continue
		}
		for j := range now.Operations {
			o := &now.Operations[j]
			was := before.Operation(o.Name, o.Transport)
			if was == nil {
				continue
			}
			c.Compared++
			if m := o.move(was); m.moved() && apart(o, was) {
				m.Size = now.Size
				c.Moves = append(c.Moves, m)
			}
		}
	}
	return c
}

// differences describes differences between the runs that change figures even if the
// program is the same.
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
	for _, now := range r.Results {
		if before := earlier.at(now.Size); before == nil {
			found = append(found, fmt.Sprintf("the earlier run has no size %d", now.Size))
		} else if before.CatalogBytes != now.CatalogBytes {
			found = append(found, fmt.Sprintf("size %d was another catalog, of %d bytes and not %d", now.Size, before.CatalogBytes, now.CatalogBytes))
		}
	}
	for _, before := range earlier.Results {
		if r.at(before.Size) == nil {
			found = append(found, fmt.Sprintf("the earlier run also has size %d", before.Size))
		}
	}
	return found
}

func (o *Operation) move(before *Operation) Move {
	is, unit := o.Value()
	was, _ := before.Value()
	return Move{Transport: o.Transport, Operation: o.Name, Unit: unit, Was: was, Is: is, Change: math.Round(is/was*100) / 100}
}

// moved reports whether the figure changed by more than [noise].
func (m *Move) moved() bool { return m.Is > m.Was*(1+noise) || m.Is*(1+noise) < m.Was }

// apart reports whether all values of one operation are greater than all values of the
// other.
func apart(a, b *Operation) bool {
	of := func(o *Operation) []float64 {
		value, _ := o.Value()
		return append([]float64{value}, o.Values...)
	}
	return slices.Max(of(a)) < slices.Min(of(b)) || slices.Max(of(b)) < slices.Min(of(a))
}
