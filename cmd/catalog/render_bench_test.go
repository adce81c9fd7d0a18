package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkRender measures rendering 1,000 entries to all targets into an empty
// repository, and rendering them again. In the same run it measures reading the rendered
// files. It reports the times in milliseconds and their ratios to reading.
func BenchmarkRender(b *testing.B) {
	catalog := b.TempDir()
	for i := range 1000 {
		front := [...]string{"", fmt.Sprintf("appliesTo: [\"src/a%d/**\"]\n", i), fmt.Sprintf("load: agent\nsemanticSummary: when %d\n", i)}[i%3]
		text := fmt.Sprintf("---\ntitle: Rule %d\n%s---\n%s", i, front, strings.Repeat(fmt.Sprintf("Line of rule %d.\n", i), 20))
		if err := os.WriteFile(filepath.Join(catalog, fmt.Sprintf("r%04d.md", i)), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	var first, again, read time.Duration
	for b.Loop() {
		repository, state := b.TempDir(), b.TempDir()
		first += renderAll(b, catalog, repository, state)
		again += renderAll(b, catalog, repository, state)
		read += readAll(b, repository)
	}
	b.ReportMetric(0, "ns/op") // the time of all together is meaningless
	b.ReportMetric(first.Seconds()*1e3/float64(b.N), "first-ms")
	b.ReportMetric(again.Seconds()*1e3/float64(b.N), "again-ms")
	b.ReportMetric(read.Seconds()*1e3/float64(b.N), "read-ms")
	b.ReportMetric(first.Seconds()/read.Seconds(), "first-ratio")
	b.ReportMetric(again.Seconds()/read.Seconds(), "again-ratio")
}

// renderAll renders a catalog to all targets and returns how long that took.
func renderAll(b *testing.B, catalog, repository, state string) time.Duration {
	b.Helper()
	env := func(name string) string { return map[string]string{"XDG_STATE_HOME": state}[name] }
	args := append([]string{"render", "--dir", catalog, "--out", repository}, targetNames()...)
	start := time.Now()
	if code := run(context.Background(), env, strings.NewReader(""), io.Discard, io.Discard, args); code != 0 {
		b.Fatalf("render exits %d", code)
	}
	return time.Since(start)
}

// readAll reads all files of a folder and returns how long that took.
func readAll(b *testing.B, dir string) time.Duration {
	b.Helper()
	start := time.Now()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			_, err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}
