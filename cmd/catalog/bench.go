package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"instruction-catalog/bench"
	"instruction-catalog/rpc"
)

func (a *app) benchCommand() *cobra.Command {
	var sizes []int
	var iterations int
	var out string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast the server answers",
		Long: `Measures how fast the server answers. For each size it generates a catalog in a
temporary folder, starts "catalog serve" on it, asks over the pipe, then asks the
same in process. --dir is not looked at.

Beside each figure stands its floor, the least that any program would need,
measured in turn with it: a process that only answers as many bytes; for what
has to look at every file, a loop that only reads and hashes them. RATIO is p95
divided by the floor's p95. Times are in milliseconds.

What has a short answer is done ten times as often as --iterations says, what
reads all files a tenth as often.`,
		Example: `  catalog bench --sizes 5000 --out bench.json`,
		Args:    arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return a.bench(ctx, sizes, iterations, out)
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&sizes, "sizes", []int{100, 1000, 5000}, "measure catalogs of so many entries")
	flags.IntVar(&iterations, "iterations", 200, "do each thing this often")
	flags.StringVar(&out, "out", "", "write the result as JSON to this `file`, too")
	return cmd
}

func (a *app) bench(ctx context.Context, sizes []int, iterations int, out string) error {
	file, err := createResult(out)
	if err != nil {
		return err
	}
	defer file.discard()
	report, err := a.runBench(ctx, bench.Config{Sizes: sizes, Iterations: iterations})
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted: there is no result, and the generated catalog was removed")
	}
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(report)
	if err != nil {
		return err
	}
	if err := file.write(append(encoded, '\n')); err != nil {
		return err
	}
	if a.json {
		a.printJSON(encoded)
		return nil
	}
	a.printReport(report)
	return nil
}

// runBench completes the configuration: the children are this same program.
func (a *app) runBench(ctx context.Context, config bench.Config) (*bench.Report, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the program to start as a server: %w", err)
	}
	self := func(args ...string) bench.Command {
		return bench.Command{Path: program, Args: append([]string{"catalog"}, args...)}
	}
	config.Server = func(dir string) bench.Command { return self("serve", "--dir", dir) }
	config.Floor = self("floor")
	config.Registry = func(dir string) (*rpc.Registry, error) {
		generated := &app{env: a.env, stderr: a.stderr, dir: dir}
		return generated.registry()
	}
	if a.showsProgress() {
		bar := a.newProgress()
		defer bar.finish()
		config.Progress = bar.show
	}
	return bench.Run(ctx, config)
}

func (a *app) printReport(report *bench.Report) {
	fmt.Fprintf(a.stdout, "%s, %s/%s, %d CPUs, %d iterations, milliseconds\n",
		report.GoVersion, report.OS, report.Arch, report.CPUs, report.Iterations)
	for i := range report.Results {
		a.printResult(&report.Results[i])
	}
}

func (a *app) printResult(r *bench.Result) {
	fmt.Fprintf(a.stdout, "\n%s, %.1f MB\n", count(r.Size, "entry", "entries"), float64(r.CatalogBytes)/1e6)
	fmt.Fprintf(a.stdout, "  process start to answer %.1f (floor %.1f); to first answer from the catalog %.1f, %.2f of reading and hashing (%.1f)\n",
		r.StartMs, r.FloorStartMs, r.FirstAnswerMs, r.FirstAnswerRatio, r.ReadAndHashMs)
	if r.PeakMemoryBytes > 0 {
		fmt.Fprintf(a.stdout, "  peak memory %.1f MiB\n", float64(r.PeakMemoryBytes)/(1<<20))
	}
	fmt.Fprintf(a.stdout, "\n  %-15s %-7s %9s %9s %9s %10s %10s %7s %9s\n",
		"OPERATION", "OVER", "P50", "P95", "MAX", "FLOOR P50", "FLOOR P95", "RATIO", "BYTES")
	for _, o := range r.Operations {
		floor := fmt.Sprintf("%10s %10s %7s", "", "", "")
		if o.Floor != "" {
			floor = fmt.Sprintf("%10.3f %10.3f %7.2f", o.FloorP50, o.FloorP95, o.Ratio)
		}
		fmt.Fprintf(a.stdout, "  %-15s %-7s %9.3f %9.3f %9.3f %s %9d\n",
			o.Name, o.Transport, o.P50, o.P95, o.Max, floor, o.AnswerBytes)
	}
}
