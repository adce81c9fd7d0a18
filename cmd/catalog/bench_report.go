package main

import (
	"fmt"
	"strconv"

	"instruction-catalog/bench"
)

func (a *app) printReport(report *bench.Report) {
	a.printFact("", "%s, %s/%s, %d CPUs, medians of %s, %d iterations, milliseconds",
		report.GoVersion, report.OS, report.Arch, report.CPUs, count(report.Runs, "run", "runs"), report.Iterations)
	for i := range report.Results {
		a.printResult(&report.Results[i])
	}
	a.printBounds(report.Bounds)
	if report.Comparison != nil {
		a.printComparison(report.Comparison)
	}
}

func (a *app) printResult(r *bench.Result) {
	fmt.Fprintln(a.stdout)
	a.printFact("", "%s, %.1f MB, a %s of %d bytes an entry",
		count(r.Size, "entry", "entries"), float64(r.CatalogBytes)/1e6, r.Form, r.EntryBytes)
	if r.StartMs > 0 {
		a.printFact("  ", "process start to answer %.1f (floor %.1f); to first answer from the catalog %.1f, %.2f of reading and hashing (%.1f)",
			r.StartMs, r.FloorStartMs, r.FirstAnswerMs, r.FirstAnswerRatio, r.ReadAndHashMs)
	}
	if r.InitializeMs > 0 {
		a.printFact("  ", "process start to initialize %.1f; the search after the first answer %.2f, a ranked one %.2f",
			r.InitializeMs, r.FirstSearchMs, r.FirstRankedMs)
	}
	if r.PeakMemoryBytes > 0 {
		a.printFact("  ", "peak memory of the server %.1f MB", float64(r.PeakMemoryBytes)/1e6)
	}
	memory := ""
	if r.ProcessPeakMemoryBytes > 0 {
		memory = fmt.Sprintf(", peak memory %.1f MB", float64(r.ProcessPeakMemoryBytes)/1e6)
	}
	a.printFact("  ", "in process: load %.1f, index %.1f%s", r.LoadMs, r.IndexMs, memory)
	fmt.Fprintln(a.stdout)
	a.printTable(operations(r.Operations))
}

// printFact prints a sentence on as many lines as it takes.
func (a *app) printFact(margin, format string, args ...any) {
	fmt.Fprintln(a.stdout, a.screen.wrap(fmt.Sprintf(format, args...), margin))
}

// operations are the figures of each operation, in milliseconds, beside those of
// its floor.
func operations(all []bench.Operation) table {
	t := table{
		heading: []string{"OPERATION", "OVER", "P50", "P95", "MAX", "BYTES", "FLOOR P50", "FLOOR P95", "R P50", "R P95"},
		numbers: []int{2, 3, 4, 5, 6, 7, 8, 9}, spare: []int{4, 5, 7, 6, 3, 8, 1, 2},
	}
	for _, o := range all {
		row := []string{o.Name, string(o.Transport), figure(o.P50, 4), figure(o.P95, 4), figure(o.Max, 4), strconv.Itoa(o.AnswerBytes)}
		if o.Floor != "" {
			row = append(row, figure(o.FloorP50, 3), figure(o.FloorP95, 3), figure(o.RatioP50, 2), figure(o.Ratio, 2))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func figure[N ~float64](value N, digits int) string {
	return strconv.FormatFloat(float64(value), 'f', digits, 64)
}

// printBounds prints what is promised, and whether it holds.
func (a *app) printBounds(bounds []bench.Verdict) {
	if len(bounds) == 0 {
		return
	}
	met := 0
	t := table{
		heading: []string{"ENTRIES", "OVER", "BOUND ON", "FIGURE", "FOUND", "AT MOST", ""},
		numbers: []int{0, 4, 5}, spare: []int{1, 3, 0, 5},
		paint: a.paintVerdict,
	}
	for _, v := range bounds {
		verdict := "PASS"
		if v.Pass {
			met++
		} else {
			verdict = fmt.Sprintf("misses by %.2f×", v.Miss())
		}
		t.rows = append(t.rows, []string{
			strconv.Itoa(v.Size), string(v.Transport), v.Operation, v.Statistic.String(),
			v.Statistic.Format(v.Value), v.Statistic.Format(v.Bound), verdict,
		})
	}
	fmt.Fprintln(a.stdout)
	a.printTable(t)
	fmt.Fprintf(a.stdout, "\nBounds that hold: %d of %d\n", met, len(bounds))
}

// paintVerdict shows in colours whether a bound holds.
func (a *app) paintVerdict(column int, cell string) string {
	switch {
	case column != 6:
		return cell
	case cell == "PASS":
		return a.screen.paint(cell, green)
	}
	return a.screen.paint(cell, red)
}

// printComparison prints what moved since the baseline, the worse first.
func (a *app) printComparison(c *bench.Comparison) {
	fmt.Fprintf(a.stdout, "\nBeside the baseline %d of %s moved by more than noise.\n", len(c.Moves), count(c.Compared, "figure", "figures"))
	for _, d := range c.Differences {
		fmt.Fprintf(a.stdout, "  Mind that %s.\n", oneLine(d))
	}
	if len(c.Moves) == 0 {
		return
	}
	t := table{
		heading: []string{"ENTRIES", "OVER", "OPERATION", "FIGURE", "WAS", "IS", ""},
		numbers: []int{0, 4, 5}, spare: []int{1, 3, 0, 4},
	}
	for _, worse := range []bool{true, false} {
		for _, m := range c.Moves {
			if m.Worse() == worse {
				t.rows = append(t.rows, []string{
					strconv.Itoa(m.Size), string(m.Transport), m.Operation, m.Statistic.String(),
					m.Statistic.Format(m.Was), m.Statistic.Format(m.Is), change(m),
				})
			}
		}
	}
	a.printTable(t)
}

func change(m bench.Move) string {
	if m.Worse() {
		return fmt.Sprintf("worse, %.2f×", m.Change)
	}
	return fmt.Sprintf("better, %.2f×", m.Change)
}
