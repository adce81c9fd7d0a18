package main

import (
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/rpc"
)

// chartsFolder is where the charts and the measurements stand, beside the
// report.
const chartsFolder = "benchmarks"

const opening = `# Benchmarks

How fast the catalog answers at each size, whether that keeps to what is promised, how it grows, and how it compares
with its peers. Times depend on the machine and on what else it does. Ratios do much less: each is to a floor, the least
that any program would need, measured in turn with it in the same run.
`

// report returns the document. The same measurements give the same bytes.
func (m *measurements) report() string {
	sections := []string{opening, m.conditions(), m.promises(), m.growth(), m.operations(), m.peers()}
	sections = slices.DeleteFunc(sections, func(s string) bool { return s == "" })
	return strings.Join(sections, "\n")
}

// conditions say when, on what, and how to do it again.
func (m *measurements) conditions() string {
	t := newTable(2, "", "")
	t.add("date", m.date().Format("2 January 2006"))
	t.add("processor", fmt.Sprintf("%s, %d logical", or(m.Machine.CPU, m.Machine.Arch), m.Machine.CPUs))
	if m.Machine.Memory > 0 {
		t.add("memory", m.Machine.Memory)
	}
	t.add("system", fmt.Sprintf("%s, %s/%s", or(m.Machine.System, "unknown"), m.Machine.OS, m.Machine.Arch))
	t.add("Go", strings.TrimPrefix(m.Catalog[0].GoVersion, "go"))
	t.add("times each is done", m.repetitions())
	return t.String() + fmt.Sprintf(`
Measured, drawn and written by one command, at the root of the repository:

%ssh
%s
%s

The figures are in [measurements.json](%s/measurements.json), from which %s--render%s makes this page again. The
catalogs are generated from one seed, so that every run has the same texts.
`, "```", m.command(), "```", chartsFolder, "`", "`")
}

