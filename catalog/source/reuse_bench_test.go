package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkReload measures a server's reload after an edit of one file or line of a
// catalog. load-ms is the time from the edit to the new snapshot. index-ms is the time
// to build the index, concurrently with searches.
func BenchmarkReload(b *testing.B) {
	for _, n := range []int{5000, 100_000} {
		if n > 5000 && testing.Short() {
			continue // writes 100,000 files and a bundle with as many entries
		}
		b.Run(fmt.Sprint("folder/", n), func(b *testing.B) {
			dir := b.TempDir()
			path := func(i int) string {
				return filepath.Join(dir, fmt.Sprintf("%03d", i%(n/100)), fmt.Sprintf("entry-%05d.json", i))
			}
			rnd := rand.New(rand.NewPCG(1, 2))
			for i := range n {
				if i < n/100 {
					if err := os.Mkdir(filepath.Dir(path(i)), 0o755); err != nil {
						b.Fatal(err)
					}
				}
				if err := os.WriteFile(path(i), benchFile(rnd, i, "json"), 0o644); err != nil {
					b.Fatal(err)
				}
			}
			changed, err := filepath.Rel(dir, path(7))
			if err != nil {
				b.Fatal(err)
			}
			measureReload(b, dir, []string{filepath.ToSlash(changed)}, func() error { return os.WriteFile(path(7), benchFile(rnd, 7, "json"), 0o644) })
		})
		b.Run(fmt.Sprint("bundle/", n), func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "b.jsonl")
			rnd := rand.New(rand.NewPCG(1, 2))
			var lines [][]byte
			for i := range n {
				var line bytes.Buffer
				if err := json.Compact(&line, benchFile(rnd, i, "json")); err != nil {
					b.Fatal(err)
				}
				lines = append(lines, line.Bytes())
			}
			write := func() error {
				var line bytes.Buffer
				err := json.Compact(&line, benchFile(rnd, 7, "json"))
				lines[7] = line.Bytes()
				if err != nil {
					return err
				}
				return os.WriteFile(file, append(bytes.Join(lines, []byte("\n")), '\n'), 0o644)
			}
			if err := write(); err != nil {
				b.Fatal(err)
			}
			measureReload(b, file, nil, write)
		})
	}
}

func measureReload(b *testing.B, path string, changed []string, edit func() error) {
	b.Helper()
	from := New(path)
	time.Sleep(100 * time.Millisecond) // until the files are old enough to be trusted
	before, err := from.Load(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	before.BuildIndex()
	var load, index time.Duration
	for b.Loop() {
		if err := edit(); err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		after, err := from.LoadChanged(b.Context(), changed)
		if err != nil || after == before || len(after.Entries()) != len(before.Entries()) {
			b.Fatal(err)
		}
		load += time.Since(start)
		after.BuildIndex()
		index += time.Since(start)
		before = after
	}
	b.ReportMetric(load.Seconds()*1e3/float64(b.N), "load-ms/op")
	b.ReportMetric((index-load).Seconds()*1e3/float64(b.N), "index-ms/op")
}
