package main

import (
	"fmt"
	"strconv"

	"instruction-catalog/bench"
)

func (a *app) printReport(report *bench.Report) {
	fmt.Fprintf(a.stdout, "%s, %s/%s, %d CPUs, medians of %s, %d iterations, milliseconds\n",
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
	fmt.Fprintf(a.stdout, "\n%s, %.1f MB, a %s of %d bytes an entry\n",
		count(r.Size, "entry", "entries"), float64(r.CatalogBytes)/1e6, r.Form, r.EntryBytes)
	if r.StartMs > 0 {
		fmt.Fprintf(a.stdout, "  process start to answer %.1f (floor %.1f); to first answer from the catalog %.1f, %.2f of reading and hashing (%.1f)\n",
			r.StartMs, r.FloorStartMs, r.FirstAnswerMs, r.FirstAnswerRatio, r.ReadAndHashMs)
	}
	if r.InitializeMs > 0 {
		fmt.Fprintf(a.stdout, "  process start to initialize %.1f; the search after the first answer %.2f, a ranked one %.2f\n",
			r.InitializeMs, r.FirstSearchMs, r.FirstRankedMs)
	}
	if r.PeakMemoryBytes > 0 {
		fmt.Fprintf(a.stdout, "  peak memory of the server %.1f MB\n", float64(r.PeakMemoryBytes)/1e6)
	}
	fmt.Fprintf(a.stdout, "  in process: load %.1f, index %.1f", r.LoadMs, r.IndexMs)
	if r.ProcessPeakMemoryBytes > 0 {
		fmt.Fprintf(a.stdout, ", peak memory %.1f MB", float64(r.ProcessPeakMemoryBytes)/1e6)
	}
	fmt.Fprintf(a.stdout, "\n\n  %-27s %-7s %9s %9s %9s %9s %9s %6s %6s %10s\n",
		"OPERATION", "OVER", "P50", "P95", "MAX", "FLOOR P50", "FLOOR P95", "R P50", "R P95", "BYTES")
	for _, o := range r.Operations {
		floor := fmt.Sprintf("%9s %9s %6s %6s", "", "", "", "")
		if o.Floor != "" {
			floor = fmt.Sprintf("%9.3f %9.3f %6.2f %6.2f", o.FloorP50, o.FloorP95, o.RatioP50, o.Ratio)
		}
		fmt.Fprintf(a.stdout, "  %-27s %-7s %9.4f %9.4f %9.4f %s %10d\n",
			o.Name, o.Transport, o.P50, o.P95, o.Max, floor, o.AnswerBytes)
	}
}

// printBounds prints what is promised, and whether it holds.
func (a *app) printBounds(bounds []bench.Verdict) {
	if len(bounds) == 0 {
		return
	}
	met := 0
	rows := [][]string{{"ENTRIES", "OVER", "BOUND ON", "FIGURE", "FOUND", "AT MOST", ""}}
	for _, v := range bounds {
		verdict := "PASS"
		if v.Pass {
			met++
		} else {
			verdict = fmt.Sprintf("misses by %.2f×", v.Miss())
		}
		rows = append(rows, []string{
			strconv.Itoa(v.Size), string(v.Transport), v.Operation, v.Statistic.String(),
			v.Statistic.Format(v.Value), v.Statistic.Format(v.Bound), verdict,
		})
	}
	fmt.Fprintln(a.stdout)
	printTable(a.stdout, rows...)
	fmt.Fprintf(a.stdout, "\nBounds that hold: %d of %d\n", met, len(bounds))
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
	rows := [][]string{{"ENTRIES", "OVER", "OPERATION", "FIGURE", "WAS", "IS", ""}}
	for _, worse := range []bool{true, false} {
		for _, m := range c.Moves {
			if m.Worse() == worse {
				rows = append(rows, []string{
					strconv.Itoa(m.Size), string(m.Transport), m.Operation, m.Statistic.String(),
					m.Statistic.Format(m.Was), m.Statistic.Format(m.Is), change(m),
				})
			}
		}
	}
	printTable(a.stdout, rows...)
}

func change(m bench.Move) string {
	if m.Worse() {
		return fmt.Sprintf("worse, %.2f×", m.Change)
	}
	return fmt.Sprintf("better, %.2f×", m.Change)
}
