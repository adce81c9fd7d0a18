package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"instruction-catalog/bench"
	"instruction-catalog/rpc"
)

// chartsFolder is where the charts and the measurements are, beside the report.
const chartsFolder = "benchmarks"

//go:embed report.md.tmpl
var reportTemplate string

// page is what the template shows.
type page struct {
	Conditions, Command string
	Bounds              *boundsPage // nil if nothing is promised of these sizes
	Charts              []*chart
	Sizes               []sizePage
	Peers               *peersPage // nil if none was measured
}

type boundsPage struct {
	Held, Count int
	Table       string
}

type sizePage struct{ Entries, Bytes, Table string }

type peersPage struct {
	Rounds int
	Table  string
}

// report returns the document. The same measurements give the same bytes.
func (m *measurements) report() (string, error) {
	p := page{Conditions: m.conditions(), Command: m.command(), Charts: m.charts()}
	all := &bench.Report{}
	for _, r := range m.Catalog {
		all.Bounds = append(all.Bounds, r.Bounds...)
	}
	if bounds, held := all.BoundsTable(); len(bounds.Rows) > 0 {
		p.Bounds = &boundsPage{held, len(bounds.Rows), markdown(bounds)}
	}
	for _, r := range m.sizes() {
		p.Sizes = append(p.Sizes, sizePage{rpc.Grouped(r.Size), bench.Bytes(r.CatalogBytes).String(), markdown(r.Table())})
	}
	if len(m.Peers) > 0 {
		p.Peers = &peersPage{rounds, m.peers()}
	}
	var text strings.Builder
	err := template.Must(template.New("report").Parse(reportTemplate)).Execute(&text, p)
	return text.String(), err
}

// conditions says when and on what it was measured.
func (m *measurements) conditions() string {
	or := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		return text
	}
	r := m.Catalog[0]
	repetitions := fmt.Sprint(r.Iterations)
	if r.Runs > 1 {
		repetitions += fmt.Sprintf(" in each of %d runs, of which the median counts", r.Runs)
	}
	return markdown(bench.Table{Heading: []string{"", ""}, Rows: [][]string{
		{"date", m.date().Format("2 January 2006")},
		{"processor", fmt.Sprintf("%s, %d logical", or(m.Machine.CPU, m.Machine.Arch), m.Machine.CPUs)},
		{"memory", m.Machine.Memory.String()},
		{"system", fmt.Sprintf("%s, %s/%s", or(m.Machine.System, "unknown"), m.Machine.OS, m.Machine.Arch)},
		{"Go", strings.TrimPrefix(r.GoVersion, "go")},
		{"times each is done", repetitions},
	}})
}

// peers returns a table of all contenders.
func (m *measurements) peers() string {
	t := bench.Table{
		Heading: []string{"entries", "", "index built in", "held", "rare", "absent", "common", "common in entries"},
		Numbers: []int{2, 3, 4, 5, 6, 7},
	}
	for _, c := range m.Peers {
		for _, one := range c.Contenders {
			row := []string{rpc.Grouped(c.Size), strings.TrimSpace(one.Name + " " + one.Version), one.Build.String(), one.Holds.String()}
			common := ""
			for _, s := range one.Searches {
				row = append(row, s.P50.String())
				common = rpc.Grouped(s.Count)
			}
			if one.Missing != "" {
				row = append(row[:1], one.Name+": "+one.Missing, "", "", "", "", "")
			}
			t.Rows = append(t.Rows, append(row, common))
		}
	}
	return markdown(t)
}

// markdown writes a table in Markdown. What was not measured is a dash, a miss is bold.
func markdown(t bench.Table) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.Heading)
	for i := range t.Heading {
		if slices.Contains(t.Numbers, i) {
			b.WriteString("|---:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		cells := slices.Clone(row)
		for i, cell := range cells {
			if cell == "" {
				cells[i] = "–"
			} else if strings.HasPrefix(cell, "misses by ") {
				cells[i] = "**" + cell + "**"
			}
		}
		line(cells)
	}
	return b.String()
}
