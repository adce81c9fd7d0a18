package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"instruction-catalog/governance/report"
)

// screen is a stream as a person may look at it. The zero value is that of a
// stream which is no terminal: its lines are whole, and plain.
type screen struct {
	width  int // columns
	colour bool
}

// screenOf returns the screen of a stream. NO_COLOR (https://no-color.org) and a
// dumb terminal have no colours.
func screenOf(stream any, env func(string) string) screen {
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return screen{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 1 {
		width = 80
	}
	return screen{width, env("NO_COLOR") == "" && env("TERM") != "dumb"}
}

func (s screen) isTerminal() bool { return s.width > 0 }

// style is how a text stands out: the parameters of the control sequence SGR
// (ECMA-48, 8.3.117).
type style string

const (
	bold    style = "1"
	faint   style = "2"
	red     style = "31"
	green   style = "32"
	yellow  style = "33"
	matched style = "1;31"
)

// paint shows a text in a style, where there are colours. An empty text or style changes nothing.
func (s screen) paint(text string, how style) string {
	if !s.colour || text == "" || how == "" {
		return text
	}
	return "\x1b[" + string(how) + "m" + text + "\x1b[0m"
}

// paintSeverity shows in colours how bad something is, in the words of reports,
// reviews and gates.
func (s screen) paintSeverity(word string) string {
	switch word {
	case "error", "critical", "high":
		return s.paint(word, red)
	case "warning", "warn", "medium":
		return s.paint(word, yellow)
	}
	return s.paint(word, faint)
}

// emphasise shows a message on one line, with the match that it quotes standing out.
func (s screen) emphasise(message, match string) string {
	message, quoted := oneLine(message), oneLine(strconv.Quote(match))
	before, after, found := strings.Cut(message, quoted)
	if !found || match == "" {
		return message
	}
	return before + s.paint(quoted, matched) + after
}

// wrap returns a text on lines that fit the screen, which are broken at blanks and
// all begin with the margin. A word that is too long stays whole.
func (s screen) wrap(text, margin string) string {
	line, lines := margin, ""
	for i, word := range strings.Fields(text) {
		if i > 0 && s.isTerminal() && uniseg.StringWidth(line+" "+word) > s.width {
			lines, line = lines+line+"\n", margin
		} else if i > 0 {
			line += " "
		}
		line += word
	}
	return lines + line
}

// wrapAfter wraps a text that begins behind a head on its first line; the lines after it
// begin with the margin.
func (s screen) wrapAfter(head, text, margin string) string {
	line, lines, words := head, "", 0
	for word := range strings.FieldsSeq(text) {
		if words > 0 && s.isTerminal() && columns(line+" "+word) > s.width {
			lines, line, words = lines+line+"\n", margin, 0
		}
		if words++; words > 1 {
			line += " "
		}
		line += word
	}
	return lines + line
}

// columns is how wide a line is that may have colours in it.
func columns(line string) int { return uniseg.StringWidth(styles.ReplaceAllString(line, "")) }

var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// cut returns a text of at most so many columns, which ends in an ellipsis where
// it is not whole.
func cut(text string, columns int) string {
	if uniseg.StringWidth(text) <= columns {
		return text
	}
	var short strings.Builder
	left := columns - 1 // for the ellipsis
	for g := uniseg.NewGraphemes(text); g.Next() && g.Width() <= left; {
		short.WriteString(g.Str())
		left -= g.Width()
	}
	return short.String() + "…"
}

// cutTo cuts a text on a terminal to one part in so many of its width.
func (s screen) cutTo(text string, parts int) string {
	if !s.isTerminal() {
		return text
	}
	return cut(text, s.width/parts)
}

// keepEnd does the same, but cuts the beginning.
func (s screen) keepEnd(text string, parts int) string {
	columns := s.width / parts
	if !s.isTerminal() || uniseg.StringWidth(text) <= columns {
		return text
	}
	return "…" + uniseg.ReverseString(strings.TrimSuffix(cut(uniseg.ReverseString(text), columns), "…"))
}

// untilSignal returns a context that ends when the process is asked to end, for
// commands that have something to finish first. Others just end.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// printable and oneLine are those of the reports: the texts of a catalog may come
// from anybody.
var printable, oneLine = report.Printable, report.OneLine

// count says "1 entry", "2 entries".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// table is rows in aligned columns. A cell is shown on one line.
type table struct {
	heading []string // nil for none
	rows    [][]string
	spare   []int // columns that a narrow screen goes without, the first of these first
	enough  int   // columns of the last one below which others are left out; 0 for [enough]
	hidden  []int // columns that are left out in any case
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

// hideEmpty leaves out each of these columns that says nothing in any row.
func (t *table) hideEmpty(columns ...int) {
	for _, column := range columns {
		if !slices.ContainsFunc(t.rows, func(row []string) bool { return row[column] != "-" }) {
			t.hidden = append(t.hidden, column)
		}
	}
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
	var shown []int
	for i := range widths {
		if !slices.Contains(t.hidden, i) {
			shown = append(shown, i)
		}
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
		if left() >= widths[last] || isText && left() >= cmp.Or(t.enough, enough) {
			break
		}
		shown = slices.DeleteFunc(shown, func(j int) bool { return i == j })
	}
	if isText {
		widths[last] = min(widths[last], max(left(), least))
	}
	return shown
}

// line joins the shown cells of a row.
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
