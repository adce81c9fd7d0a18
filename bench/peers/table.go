package main

import (
	"fmt"
	"strings"
)

// table is a table of Markdown. Its first columns hold words, the rest figures,
// which stand at the right.
type table struct {
	lines strings.Builder
}

func newTable(words int, heads ...string) *table {
	t := &table{}
	cells := make([]any, len(heads))
	t.lines.WriteString("|")
	for i, head := range heads {
		cells[i] = head
		if i < words {
			t.lines.WriteString("---|")
		} else {
			t.lines.WriteString("---:|")
		}
	}
	rule := t.lines.String()
	t.lines.Reset()
	t.add(cells...)
	t.lines.WriteString(rule + "\n")
	return t
}

func (t *table) add(cells ...any) {
	t.lines.WriteString("|")
	for _, c := range cells {
		fmt.Fprintf(&t.lines, " %v |", c)
	}
	t.lines.WriteByte('\n')
}

func (t *table) String() string { return t.lines.String() }
