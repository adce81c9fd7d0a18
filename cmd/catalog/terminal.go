package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
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
