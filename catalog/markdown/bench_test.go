package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/catalog/markdown"
)

// note returns a note of about size bytes, with front matter, headings, prose, and a link
// every 200 bytes.
func note(size int) []byte {
	var b strings.Builder
	b.WriteString("---\ntags: [one, two]\nstatus: draft\n---\n# A heading\n\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "Some *prose* that goes on for a while, with `code` in it, and a link to [[note-%d|that one]].\nIt has a second line, and a third one,\n"+
			"- which is an item with a [link](../folder/note-%d.md)\n\n", i, i)
	}
	return []byte(b.String()[:size])
}

func BenchmarkParse(b *testing.B) {
	for _, size := range []int{2 << 10, 64 << 10, 50 << 20} {
		file := note(size)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				markdown.Parse(file)
			}
		})
	}
}
