package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkStart measures the time that a client waits for its first answer, from just
// before the server's process is created. In turn with it, it measures the floor, a
// program that only reads one line and answers it. It reports the medians in
// milliseconds, and their ratio.
func BenchmarkStart(b *testing.B) {
	floor := buildToStart(b, "./testdata/floor")
	catalog := buildToStart(b, ".")
	for _, first := range []struct{ method, params string }{
		{"health/check", `{}`},
		{"initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"benchmark","version":"1"}}`},
	} {
		b.Run(first.method, func(b *testing.B) {
			dir, request := b.TempDir(), request(1, first.method, first.params)
			var floors, starts []time.Duration
			for b.Loop() {
				floors = append(floors, firstAnswer(b, dir, request, floor))
				starts = append(starts, firstAnswer(b, dir, request, catalog, "serve"))
			}
			f, s := median(floors), median(starts)
			b.ReportMetric(0, "ns/op") // the time of both together is meaningless
			b.ReportMetric(f.Seconds()*1e3, "floor-ms")
			b.ReportMetric(s.Seconds()*1e3, "start-ms")
			b.ReportMetric(s.Seconds()/f.Seconds(), "ratio")
		})
	}
}

// buildToStart builds a static program as for a release, and returns its path. It
// returns a copy of the linker's output: that output is cached differently in the page
// cache than a file that was copied or read from a disk, which is what users start. The
// difference can be a quarter of the start time.
func buildToStart(b *testing.B, source string) string {
	b.Helper()
	built, copied := filepath.Join(b.TempDir(), "built.exe"), filepath.Join(b.TempDir(), "copied.exe")
	build := exec.Command("go", "build", "-o", built, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %v\n%s", source, err, out)
	}
	data, err := os.ReadFile(built)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(copied, data, 0o755); err != nil {
		b.Fatal(err)
	}
	return copied
}

// firstAnswer starts a program in a folder, sends the request, and returns the time
// until the answer was read. The answer must be a result.
func firstAnswer(b *testing.B, dir, request, path string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), path, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	if _, err := io.WriteString(in, request); err != nil {
		b.Fatal(err)
	}
	answer, err := bufio.NewReader(out).ReadBytes('\n')
	took := time.Since(start)
	if err != nil {
		b.Fatal(err)
	}
	end(b, cmd, in)
	checkFirstAnswer(b, answer)
	return took
}

func end(b *testing.B, cmd *exec.Cmd, in io.Closer) {
	b.Helper()
	if err := in.Close(); err != nil {
		b.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		b.Fatalf("%s: %v", cmd, err)
	}
}

func checkFirstAnswer(b *testing.B, line []byte) {
	b.Helper()
	var answer struct {
		ID     json.RawMessage
		Result json.RawMessage
	}
	if err := json.Unmarshal(line, &answer); err != nil || string(answer.ID) != "1" || answer.Result == nil {
		b.Fatalf("no result of request 1: %s (%v)", line, err)
	}
}

func median(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)/2]
}
