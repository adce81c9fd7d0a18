package render_test

import (
	"strings"
	"testing"

	"instruction-catalog/catalog/render"
)

// text returns the bytes of a text; nil for "-".
func text(s string) []byte {
	if s == "-" {
		return nil
	}
	return []byte(s)
}

// The table of states: the text written last, the text to write, and the text on disk.
func TestDecide(t *testing.T) {
	t.Parallel()
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for _, tt := range []struct {
		name, base, source, file string // "-" stands for none
		want                     render.State
	}{
		{"same, same", "a\n", "a\n", "a\n", render.Same},
		{"changed, same", "a\n", "b\n", "a\n", render.Stale},
		{"same, edited", "a\n", "a\n", "b\n", render.Edited},
		{"changed, edited", "a\n", "b\n", "c\n", render.Conflict},
		{"changed, edited to the same", "a\n", "b\n", "b\n", render.Same},
		{"same, gone", "a\n", "a\n", "-", render.Missing},
		{"changed, gone", "a\n", "b\n", "-", render.Missing},
		{"new, never there", "-", "a\n", "-", render.Missing},
		{"entry gone, gone", "a\n", "-", "-", render.Forgotten},
		{"entry gone, same", "a\n", "-", "a\n", render.Orphan},
		{"entry gone, edited", "a\n", "-", "b\n", render.Conflict},
		{"never ours, other bytes", "-", "a\n", "b\n", render.Foreign},
		{"never ours, same bytes", "-", "a\n", "a\n", render.Same},
		{"an empty file is there", "-", "a\n", "", render.Foreign},

		{"line ends, same", "a\nb\n", "a\nb\n", crlf("a\nb\n"), render.Same},
		{"line ends, changed", "a\nb\n", "c\n", crlf("a\nb\n"), render.Stale},
		{"line ends to LF", crlf("a\nb\n"), "c\n", "a\nb\n", render.Stale},
		{"mixed line ends are an edit", "a\nb\n", "a\nb\n", "a\r\nb\n", render.Edited},
		{"written mixed, now LF", "a\r\nb\n", "a\r\nb\n", "a\nb\n", render.Same},
	} {
		base := ""
		if tt.base != "-" {
			base = render.Sum([]byte(tt.base))
		}
		if got := render.Decide(base, text(tt.source), text(tt.file)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestWithLineEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{
		{"a\nb\n", "x\r\ny\r\n", "a\r\nb\r\n"},
		{"a\r\nb\n", "x\n", "a\nb\n"},
		{"a\r\nb\n", "x\r\ny\n", "a\r\nb\n"},
		{"a\r\nb\n", "x", "a\r\nb\n"},
	} {
		if got := string(render.WithLineEnds([]byte(tt[0]), []byte(tt[1]))); got != tt[2] {
			t.Errorf("%q in %q: %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}
