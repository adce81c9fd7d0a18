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

// options are what a person chooses.
type options struct {
	sizes      []int
	iterations int
	from       []string // result files of catalog bench
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
	flags.IntVar(&o.iterations, "iterations", 200, "have catalog bench do each thing this often")
	flags.Func("from", "take the results that catalog bench wrote to these files, separated by commas,\ninstead of running it",
		func(text string) error { o.from = strings.Split(text, ","); return nil })
	flags.BoolVar(&o.render, "render", false, "measure nothing: make the report of the measurements that stand beside it")
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

// measurements measures, or reads what was measured.
func (o *options) measurements(ctx context.Context, stderr io.Writer) (*measurements, error) {
	if o.render {
		return readMeasurements(filepath.Join(o.out, chartsFolder, measurementsName))
	}
	m := &measurements{Machine: thisMachine()}
	var err error
	if o.from == nil {
		m.Catalog, err = measureCatalog(ctx, o.sizes, o.iterations, stderr)
	} else {
		m.Catalog, err = m.Machine.readAll(o.from)
	}
	if err != nil {
		return nil, err
	}
	return m, m.measurePeers(ctx, stderr)
}

// readAll reads result files of this machine.
func (m *machine) readAll(paths []string) (all []*results, err error) {
	for _, path := range paths {
		r, err := readResults(path)
		if err == nil {
			err = m.check(r)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// maxBesidePeers is the largest catalog that the peers are measured on, in
// entries: with a million SQLite takes minutes and gigabytes.
const maxBesidePeers = 100_000

func (m *measurements) measurePeers(ctx context.Context, stderr io.Writer) error {
	last := 0
	for _, r := range m.sizes() {
		if r.Size == last || r.Size > maxBesidePeers {
			continue
		}
		last = r.Size
		found, err := compare(ctx, r.Size, func(next string) { fmt.Fprintf(stderr, "peers: %s entries: %s\n", rpc.Grouped(r.Size), next) })
		if err != nil {
			return err
		}
		m.Peers = append(m.Peers, *found)
	}
	return nil
}

// Names of what is written.
const (
	reportName       = "BENCHMARKS.md"
	measurementsName = "measurements.json"
)

// files returns what is written, by its path below the folder of the documents.
func (m *measurements) files() (map[string][]byte, error) {
	encoded, err := m.encode()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		reportName: []byte(m.report()),
		filepath.Join(chartsFolder, measurementsName): encoded,
	}
	for _, c := range m.charts() {
		if files[filepath.Join(chartsFolder, c.file+".svg")], err = c.svg(); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (m *measurements) write(dir string) error {
	files, err := m.files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, chartsFolder), 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
