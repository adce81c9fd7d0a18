package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"instruction-catalog/bench"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/usage"
	"instruction-catalog/schemas/jsonscan"
)

func (a *app) benchCommand() *cobra.Command {
	var config bench.Config
	var out, baseline string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast the server answers",
		Long: `Measures how fast the server answers. For each size it generates a catalog in a
temporary folder, starts "catalog serve" on it, sends requests over the pipe, then
makes the same calls in process. --dir is ignored. Every answer is checked: a wrong
one ends the run.

A catalog of up to 99,999 entries is a folder of files of 1.8 KB on average; a
larger one is a bundle with 1 KB an entry. The maximum is 100,000 entries over the
pipe, and 1,000,000 with --in-process.

Each figure is shown beside its floor, the least that any program would need. The
floor is measured alternately with it: a process that only answers as many bytes;
for operations that read every file, a loop that only reads and hashes the files; for
"track on disk", a line appended to a file and synced. "r p50" and "r p95" are the
ratios to the floor. Before each request the client waits 0.3 ms, as an editor would.
In process, an answer from memory has no floor.

Operations with a short answer are repeated ten times --iterations, and those that
read every file a tenth of it; after five repetitions, each stops after two seconds.
Everything is run --runs times on the same catalog, with a new server each time, and
every figure is the median of the runs. Standard error first shows how long this
takes, which is about a quarter of an hour for all three sizes, and then the progress.

Bounds are the speed and memory that this program promises at certain sizes: 5,000,
100,000 and 1,000,000 entries. Each is listed with the measured value and PASS, or
the factor by which it is missed. A missed bound is not an error: the exit code
stays 0.

--baseline compares with a result that an earlier --out wrote: ratios to the floor,
and times and memory where there is no floor. It lists each figure that changed by
more than noise: rises of more than a quarter and drops of more than a fifth, with all runs of one result
above all runs of the other.`,
		Example: `  catalog bench --sizes 5000 --out bench.json
  catalog bench --sizes 5000 --baseline bench.json
  catalog bench --in-process --sizes 1000000`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return a.bench(ctx, config, baseline, out)
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&config.Sizes, "sizes", []int{100, 1000, 5000}, "measure catalogs with this many entries")
	flags.IntVar(&config.Iterations, "iterations", 100, "repeat each operation this many times")
	flags.IntVar(&config.Runs, "runs", 3, "repeat everything this many times, and report medians")
	flags.BoolVar(&config.InProcess, "in-process", false, "measure in process only, not over the pipe")
	flags.StringVar(&baseline, "baseline", "", "compare with the earlier result in this `file`")
	flags.StringVar(&out, "out", "", "also write the result as JSON to this `file`")
	return cmd
}

func (a *app) bench(ctx context.Context, config bench.Config, baseline, out string) error {
	if err := config.Check(); err != nil {
		return err
	}
	earlier, err := readBaseline(baseline)
	if err != nil {
		return err
	}
	file, err := createResult(out)
	if err != nil {
		return err
	}
	defer file.discard()
	report, err := a.runBench(ctx, config)
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted: there is no result, and the generated catalog was removed")
	}
	if err != nil {
		return err
	}
	if earlier != nil {
		report.Comparison = report.Compare(earlier)
	}
	encoded, err := jsonscan.Encode(report)
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

// maxResult is the maximum size of a result file, in bytes.
const maxResult = 16 << 20

// readBaseline reads an earlier result. It returns nil if no path is given.
func readBaseline(path string) (*bench.Report, error) {
	if path == "" {
		return nil, nil
	}
	file, err := files.Read(path, maxResult)
	if err == nil {
		var report *bench.Report
		if report, err = bench.ParseReport(file.Data); err == nil {
			return report, nil
		}
	}
	return nil, fmt.Errorf("--baseline: %s: %w: name a file that \"catalog bench --out\" wrote", path, files.Cause(err))
}

// runBench completes the configuration and runs the benchmark. Its child processes run
// this same program.
func (a *app) runBench(ctx context.Context, config bench.Config) (*bench.Report, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the program to start as a server: %w", err)
	}
	self := func(args ...string) bench.Command {
		return bench.Command{Path: program, Args: append([]string{"catalog"}, args...)}
	}
	config.Server = func(path string) bench.Command { return self("serve", "--dir", path, "--usage", inMemory) }
	config.Floor = self("floor")
	config.Open = func(path, journal string) (*bench.Local, error) {
		generated := &app{env: a.env, stderr: a.stderr, dir: path, usage: usageFlags{cmp.Or(journal, inMemory), string(usage.SyncAlways)}}
		toolset, err := generated.instructions("")
		if err != nil {
			return nil, err
		}
		registry, err := generated.registryOf(toolset.Toolset())
		if err != nil {
			return nil, err
		}
		return &bench.Local{Registry: registry, BuildIndex: toolset.BuildIndex}, nil
	}
	a.tell("catalog: measuring takes about %s, longer on a busy machine", roughly(config.Estimate()))
	if a.showsProgress() {
		bar := a.newProgress()
		defer bar.finish()
		config.Progress = bar.show
	} else {
		config.Progress = a.telling(time.Now)
	}
	return bench.Run(ctx, config)
}

// floorCommand returns the command with which "catalog bench" compares the server. It
// is hidden because it has no other use.
func (a *app) floorCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "floor",
		Short:  "Answer each line with the number of bytes that it names",
		Hidden: true,
		Args:   arguments(0, 0),
		RunE:   func(*cobra.Command, []string) error { return bench.ServeFloor(a.stdin, a.stdout) },
	}
}

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
		fmt.Fprintf(a.stdout, "\nCompared with the baseline, %d of %s changed by more than noise.\n", len(c.Moves), count(c.Compared, "figure", "figures"))
		for _, d := range c.Differences {
			fmt.Fprintf(a.stdout, "  Note that %s.\n", oneLine(d))
		}
		if len(c.Moves) > 0 {
			a.printBenchTable(c.Table(), 1, 3, 0, 4)
		}
	}
}

// printFact prints a sentence, wrapped to the width of the screen.
func (a *app) printFact(format string, args ...any) {
	fmt.Fprintln(a.stdout, a.screen.wrap(fmt.Sprintf(format, args...), ""))
}

// printBenchTable prints a table of a report. It omits the spare columns on a narrow
// screen and colours verdicts.
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
