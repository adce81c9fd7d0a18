// Peers writes docs/BENCHMARKS.md. It reports how fast the catalog answers at each
// size, whether it keeps the promised bounds, how the times grow, and how they compare
// with ripgrep and SQLite's full-text search over the same texts.
//
// Run it from the root of the repository:
//
//	go -C bench/peers run .
//
// It builds the program, runs its benchmark ("catalog bench"), measures the peers,
// draws the charts, and writes the charts and the measurements to docs/benchmarks. To
// write the report again from these measurements, run
//
//	go -C bench/peers run . --render
//
// Data flows in one direction:
//
//	results of catalog bench + peers + machine → measurements → charts, report
//
// Peers is a separate Go module, so that the product depends on neither a database nor
// a plotting library. It does not decide what is fast enough: bounds and verdicts come
// with the results.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"instruction-catalog/rpc"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "peers: "+err.Error())
		os.Exit(1)
	}
}

// options holds the values of the flags.
type options struct {
	sizes      []int
	iterations int
	render     bool
	out        string
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	m, err := o.measurements(ctx, stderr)
	if err != nil {
		return err
	}
	return m.write(o.out)
}

func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{sizes: []int{100, 1000, 5000, 100_000, 1_000_000}}
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Func("sizes", "measure catalogs of so many entries, separated by commas (100,1000,5000,100000,1000000);\n"+
		"over the pipe and beside the peers up to 100000", func(text string) (err error) {
		o.sizes, err = parseSizes(text)
		return err
	})
	flags.IntVar(&o.iterations, "iterations", 200, "have catalog bench repeat each operation this many times")
	flags.BoolVar(&o.render, "render", false, "measure nothing: make the report of the measurements beside it")
	flags.StringVar(&o.out, "out", filepath.Join(root, "docs"), "write into this `folder`")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is no option: --help lists them", flags.Arg(0))
	}
	return o, nil
}

func parseSizes(text string) ([]int, error) {
	var sizes []int
	for size := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no number of entries", size)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// measurements runs the measurements, or reads earlier ones if --render is given.
func (o *options) measurements(ctx context.Context, stderr io.Writer) (*measurements, error) {
	if o.render {
		return readMeasurements(filepath.Join(o.out, chartsFolder, measurementsName))
	}
	m := &measurements{Machine: thisMachine()}
	var err error
	if m.Catalog, err = measureCatalog(ctx, o.sizes, o.iterations, stderr); err != nil {
		return nil, err
	}
	return m, m.measurePeers(ctx, stderr)
}

// maxBesidePeers is the largest catalog, in entries, that the peers are measured on.
// With a million entries SQLite takes minutes and gigabytes.
const maxBesidePeers = 100_000

func (m *measurements) measurePeers(ctx context.Context, stderr io.Writer) error {
	for _, r := range m.Sizes() {
		if r.Size > maxBesidePeers {
			continue
		}
		found, err := compare(ctx, r.Size, func(next string) { fmt.Fprintf(stderr, "peers: %s entries: %s\n", rpc.Grouped(r.Size), next) })
		if err != nil {
			return err
		}
		m.Peers = append(m.Peers, *found)
	}
	return nil
}
