package writing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bigVault writes notes of 2 KB with a few links each. The first ones link to hub.md.
func bigVault(b *testing.B, notes, incoming int) *Writer {
	b.Helper()
	w := newWriter(b, map[string]string{"hub.md": "---\ntitle: Hub\n---\nx"})
	for i := range notes {
		links := fmt.Sprintf("[[n%d]] [x](n%d.md) [[n%d|alias]]\n", (i+1)%notes, (i*7)%notes, (i*31)%notes)
		if i < incoming {
			links += "[[hub]]\n"
		}
		put(b, w.Folder, fmt.Sprintf("f%d/n%d.md", i%20, i), "# Note\n\n"+links+strings.Repeat("Some text of a note. ", 95))
	}
	return w
}

// BenchmarkRename compares renaming a note with 1,000 incoming links with simply writing
// as many files durably.
func BenchmarkRename(b *testing.B) {
	const incoming = 1000
	var last *Writer
	for _, notes := range []int{incoming, 20_000} {
		w := bigVault(b, notes, incoming)
		if _, err := w.Vault.Look(b.Context()); err != nil {
			b.Fatal(err)
		}
		id := "hub.md"
		last = w
		b.Run(fmt.Sprintf("%d notes", notes), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				title := fmt.Sprintf("Hub of %d %d", notes, i)
				changed, err := w.Update(b.Context(), Update{ID: id, Title: &title})
				if err != nil {
					b.Fatal(err)
				}
				id = string(changed.ID)
			}
		})
	}
	b.Run("look", func(b *testing.B) {
		for b.Loop() {
			if _, err := last.Vault.Look(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("content", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := last.Update(b.Context(), Update{ID: "f1/n1.md", Content: new(fmt.Sprint(i))}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("durable writes alone", func(b *testing.B) {
		dir := b.TempDir()
		for b.Loop() {
			for i := range incoming {
				must(b, writeDurably(dir, fmt.Sprintf("n%d.md", i), strings.Repeat("x", 2048)))
			}
		}
	})
}

// writeDurably writes a file in the usual durable way.
func writeDurably(dir, name, text string) error {
	f, err := os.CreateTemp(dir, "tmp")
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := folder.Sync(); err != nil {
		return err
	}
	return folder.Close()
}
