package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkDecode measures decoding a file that is in memory.
func BenchmarkDecode(b *testing.B) {
	for _, form := range []string{"json", "md"} {
		b.Run(form, func(b *testing.B) {
			f := File{Path: "some-entry." + form, Data: benchFile(rand.New(rand.NewPCG(1, 2)), 7, form)}
			b.SetBytes(int64(len(f.Data)))
			b.ReportAllocs()
			for b.Loop() {
				if r := Decode(f); r.Entry == nil {
					b.Fatal(r.Diagnostics)
				}
			}
		})
	}
}

// BenchmarkParseJSON compares the scanner with encoding/json, which does less: it does
// not keep the order and the lines of the members, nor detect duplicates.
func BenchmarkParseJSON(b *testing.B) {
	f := document{File: File{Path: "some-entry.json", Data: benchFile(rand.New(rand.NewPCG(1, 2)), 7, "json")}}
	b.Run("scanner", func(b *testing.B) {
		for b.Loop() {
			d := f
			if problem := d.parse(); problem != nil {
				b.Fatal(problem)
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		for b.Loop() {
			var fields map[string]any
			if err := json.Unmarshal(f.Data, &fields); err != nil {
				b.Fatal(err)
			}
		}
	})
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