func (m *measurements) repetitions() string {
	r := m.Catalog[0]
	if r.Runs > 1 {
		return fmt.Sprintf("%d in each of %d runs, of which the median counts", r.Iterations, r.Runs)
	}
	return fmt.Sprint(r.Iterations)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// promises tell whether each bound holds.
func (m *measurements) promises() string {
	bounds := m.bounds()
	if len(bounds) == 0 {
		return ""
	}
	held := 0
	t := newTable(4, "entries", "over", "operation", "figure", "measured", "bound", "")
	for _, v := range bounds {
		verdict := "PASS"
		if v.Pass {
			held++
		} else {
			verdict = "**missed, " + times(v.Value/v.Bound).String() + "**"
		}
		name, show := statistic(v.Statistic)
		t.add(rpc.Grouped(v.Size), v.Transport, v.Operation, name, show(v.Value), show(v.Bound), verdict)
	}
	verb := "hold"
	if held == 1 || len(bounds) == 1 {
		verb = "holds"
	}
	return fmt.Sprintf("## Bounds\n\n%d of %d %s.\n\n%s", held, len(bounds), verb, t)
}

// ratios are the statistics that are ratios, by what they are called in results.
var ratios = map[string]string{
	"ratioP50":         "p50 ratio",
	"ratio":            "p95 ratio",
	"firstAnswerRatio": "ratio",
}

// statistic returns how a statistic is called and shown: see bench.Statistic.
// One that is not known here shows as it is.
func statistic(name string) (string, func(float64) string) {
	if called, ok := ratios[name]; ok {
		return called, func(f float64) string { return times(f).String() }
	}
	if called, ok := strings.CutSuffix(name, "Ms"); ok {
		return called, duration
	}
	if strings.HasSuffix(name, "Bytes") {
		return "bytes", size
	}
	return name, significant
}

func (m *measurements) growth() string {
	var b strings.Builder
	b.WriteString("## Growth\n")
	for _, c := range m.charts() {
		fmt.Fprintf(&b, "\n%s\n\n![%s, against the number of entries](%s/%s.svg)\n", wrap(c.says), c.title, chartsFolder, c.file)
	}
	return b.String()
}

func (m *measurements) operations() string {
	var b strings.Builder
	b.WriteString("## Operations\n\n" + wrap("p50 is the median; a ratio is to the floor beside it. What has no floor is "+
		"answered from memory, in process.") + "\n")
	for _, r := range m.sizes() {
		fmt.Fprintf(&b, "\n### %s entries, %s\n\n%s\n%s", rpc.Grouped(r.Size), r.CatalogBytes, r.start(), r.table())
	}
	return b.String()
}

// start is a table of what is found once at a size.
func (r *result) start() string {
	t := newTable(1, "", "", "floor")
	for _, row := range []struct {
		name      string
		is, floor fmt.Stringer
	}{
		{"process start to any answer", r.StartMs, r.FloorStartMs},
		{"process start to first answer from the catalog", r.FirstAnswerMs, r.ReadAndHashMs},
		{"process start to initialize", r.InitializeMs, r.FloorStartMs},
		{"first search, right after the first answer", r.FirstSearchMs, milliseconds(0)},
		{"first ranked search, right after the first answer", r.FirstRankedMs, milliseconds(0)},
		{"loading, in process", r.LoadMs, milliseconds(0)},
		{"building the index, in process", r.IndexMs, milliseconds(0)},
		{"peak memory of the server", r.PeakMemoryBytes, r.CatalogBytes},
		{"peak memory in process", r.ProcessPeakMemoryBytes, r.CatalogBytes},
	} {
		if none := milliseconds(0).String(); row.is.String() != none {
			t.add(row.name, row.is, row.floor)
		}
	}
	return t.String()
}

func (r *result) table() string {
	t := newTable(2, "operation", "over", "p50", "p95", "max", "floor p50", "floor p95", "p50 ratio", "p95 ratio", "answer")
	for _, o := range r.Operations {
		t.add(o.Name, o.Transport, o.P50, o.P95, o.Max, o.FloorP50, o.FloorP95,
			ratio(o.P50, o.FloorP50), ratio(o.P95, o.FloorP95), o.AnswerBytes)
	}
	return t.String()
}

const peersOpening = `## Peers

How many entries contain a term, whatever its case? All are asked in turn about the same texts, %d times, each time
twice, of which the second counts, and the median of those. The answers were compared. Ours is called in process, its
parameters checked and its result encoded. SQLite's full-text search has an index of trigrams, in memory, through a
driver in Go. ripgrep has no index: it is a process that reads the files each time, and finds the common term in ids and
categories, too.

What is held is the index and the texts; ours are whole entries, as they are served.
`

func (m *measurements) peers() string {
	if len(m.Peers) == 0 {
		return ""
	}
	t := newTable(2, "entries", "", "index built in", "held", "rare", "absent", "common", "common in entries")
	for _, c := range m.Peers {
		for _, one := range c.Contenders {
			c.row(t, &one)
		}
	}
	return fmt.Sprintf(peersOpening, rounds) + "\n" + t.String()
}

// row adds what was found of a contender.
func (c *comparison) row(t *table, one *performance) {
	name := strings.TrimSpace(one.Name + " " + one.Version)
	if one.Missing != "" {
		t.add(rpc.Grouped(c.Size), name+": "+one.Missing, "–", "–", "–", "–", "–", "–")
		return
	}
	cells := []any{rpc.Grouped(c.Size), name, one.Build, one.Holds}
	common := 0
	for _, s := range one.Searches {
		cells = append(cells, s.P50)
		common = s.Count
	}
	t.add(append(cells, rpc.Grouped(common))...)
}

// wrap breaks a paragraph into lines of up to 120 columns.
func wrap(paragraph string) string {
	const columns = 120
	var lines []string
	line := ""
	for _, word := range strings.Fields(paragraph) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > columns {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return strings.Join(append(lines, line), "\n")
}
