package vault_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"instruction-catalog/toolsets/notes/vault"
)

// writeVault writes notes of about the given size with front matter, prose and ten links
// each.
func writeVault(t testing.TB, count, size int) string {
	t.Helper()
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range count {
		var b strings.Builder
		fmt.Fprintf(&b, "---\ntitle: Note %d\ntags: [t%d, t%d]\nstatus: draft\n---\n# Note %d\n\n", i, i%7, i%100, i)
		for k := range 10 {
			to := random.IntN(count)
			if k%3 == 0 {
				fmt.Fprintf(&b, "See [that one](../f%d/note-%d.md), which is **near**.\n\n", to%50, to)
			} else {
				fmt.Fprintf(&b, "- An item about [[note-%d|this]], with `code`.\n", to)
			}
			b.WriteString("Some prose that goes on for a while, so that the note has its size and a few lines.\nIt has a second line.\n\n")
		}
		for b.Len() < size {
			b.WriteString("More prose that says nothing, with *emphasis* and a word or two.\n")
		}
		folder := filepath.Join(dir, fmt.Sprintf("f%d", i%50))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("note-%d.md", i)), []byte(b.String()[:max(size, 1)]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// BenchmarkStart compares a start with reading and hashing all files.
func BenchmarkStart(b *testing.B) {
	for _, count := range []int{10_000} {
		dir := writeVault(b, count, 2048)
		b.Run(fmt.Sprintf("read and hash/%d", count), func(b *testing.B) {
			for b.Loop() {
				err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
					if err == nil && !d.IsDir() {
						var data []byte
						data, err = os.ReadFile(path)
						sha256.Sum256(data)
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("first snapshot/%d", count), func(b *testing.B) {
			for b.Loop() {
				if _, err := vault.New(dir, slog.New(slog.DiscardHandler)).Snapshot(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("look again/%d", count), func(b *testing.B) {
			v := vault.New(dir, slog.New(slog.DiscardHandler))
			for b.Loop() {
				if _, err := v.Look(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			runtime.KeepAlive(v)
		})
	}
}
