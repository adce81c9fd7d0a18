package main

import (
	"slices"

	"instruction-catalog/bench"
)

// chart plots figures against the number of entries, on logarithmic axes.
type chart struct {
	File   string // file name without .svg
	Title  string
	unit   bench.Unit
	curves []curve
}

// curve is one line of a chart.
type curve struct {
	label  string
	colour int // index in palette
	floor  bool
	points []point
}

// point is the figure at one number of entries.
type point struct {
	entries int
	value   float64
}

// line selects the figure of an operation for one curve.
type line struct {
	label     string
	over      bench.Transport
	operation string // "" for the size of the files
	floor     bool   // use the figure of the floor
}

// lines returns a line for each operation, labelled with its name.
func lines(over bench.Transport, operations ...string) (all []line) {
	for _, name := range operations {
		all = append(all, line{name, over, name, false})
	}
	return all
}

// charts returns the charts that have data.
func (m *measurements) charts() []*chart {
	all := []*chart{
		m.chart("pipe", "Over the pipe, median", bench.UnitMilliseconds,
			append(lines(bench.Pipe, "search common", "list", "diff 10% stale", "search rare", "get", "diff by hash"),
				line{"floor of list", bench.Pipe, "list", true}, line{"floor of get", bench.Pipe, "get", true})),
		m.chart("process", "In process, median", bench.UnitMilliseconds,
			lines(bench.Process, "search common", "list", "search 13%", "search rare", "page common", "diff by hash")),
		m.chart("start", "Start, median", bench.UnitMilliseconds,
			[]line{
				{"first answer from the catalog", bench.Pipe, "first answer", false}, {"first answer of all", bench.Pipe, "start", false},
				{"load, in process", bench.Process, "load", false},
				{"floor: read and hash", bench.Pipe, "first answer", true}, {"floor: a process", bench.Pipe, "start", true},
			}),
		m.chart("memory", "Peak memory", bench.UnitBytes,
			[]line{
				{"the server, over the pipe", bench.Pipe, "peak memory", false}, {"everything, in process", bench.Process, "peak memory", false},
				{"the files", "", "", true},
			}),
		m.peersChart(),
	}
	return slices.DeleteFunc(all, func(c *chart) bool { return len(c.curves) == 0 })
}

// Chart returns the chart with the given file name, or nil if it has no data.
func (m *measurements) Chart(file string) *chart {
	all := m.charts()
	if i := slices.IndexFunc(all, func(c *chart) bool { return c.File == file }); i >= 0 {
		return all[i]
	}
	return nil
}

// chart returns a chart with one curve for each line that has data.
func (m *measurements) chart(file, title string, unit bench.Unit, lines []line) *chart {
	c := &chart{File: file, Title: title, unit: unit}
	for i, l := range lines {
		one := curve{label: l.label, colour: i, floor: l.floor}
		if l.floor { // same colour as the operation
			one.colour = slices.IndexFunc(lines, func(of line) bool { return of.operation == l.operation })
		}
		for _, r := range m.Sizes() {
			again := len(one.points) > 0 && one.points[len(one.points)-1].entries == r.Size
			if v := l.value(r); v > 0 && !again {
				one.points = append(one.points, point{r.Size, v})
			}
		}
		if one.points != nil {
			c.curves = append(c.curves, one)
		}
	}
	return c
}

// value returns the figure of the line at one size, or 0 if it was not measured.
func (l line) value(r *bench.Result) float64 {
	if l.operation == "" {
		return float64(r.CatalogBytes)
	}
	o := r.Operation(l.operation, l.over)
	switch {
	case o == nil:
		return 0
	case l.floor:
		return float64(o.FloorP50)
	case o.P50 == 0:
		return float64(o.Bytes)
	}
	return float64(o.P50)
}

func (m *measurements) peersChart() *chart {
	c := &chart{File: "peers", Title: "How many entries contain it? Median", unit: bench.UnitMilliseconds}
	for k, kind := range []string{"rare", "common"} {
		for i, name := range []string{"catalog", "SQLite FTS5 trigram", "ripgrep"} {
			if points := m.peer(name, kind); points != nil {
				c.curves = append(c.curves, curve{label: name + ", " + kind, colour: 2*i + 1 - k, points: points})
			}
		}
	}
	return c
}

// peer returns the median search time of one contender for one kind of term, at each
// size.
func (m *measurements) peer(name, kind string) (points []point) {
	for _, c := range m.Peers {
		for _, one := range c.Contenders {
			for _, s := range one.Searches {
				if one.Name == name && s.Term == kind {
					points = append(points, point{c.Size, float64(s.P50)})
				}
			}
		}
	}
	return points
}
