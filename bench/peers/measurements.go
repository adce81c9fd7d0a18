package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"instruction-catalog/bench"
)

// measurements is the input of a report.
type measurements struct {
	Machine machine         `json:"machine"`
	Catalog []*bench.Report `json:"catalog"` // one for each run of catalog bench
	Peers   []comparison    `json:"peers"`   // one for each size
}

// Names of the output files.
const (
	reportName       = "BENCHMARKS.md"
	measurementsName = "measurements.json"
)

// Date returns the time of the latest result.
func (m *measurements) Date() time.Time {
	last := slices.MaxFunc(m.Catalog, func(a, b *bench.Report) int { return a.GeneratedAt.Compare(b.GeneratedAt) })
	return last.GeneratedAt.UTC()
}

// Sizes returns all results sorted by size. If several have the same size, charts use
// the first.
func (m *measurements) Sizes() []*bench.Result {
	var all []*bench.Result
	for _, r := range m.Catalog {
		for i := range r.Results {
			all = append(all, &r.Results[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *bench.Result) int { return a.Size - b.Size })
	return all
}

// Command returns the command that repeats the measurements.
func (m *measurements) Command() string {
	var sizes []string
	for _, r := range m.Sizes() {
		sizes = append(sizes, fmt.Sprint(r.Size))
	}
	return fmt.Sprintf("go -C bench/peers run . --sizes %s --iterations %d", strings.Join(slices.Compact(sizes), ","), m.Catalog[0].Iterations)
}

func readMeasurements(path string) (*measurements, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &measurements{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(m.Catalog) == 0 {
		return nil, fmt.Errorf("%s has no results of catalog bench: measure anew", path)
	}
	return m, nil
}

// files returns the contents of the output files by path below the documents folder.
func (m *measurements) files() (map[string][]byte, error) {
	encoded, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, err
	}
	report, err := m.report()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		reportName: []byte(report),
		filepath.Join(chartsFolder, measurementsName): append(encoded, '\n'),
	}
	for _, c := range m.charts() {
		if files[filepath.Join(chartsFolder, c.File+".svg")], err = c.svg(); err != nil {
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

// machine describes the machine that was measured. Unknown fields are empty.
type machine struct {
	CPU       string      `json:"cpu,omitempty"`
	CPUs      int         `json:"cpus"`
	Memory    bench.Bytes `json:"memoryBytes,omitempty"`
	System    string      `json:"system,omitempty"` // such as "Debian GNU/Linux 12 (bookworm)"
	OS        string      `json:"os"`
	Arch      string      `json:"arch"`
	GoVersion string      `json:"goVersion"`
}

// thisMachine describes this machine. It reads what the Go runtime does not know from
// files of Linux. Those fields are empty on other systems.
func thisMachine() machine {
	var memory bench.Bytes
	_, _ = fmt.Sscanf(field("/proc/meminfo", "MemTotal", ":"), "%d kB", &memory)
	return machine{
		CPU: field("/proc/cpuinfo", "model name", ":"), CPUs: runtime.NumCPU(),
		Memory: memory << 10,
		System: strings.Trim(field("/etc/os-release", "PRETTY_NAME", "="), `"`),
		OS:     runtime.GOOS, Arch: runtime.GOARCH, GoVersion: runtime.Version(),
	}
}

// field returns the value of the first line of a file that has the key, or "" if no
// line has it or the file cannot be read.
func field(path, key, separator string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, separator); ok && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// root is the root of the repository, relative to this folder, where "go run" runs.
const root = "../.."

// measureCatalog builds the program like a release, runs its benchmark and returns the
// reports.
func measureCatalog(ctx context.Context, sizes []int, iterations int, stderr io.Writer) (all []*bench.Report, err error) {
	dir, err := os.MkdirTemp("", "catalog-peers-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	program := filepath.Join(dir, "catalog.exe") // Windows needs the extension
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/catalog")
	build.Dir, build.Stderr, build.Env = root, stderr, append(os.Environ(), "CGO_ENABLED=0")
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build the program (go -C bench/peers run . stands in the right folder): %w", err)
	}
	for _, run := range splitSizes(sizes) {
		out := filepath.Join(dir, "results.json")
		args := append([]string{"bench", "--iterations", strconv.Itoa(iterations), "--out", out}, run...)
		fmt.Fprintf(stderr, "catalog %s\n", strings.Join(append(args[:3:3], run...), " "))
		measure := exec.CommandContext(ctx, program, args...)
		measure.Stderr = stderr
		if err := measure.Run(); err != nil {
			return nil, fmt.Errorf("catalog bench: %w", err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			return nil, err
		}
		r, err := bench.ParseReport(data)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// splitSizes returns the arguments of each run of catalog bench. Catalogs larger than
// bench.MaxPipeSize are measured in a separate run, in process only.
func splitSizes(sizes []int) (runs [][]string) {
	for _, inProcess := range []bool{false, true} {
		var of []string
		for _, size := range sizes {
			if inProcess == (size > bench.MaxPipeSize) {
				of = append(of, strconv.Itoa(size))
			}
		}
		args := []string{"--sizes", strings.Join(of, ",")}
		if inProcess {
			args = append([]string{"--in-process"}, args...)
		}
		if of != nil {
			runs = append(runs, args)
		}
	}
	return runs
}
