package main

import (
	"bytes"
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

	"instruction-catalog/governance/report"
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

// printable and oneLine are those of the reports: the texts of a catalog may come
// from anybody.
var printable, oneLine = report.Printable, report.OneLine

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

// escaped returns JSON that says the same, with escapes for what could steer a terminal
// and may stand in a string as it is.
func escaped(text []byte) []byte {
	steers := func(r rune) bool {
		return r >= 0x7F && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}
	if bytes.IndexFunc(text, steers) < 0 {
		return text
	}
	var out bytes.Buffer
	for _, r := range string(text) {
		if steers(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.Bytes()
}
