package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"instruction-catalog/bench"
	"instruction-catalog/catalog/files"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas/jsonscan"
)

func (a *app) benchCommand() *cobra.Command {
	var config bench.Config
	var out, baseline string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast the server answers",
		Long: `Measures how fast the server answers. For each size it generates a catalog in a
temporary folder, starts "catalog serve" on it, asks over the pipe, then asks the
same in process. --dir is not looked at. Every answer is checked: a wrong one ends
the run.

Catalogs of up to 99,999 entries are folders of files of 1.8 KB on average; larger
ones are bundles of 1 KB an entry. Over the pipe 100,000 entries are the most, with
--in-process 1,000,000.

Beside each figure stands its floor, the least that any program would need,
measured in turn with it: a process that only answers as many bytes; for what
has to look at every file, a loop that only reads and hashes them, one after the
other. Before each request there is a pause of 0.3 ms, as with an editor. The
ratios are p50 and p95 divided by those of the floor. In process an
answer from memory has no floor; "dispatch" is what each call there costs before
and after its method. "track on disk" has its count on disk before it answers,
and its floor is a line appended to a file and synced. Times are in milliseconds.

Of folders with 20 entries or more it also edits files, and puts them back.
"notified" is from when a file is written until a subscriber is told; "reload" is what
the server itself does of that, in process; "diff since" asks what ten edits have
changed. The floor of "search while 2,000 change" (or two files of five) is the
same search while none does.

What has a short answer is done ten times as often as --iterations says, and
what reads all files a tenth as often; but nothing for longer than two seconds, once
it was done five times.
All of it is done --runs times, with a new server each time, on the same catalog;
every figure is the median of what the runs found. At the start standard error says
how long it will take, which is about a quarter of an hour for all three sizes, and
shows from then on how far it is.

Bounds are what this program promises of its speed and memory at certain sizes.
Those of the sizes that were measured are listed with what was found, PASS, or by
what factor it misses. A miss is a finding and no error: the exit code stays 0.

--baseline compares with a result that an earlier --out wrote: ratios where there
is a floor, else times, which also depend on what else the machine has to do.
Listed is what moved by more than noise: by a quarter, and so far that no run of
the one result lies among those of the other.`,
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
	flags.IntSliceVar(&config.Sizes, "sizes", []int{100, 1000, 5000}, "measure catalogs of so many entries")
	flags.IntVar(&config.Iterations, "iterations", 100, "do each thing this often")
	flags.IntVar(&config.Runs, "runs", 3, "do everything this often, and report medians")
	flags.BoolVar(&config.InProcess, "in-process", false, "ask in process only, not over the pipe")
	flags.StringVar(&baseline, "baseline", "", "compare with the earlier result in this `file`")
	flags.StringVar(&out, "out", "", "write the result as JSON to this `file`, too")
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

// maxResult is how large a result file may be, in bytes.
const maxResult = 16 << 20

// readBaseline reads an earlier result, or none where no path is given.
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

// runBench completes the configuration: the children are this same program.
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
	config.Open = func(path string) (*bench.Local, error) {
		generated := &app{env: a.env, stderr: a.stderr, dir: path, usage: usageFlags{file: inMemory}}
		toolset, err := generated.instructions()
		if err != nil {
			return nil, err
		}
		registry, err := generated.registryOf(toolset.Toolset())
		if err != nil {
			return nil, err
		}
		return &bench.Local{Registry: registry, BuildIndex: toolset.BuildIndex}, nil
	}
	config.Empty = func() *rpc.Registry { return rpc.NewRegistry(a.logger(), time.Now) }
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

// floorCommand is what "catalog bench" compares the server to. It is hidden:
// nobody else has a use for it.
func (a *app) floorCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "floor",
		Short:  "Answer each line with as many bytes as it says",
		Hidden: true,
		Args:   arguments(0, 0),
		RunE:   func(*cobra.Command, []string) error { return bench.ServeFloor(a.stdin, a.stdout) },
	}
}
