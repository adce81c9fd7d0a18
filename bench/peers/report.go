package main

import (
	_ "embed"
	"slices"
	"strings"
	"text/template"

	"instruction-catalog/bench"
	"instruction-catalog/rpc"
)

// chartsFolder is where the charts and the measurements are, beside the report.
const chartsFolder = "benchmarks"

//go:embed report.md.tmpl
var reportText string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"grouped": rpc.Grouped, "markdown": markdown, "rounds": func() int { return rounds },
	"bytes":     func(n int64) bench.Bytes { return bench.Bytes(n) },
	"goVersion": func(name string) string { return strings.TrimPrefix(name, "go") },
}).Parse(reportText))

// report returns the document. The same measurements give the same bytes.
func (m *measurements) report() (string, error) {
	var text strings.Builder
	err := reportTemplate.Execute(&text, m)
	return text.String(), err
}

// verdicts are those of all runs.
type verdicts struct {
	Held  int
	Table bench.Table
}

// Bounds returns the verdicts, or nil if nothing is promised of these sizes.
func (m *measurements) Bounds() *verdicts {
	all := &bench.Report{}
	for _, r := range m.Catalog {
		all.Bounds = append(all.Bounds, r.Bounds...)
	}
	if table, held := all.BoundsTable(); len(table.Rows) > 0 {
		return &verdicts{held, table}
	}
	return nil
}

// markdown writes a table in Markdown. A figure that was not measured is a dash, a miss is bold.
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
