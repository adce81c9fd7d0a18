package main

import (
	"fmt"
	"strings"

	"instruction-catalog/bench"
)

func (a *app) printReport(report *bench.Report) {
	a.printFact("%s, %s/%s, %d CPUs, medians of %s, %d iterations",
		report.GoVersion, report.OS, report.Arch, report.CPUs, count(report.Runs, "run", "runs"), report.Iterations)
	for i := range report.Results {
		r := &report.Results[i]
		fmt.Fprintln(a.stdout)
		a.printFact("%s, %s, a %s of %d bytes an entry", count(r.Size, "entry", "entries"), bench.Bytes(r.CatalogBytes), r.Form, r.EntryBytes)
		a.printBenchTable(r.Table(), 4, 7, 6, 9, 3, 8, 5, 1, 2)
	}
	if bounds, held := report.BoundsTable(); len(bounds.Rows) > 0 {
		fmt.Fprintln(a.stdout)
		a.printBenchTable(bounds, 1, 3, 0, 5)
		fmt.Fprintf(a.stdout, "\nBounds that hold: %d of %d\n", held, len(bounds.Rows))
	}
	if c := report.Comparison; c != nil {
		fmt.Fprintf(a.stdout, "\nBeside the baseline %d of %s moved by more than noise.\n", len(c.Moves), count(c.Compared, "figure", "figures"))
		for _, d := range c.Differences {
			fmt.Fprintf(a.stdout, "  Note that %s.\n", oneLine(d))
		}
		if len(c.Moves) > 0 {
			a.printBenchTable(c.Table(), 1, 3, 0, 4)
		}
	}
}

// printFact prints a sentence on as many lines as it takes.
func (a *app) printFact(format string, args ...any) {
	fmt.Fprintln(a.stdout, a.screen.wrap(fmt.Sprintf(format, args...), ""))
}

// printBenchTable prints a table of a report. A narrow screen goes without the spare
// columns. What comes last is a verdict, if it is not a figure.
func (a *app) printBenchTable(of bench.Table, spare ...int) {
	t := table{heading: strings.Split(strings.ToUpper(strings.Join(of.Heading, "\n")), "\n"), rows: of.Rows, numbers: of.Numbers, spare: spare}
	t.paint = func(_ int, cell string) string {
		switch {
		case cell == "PASS":
			return a.screen.paint(cell, green)
		case strings.HasPrefix(cell, "misses by "):
			return a.screen.paint(cell, red)
		}
		return cell
	}
	a.printTable(t)
}
