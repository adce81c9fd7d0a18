package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"instruction-catalog/rpc"
)

// Table is the rows of a report, for a terminal or a page.
type Table struct {
	Heading []string
	Rows    [][]string // "" is what was not measured
	Numbers []int      // columns of figures
}

// Table returns the figures of each operation beside those of its floor.
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

// BoundsTable returns the verdicts. Its last column is "PASS" or says by how much the
// bound is missed.
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

// Table returns the moves, those to the worse first.
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

// Format writes a figure of the unit.
func (u Unit) Format(value float64) string {
	switch u {
	case UnitMilliseconds:
		return Milliseconds(value).String()
	case UnitBytes:
		return Bytes(value).String()
	}
	return Ratio(value).String()
}

// Milliseconds is a duration in milliseconds, to a tenth of a microsecond.
type Milliseconds float64

func milliseconds(d time.Duration) Milliseconds {
	return Milliseconds(math.Round(float64(d)/100) / 10_000)
}

// String returns three figures and a unit, or "" for 0, which was not measured.
func (d Milliseconds) String() string {
	return scaled(float64(d)*1000, 1000, "µs", "ms", "s")
}

// Bytes is a number of bytes.
type Bytes int64

// String returns three figures and a unit with a prefix that is a power of a thousand,
// or "" for 0.
func (n Bytes) String() string {
	if 0 < n && n < 1000 {
		return fmt.Sprintf("%d B", int64(n))
	}
	return scaled(float64(n), 1000, "B", "kB", "MB", "GB")
}

// Ratio is a quotient.
type Ratio float64

// String returns the quotient as "1.46×", or "" for 0.
func (r Ratio) String() string {
	return strings.ReplaceAll(scaled(float64(r), math.Inf(1), "×"), " ", "")
}

// scaled writes a number in the largest unit in which it is 1 or more.
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
