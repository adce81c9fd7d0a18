package main

import (
	_ "embed"
	"slices"
	"strings"
	"text/template"

	"instruction-catalog/bench"
	"instruction-catalog/rpc"
)

// chartsFolder is the folder of charts and measurements, beside the report.
const chartsFolder = "benchmarks"

//go:embed report.md.tmpl
var reportText string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"grouped": rpc.Grouped, "markdown": markdown, "rounds": func() int { return rounds },
	"bytes":     func(n int64) bench.Bytes { return bench.Bytes(n) },
	"goVersion": func(name string) string { return strings.TrimPrefix(name, "go") },
}).Parse(reportText))

// report returns the Markdown document. The same measurements always give the same
// bytes.
func (m *measurements) report() (string, error) {
	var text strings.Builder
	err := reportTemplate.Execute(&text, m)
	return text.String(), err
}

// verdicts holds the bounds table of all runs and the number of bounds that hold.
type verdicts struct {
	Held  int
	Table bench.Table
}

// Bounds returns the verdicts, or nil if no bound applies to the measured sizes.
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

// markdown formats a table as Markdown. An empty cell becomes a dash, and a missed
// bound is bold.
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
