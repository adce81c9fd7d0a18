package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// table is rows in aligned columns. A cell is shown on one line.
type table struct {
	heading []string // nil for none
	rows    [][]string
	spare   []int // columns that a narrow screen goes without, the first of these first
	numbers []int // columns that are aligned on the right
	// paint shows a cell in colours; nil for none.
	paint func(column int, cell string) string
}

const (
	gap = 2 // columns between two of a table
	// enough is how many columns the last one of a table should have, before others
	// go for it.
	enough = 24
	// least is what is left of it in any case.
	least = 8
)

// printTable prints a table with its heading.
func (a *app) printTable(t table) {
	heading, rows := t.lines(a.screen)
	if t.heading != nil {
		fmt.Fprintln(a.stdout, heading)
	}
	for _, row := range rows {
		fmt.Fprintln(a.stdout, row)
	}
}

// lines returns the table as it fits a screen, whose width its last column keeps
// within.
func (t table) lines(s screen) (heading string, rows []string) {
	cells := make([][]string, len(t.rows))
	for i, row := range t.rows {
		cells[i] = make([]string, len(row))
		for j, cell := range row {
			cells[i][j] = strings.Join(strings.Fields(printable(cell)), " ")
		}
	}
	widths := t.widths(cells)
	shown := t.fit(widths, s.width)
	for _, row := range cells {
		rows = append(rows, t.line(row, shown, widths, t.paint))
	}
	return t.line(t.heading, shown, widths, func(_ int, cell string) string { return s.paint(cell, bold) }), rows
}

// widths returns how many columns of the screen each column takes.
func (t table) widths(cells [][]string) []int {
	var widths []int
	for _, row := range append(cells, t.heading) {
		widths = append(widths, make([]int, max(0, len(row)-len(widths)))...)
		for j, cell := range row {
			widths[j] = max(widths[j], uniseg.StringWidth(cell))
		}
	}
	return widths
}

// fit returns the columns that a screen of that width shows, and makes the last of
// them as narrow as it has to be, unless it has numbers.
func (t table) fit(widths []int, width int) []int {
	shown := make([]int, len(widths))
	for i := range shown {
		shown[i] = i
	}
	if width == 0 || len(shown) == 0 {
		return shown
	}
	last := len(widths) - 1
	left := func() int {
		n := width + widths[last] + gap
		for _, i := range shown {
			n -= widths[i] + gap
		}
		return n
	}
	isText := !slices.Contains(t.numbers, last)
	for _, i := range t.spare {
		if left() >= widths[last] || isText && left() >= enough {
			break
		}
		shown = slices.DeleteFunc(shown, func(j int) bool { return i == j })
	}
	if isText {
		widths[last] = min(widths[last], max(left(), least))
	}
	return shown
}

// line puts together the shown cells of a row.
func (t table) line(row []string, shown, widths []int, paint func(column int, cell string) string) string {
	var b strings.Builder
	blank := 0
	for n, i := range shown {
		if n > 0 {
			blank += gap
		}
		cell := ""
		if i < len(row) {
			cell = cut(row[i], widths[i])
		}
		rest := widths[i] - uniseg.StringWidth(cell)
		if slices.Contains(t.numbers, i) {
			blank, rest = blank+rest, 0
		}
		if cell == "" {
			blank += rest
			continue
		}
		if paint != nil {
			cell = paint(i, cell)
		}
		b.WriteString(strings.Repeat(" ", blank) + cell)
		blank = rest
	}
	return b.String()
}
