package main

import "slices"

// chart is a picture of how something grows with the number of entries, both on
// logarithmic axes.
type chart struct {
	file   string // its name, without .svg
	title  string
	says   string // what there is to see, in a sentence or two, for the report
	unit   func(float64) string
	curves []curve
}

// curve is one line of a chart.
type curve struct {
	label  string
	colour int // of palette
	floor  bool
	points []point
}

// point is a figure at a number of entries.
type point struct {
	entries int
	value   float64
}

// charts returns the pictures that there are figures for.
func (m *measurements) charts() []*chart {
	all := []*chart{m.pipeChart(), m.processChart(), m.startChart(), m.memoryChart(), m.peersChart()}
	return slices.DeleteFunc(all, func(c *chart) bool { return len(c.curves) == 0 })
}

// add adds a curve of what value returns for each size, unless that is nothing.
func (c *chart) add(sizes []*result, label string, colour int, floor bool, value func(*result) float64) {
	var points []point
	for _, r := range sizes {
		again := len(points) > 0 && points[len(points)-1].entries == r.Size
		if v := value(r); v > 0 && !again {
			points = append(points, point{r.Size, v})
		}
	}
	if points != nil {
		c.curves = append(c.curves, curve{label, colour, floor, points})
	}
}

// addOperations adds a curve for each operation, in a colour of its own.
func (c *chart) addOperations(sizes []*result, over transport, names ...string) {
	for i, name := range names {
		c.add(sizes, name, i, false, func(r *result) float64 {
			found, _ := r.operation(name, over)
			return float64(found.P50)
		})
	}
}

func (m *measurements) pipeChart() *chart {
	c := &chart{
		file: "pipe", title: "Over the pipe, median", unit: duration,
		says: "A server as a subprocess, asked as an editor asks it. The floors are a child process that reads a line and " +
			"answers as many bytes, measured in turn.",
	}
	sizes := m.sizes()
	c.addOperations(sizes, overPipe, "search common", "list", "diff 10% stale", "search rare", "get", "diff by hash")
	for _, name := range []string{"list", "get"} {
		c.add(sizes, "floor of "+name, grey, true, func(r *result) float64 {
			found, _ := r.operation(name, overPipe)
			return float64(found.FloorP50)
		})
	}
	return c
}

func (m *measurements) processChart() *chart {
	c := &chart{
		file: "process", title: "In process, median", unit: duration,
		says: "The same methods without a pipe: parameters checked, result ready to be written. Dispatch is a call of a " +
			"method that does nothing.",
	}
	c.addOperations(m.sizes(), inProcess, "search common", "list", "search 13%", "search rare", "page common", "diff by hash", "dispatch")
	return c
}

func (m *measurements) startChart() *chart {
	c := &chart{
		file: "start", title: "Start, median", unit: duration,
		says: "From the start of the process to an answer: the first that there is, and the first from the catalog, which " +
			"loads it. The floors are a process that only answers, and a loop that only reads and hashes the files.",
	}
	sizes := m.sizes()
	c.add(sizes, "first answer from the catalog", 0, false, func(r *result) float64 { return float64(r.FirstAnswerMs) })
	c.add(sizes, "first answer of all", 1, false, func(r *result) float64 { return float64(r.StartMs) })
	c.add(sizes, "load, in process", 2, false, func(r *result) float64 { return float64(r.LoadMs) })
	c.add(sizes, "floor: read and hash", grey, true, func(r *result) float64 { return float64(r.ReadAndHashMs) })
	c.add(sizes, "floor: a process", grey, true, func(r *result) float64 { return float64(r.FloorStartMs) })
	return c
}

func (m *measurements) memoryChart() *chart {
	c := &chart{
		file: "memory", title: "Peak memory", unit: size,
		says: "The most that was resident while all operations were answered, the floor being the size of the files.",
	}
	sizes := m.sizes()
	c.add(sizes, "the server, over the pipe", 0, false, func(r *result) float64 { return float64(r.PeakMemoryBytes) })
	c.add(sizes, "everything, in process", 1, false, func(r *result) float64 { return float64(r.ProcessPeakMemoryBytes) })
	c.add(sizes, "the files", grey, true, func(r *result) float64 { return float64(r.CatalogBytes) })
	return c
}

func (m *measurements) peersChart() *chart {
	c := &chart{
		file: "peers", title: "How many entries contain it? Median", unit: duration,
		says: "The same question to our methods in process, to SQLite in process, and to ripgrep, which is a process that " +
			"reads the files each time. A rare term is in one entry, a common one in most.",
	}
	for _, kind := range []string{"rare", "common"} {
		for i, name := range []string{"catalog", "SQLite FTS5 trigram", "ripgrep"} {
			if points := m.peer(name, kind); points != nil {
				colour := 2*i + map[string]int{"common": 0, "rare": 1}[kind]
				c.curves = append(c.curves, curve{label: name + ", " + kind, colour: colour, points: points})
			}
		}
	}
	return c
}

// peer returns what was found of a contender for one term at each size.
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

func duration(ms float64) string { return milliseconds(ms).String() }

func size(n float64) string { return byteCount(n).String() }
