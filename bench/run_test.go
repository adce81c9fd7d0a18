package bench

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/rpc/rpctest"
)

func TestRun(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	config := testConfig(t, "serve")
	config.Sizes = []int{20, 1}
	var seen []int
	config.Progress = func(done, total int, _ string) { seen = append(seen, done, total) }
	report, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	if report.Benchmark != "catalog" || report.Iterations != 3 || len(report.Results) != 2 {
		t.Errorf("report %+v", report)
	}
	for i, size := range config.Sizes {
		checkResult(t, size, &report.Results[i])
	}
	steps := len(seen) / 2
	if seen[1] != steps || seen[len(seen)-2] != steps-1 {
		t.Errorf("progress: %d steps were told of, the last as %d of %d", steps, seen[len(seen)-2], seen[1])
	}
	checkRoundTrip(t, report)
	checkEmpty(t, os.TempDir())
}

// checkResult checks what must hold on a machine of any speed.
func checkResult(t *testing.T, size int, r *Result) {
	t.Helper()
	if r.Size != size || r.CatalogBytes < int64(size)*500 {
		t.Errorf("size %d, %d bytes", r.Size, r.CatalogBytes)
	}
	memory := runtime.GOOS == "linux"
	want := 2*questionCount(size) + 6 // three starts, loading, indexing, a count on disk
	if memory {
		want += 2
		checkBounded(t, r)
	}
	if len(r.Operations) != want {
		t.Errorf("size %d: %d operations, want %d", size, len(r.Operations), want)
	}
	for _, o := range r.Operations {
		least, most := 3, 3
		switch {
		case slices.Contains([]string{peakMemory, loading, indexBuild}, o.Name):
			least, most = 1, 1
		case slices.Contains(searches("first page "), o.Name),
			slices.Contains([]string{getOne, trackOne, trackOnDisk, searchRare, searchAbsent, diffByHash, searchRanked, searchRankedCommon}, o.Name):
			least, most = enough, 30 // depends on the duration
		}
		if o.Name == peakMemory {
			if o.Bytes < 1<<20 || o.P50 != 0 || o.Floor != "" {
				t.Errorf("size %d: %+v", size, o)
			}
			continue
		}
		if o.P50 > o.P95 || o.P95 > o.Max || o.P50 <= 0 || o.Iterations < least || o.Iterations > most ||
			o.Bytes < 2 && o.Name != firstSearch && o.Name != indexBuild {
			t.Errorf("size %d: %+v", size, o)
		}
		hasFloor := o.Transport == Pipe && o.Name != firstSearch || o.Name == verifyAll || o.Name == trackOnDisk
		if hasFloor != (o.FloorP95 > 0) || hasFloor != (o.Floor != "") {
			t.Errorf("size %d: floor of %+v", size, o)
		}
	}
	rare, absent := r.Operation(searchRare, Pipe), r.Operation(searchAbsent, Pipe)
	if r.SearchP95 != max(rare.P95, absent.P95) || r.SearchMax != max(rare.Max, absent.Max) {
		t.Errorf("size %d: search p95 %v, max %v; of %+v, %+v", size, r.SearchP95, r.SearchMax, rare, absent)
	}
}

func checkRoundTrip(t *testing.T, report *Report) {
	t.Helper()
	encoded, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var decoded Report
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&decoded, report) {
		t.Errorf("decoded:\n%+v\nencoded:\n%+v", decoded, report)
	}
	for _, member := range []string{`{"benchmark":"catalog"`, `"results":[{"size":20,`, `"searchP95":`, `"searchMax":`, `"p95Ms":`, `"floorP95Ms":`} {
		if !strings.Contains(string(encoded), member) {
			t.Errorf("%s is missing in %.300s", member, encoded)
		}
	}
}

func checkEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestRunFails(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	tests := []struct {
		name   string
		change func(*Config)
		want   []string // parts of the error
	}{
		{"no sizes", func(c *Config) { c.Sizes = nil }, []string{"no sizes"}},
		{"size 0", func(c *Config) { c.Sizes = []int{20, 0} }, []string{"size 0", "at least 1 entry"}},
		{"no iterations", func(c *Config) { c.Iterations = 0 }, []string{"0 iterations", "at least 1"}},
		{"server dies", func(c *Config) { c.Server = testConfig(t, "die").Server }, []string{"at size 20", "die", "exit status 2", "the disk is on fire"}},
		{"server lies", func(c *Config) { c.Server = testConfig(t, "lie").Server }, []string{"first answer: this is not the right answer", "{}"}},
		{"no server", func(c *Config) {
			c.Server = func(string) Command { return Command{Path: "no/such/program", Args: []string{"it"}} }
		}, []string{"start", "it", "no/such/program"}},
		{"floor dies", func(c *Config) { c.Floor.Args[0] = "die" }, []string{"the disk is on fire"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config := testConfig(t, "serve")
			test.change(&config)
			report, err := Run(context.Background(), config)
			if err == nil || report != nil {
				t.Fatalf("report %v, error %v", report, err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q lacks %q", err, want)
				}
			}
			checkEmpty(t, os.TempDir())
		})
	}
}

// An interrupted run stops at any step, returns an error and cleans up.
func TestRunInterrupted(t *testing.T) {
	rpctest.Long(t)
	t.Setenv("TMPDIR", t.TempDir())
	const generate, load, index, firstInProcess = 0, 1, 2, 3
	trackOnDisk := firstInProcess + questionCount(20)
	start := trackOnDisk + 1
	warmUp, firstOverPipe := start+1, start+2
	for _, step := range []int{generate, load, index, firstInProcess, trackOnDisk, start, warmUp, firstOverPipe} {
		ctx, cancel := context.WithCancel(context.Background())
		config := testConfig(t, "serve")
		config.Iterations = 1
		config.Progress = func(done, _ int, _ string) {
			if done == step {
				cancel()
			}
		}
		report, err := Run(ctx, config)
		if report != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted at step %d: report %v, error %v", step, report, err)
		}
		checkEmpty(t, os.TempDir())
	}
}

func TestPeakMemoryOfNobody(t *testing.T) {
	t.Parallel()
	if bytes, ok := peakResident(-1); ok {
		t.Errorf("%d bytes", bytes)
	}
}
