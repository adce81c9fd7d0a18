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

// screen describes how to show text on a stream. The zero value is for a stream that is
// not a terminal: lines are not cut and have no colours.
type screen struct {
	width  int // columns
	colour bool
}

// screenOf returns the screen of a stream. It has no colours if NO_COLOR
// (https://no-color.org) is set or the terminal is dumb.
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

// style is a text style: the parameters of the control sequence SGR (ECMA-48, 8.3.117).
type style string

const (
	bold    style = "1"
	faint   style = "2"
	red     style = "31"
	green   style = "32"
	yellow  style = "33"
	matched style = "1;31"
)

// paint returns the text in a style if the screen has colours. It returns the text
// unchanged if the text or the style is empty.
func (s screen) paint(text string, how style) string {
	if !s.colour || text == "" || how == "" {
		return text
	}
	return "\x1b[" + string(how) + "m" + text + "\x1b[0m"
}

// paintSeverity colours a severity of a report, a review or a gate.
func (s screen) paintSeverity(word string) string {
	switch word {
	case "error", "critical", "high":
		return s.paint(word, red)
	case "warning", "warn", "medium":
		return s.paint(word, yellow)
	}
	return s.paint(word, faint)
}

// emphasise puts a message on one line and highlights the quoted match in it.
func (s screen) emphasise(message, match string) string {
	message, quoted := oneLine(message), oneLine(strconv.Quote(match))
	before, after, found := strings.Cut(message, quoted)
	if !found || match == "" {
		return message
	}
	return before + s.paint(quoted, matched) + after
}

// wrap breaks a text at spaces into lines that fit the screen. Each line begins with
// margin. A word that is too long is not broken.
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

// wrapAfter wraps a text that follows head on the first line. The other lines begin
// with margin.
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

// columns returns the width of a line, ignoring control sequences for colours.
func columns(line string) int { return uniseg.StringWidth(styles.ReplaceAllString(line, "")) }

var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// cut cuts a text to the given number of columns. If it removes text, the result ends
// in an ellipsis.
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

// cutTo cuts a text to the width of a terminal divided by parts.
func (s screen) cutTo(text string, parts int) string {
	if !s.isTerminal() {
		return text
	}
	return cut(text, s.width/parts)
}

// keepEnd is like cutTo, but cuts the beginning of the text.
func (s screen) keepEnd(text string, parts int) string {
	columns := s.width / parts
	if !s.isTerminal() || uniseg.StringWidth(text) <= columns {
		return text
	}
	return "…" + uniseg.ReverseString(strings.TrimSuffix(cut(uniseg.ReverseString(text), columns), "…"))
}

// untilSignal returns a context that is cancelled when the process is interrupted or
// terminated. It is for commands that must clean up before they exit.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// printable and oneLine sanitise text as in reports, because the authors of a catalog
// are not trusted.
var printable, oneLine = report.Printable, report.OneLine

// count formats a number with its noun, as in "1 entry" and "2 entries".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// table is a table with aligned columns. Each cell is shown on one line.
type table struct {
	heading []string // nil for none
	rows    [][]string
	spare   []int // indexes of columns that a narrow screen omits, in this order
	enough  int   // width of the last column below which spare columns are omitted; 0 for the constant
	hidden  []int // indexes of columns that are always omitted
	numbers []int // indexes of columns that are right-aligned
	// paint colours a cell. It may be nil.
	paint func(column int, cell string) string
}

const (
	gap = 2 // space between two columns
	// enough is the minimum width of a table's last column. Spare columns are omitted
	// to reach it.
	enough = 24
	// least is the minimum width to which the last column is cut.
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

// lines formats the table for a screen. The last column is cut to fit.
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

// hideEmpty hides each of the given columns in which all cells are "-".
func (t *table) hideEmpty(columns ...int) {
	for _, column := range columns {
		if !slices.ContainsFunc(t.rows, func(row []string) bool { return row[column] != "-" }) {
			t.hidden = append(t.hidden, column)
		}
	}
}

// widths returns the width of each column.
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

// fit returns the indexes of the columns to show on a screen of the given width. It
// reduces the width of the last column as needed, unless the column has numbers.
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

// line formats a row with the shown columns.
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
