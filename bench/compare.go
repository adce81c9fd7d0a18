package bench

import (
	"fmt"
	"math"
	"slices"
)

// noise is the change that counts: a figure has moved if it is more than a
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
	Unit      Unit      `json:"unit"`
	Was       float64   `json:"was"`
	Is        float64   `json:"is"`
	Change    float64   `json:"change"` // Is divided by Was: under 1 is better
}

// Worse reports whether the figure is larger than it was.
func (m Move) Worse() bool { return m.Is > m.Was }

// Compare compares a report with an earlier one: ratios of what has a floor, which
// do not depend on how fast the machine is, else times and memory.
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

// differences are those that change figures without a change of the program.
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

// apart reports whether all runs of one operation are above all runs of the other.
func apart(a, b *Operation) bool {
	of := func(o *Operation) []float64 {
		value, _ := o.Value()
		return append([]float64{value}, o.Values...)
	}
	return slices.Max(of(a)) < slices.Min(of(b)) || slices.Max(of(b)) < slices.Min(of(a))
}
