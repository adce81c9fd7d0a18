package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const benchFiles = 5000

// BenchmarkLoad measures loading a folder of 5,000 files of about 2 KB into a snapshot.
// In the same run it measures a loop that only reads and hashes the files. floor/op is
// the time of that loop; ratio is the time of the load divided by it.
func BenchmarkLoad(b *testing.B) {
	for _, form := range []string{"json", "md"} {
		b.Run(form, func(b *testing.B) {
			dir := b.TempDir()
			writeBenchFiles(b, dir, form)
			var floor, load time.Duration
			for b.Loop() {
				start := time.Now()
				readAndHash(b, dir)
				middle := time.Now()
				s, err := NewFolder(dir).Load(b.Context())
				if err != nil || len(s.Entries()) != benchFiles {
					b.Fatal(len(s.Entries()), err, s.Diagnostics()[:1])
				}
				floor += middle.Sub(start)
				load += time.Since(middle)
			}
			b.ReportMetric(floor.Seconds()*1e3/float64(b.N), "floor-ms/op")
			b.ReportMetric(load.Seconds()*1e3/float64(b.N), "load-ms/op")
			b.ReportMetric(load.Seconds()/floor.Seconds(), "ratio")
		})
	}
}

func readAndHash(b *testing.B, dir string) {
	files, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			b.Fatal(err)
		}
		sha256.Sum256(data)
	}
}

func writeBenchFiles(b *testing.B, dir, form string) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range benchFiles {
		name := filepath.Join(dir, fmt.Sprintf("entry-%05d.%s", i, form))
		if err := os.WriteFile(name, benchFile(rnd, i, form), 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

func benchFile(rnd *rand.Rand, i int, form string) []byte {
	body := benchBody(rnd)
	if form == "md" {
		return fmt.Appendf(nil, "---\ntitle: Entry %d\npriority: %d\ncategories: [go, testing]\n---\n%s", i, 1+i%100, body)
	}
	entry := map[string]any{
		"id": fmt.Sprintf("entry-%05d", i), "title": fmt.Sprintf("Entry %d", i), "body": body,
		"priority": 1 + i%100, "audience": "all", "requirement": "recommended",
		"categories": []string{"go", "testing"}, "primaryCategory": "go",
		"sourceHash": "", "schemaVersion": "3", "owner": "platform", "version": "1.0.0", "status": "approved",
		"priorityTier": "P3", "classification": "internal", "riskScore": 70,
		"createdAt": "2025-08-30T21:22:43.481Z", "updatedAt": "2025-08-30T21:22:43.481Z",
		"lastReviewedAt": "2025-08-30T21:22:43.481Z", "nextReviewDue": "2025-09-29T21:22:43.481Z", "reviewIntervalDays": 30,
		"changeLog":       []any{map[string]any{"version": "1.0.0", "changedAt": "2025-08-30T21:22:43.481Z", "summary": "initial import"}},
		"semanticSummary": body[:100],
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", "  ")
	if err := enc.Encode(entry); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

// benchBody returns Markdown of about 1.8 KB.
func benchBody(rnd *rand.Rand) string {
	words := strings.Fields("the a test error context handler request value must should return wrap close check before after every `go test` interface package")
	var b strings.Builder
	for b.Len() < 1800 {
		b.WriteString("- ")
		for range 8 + rnd.IntN(8) {
			b.WriteString(words[rnd.IntN(len(words))])
			b.WriteByte(' ')
		}
		b.WriteByte('\n')
	}
	return b.String()
}
