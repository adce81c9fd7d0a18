package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"unicode"

	"golang.org/x/term"
)

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

// printable replaces what could steer a terminal: the texts of a catalog may
// come from anybody. Newlines and tabs stay.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// oneLine is printable, and what would begin a new line or column is replaced,
// too: a name may be made to look like a line of the report that shows it.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) && r != ' ' {
			return unicode.ReplacementChar
		}
		return r
	}, printable(s))
}

// printTable prints rows in aligned columns. Cells are shown on one line each.
func printTable(w io.Writer, rows ...[]string) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = strings.Join(strings.Fields(printable(cell)), " ")
		}
		fmt.Fprintln(table, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	_ = table.Flush()
}

// count says "1 entry", "2 entries".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
