package worktree

import (
	"bytes"
	"slices"
	"strings"
)

// merge applies to base the edits of both ours and theirs, and returns the result
// with LF line endings. ok is false if edits overlap or touch and are not the same.
func merge(base, ours, theirs []byte) (merged []byte, ok bool) {
	old := linesOf(base)
	a, b := hunksOf(old, linesOf(ours)), hunksOf(old, linesOf(theirs))
	var out []string
	at := 0
	for len(a) > 0 || len(b) > 0 {
		var h hunk
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].to < b[0].from:
			h, a = a[0], a[1:]
		case len(a) == 0 || b[0].to < a[0].from:
			h, b = b[0], b[1:]
		case a[0].equal(b[0]):
			h, a, b = a[0], a[1:], b[1:]
		default:
			return nil, false
		}
		out = append(append(out, old[at:h.from]...), h.now...)
		at = h.to
	}
	return []byte(strings.Join(append(out, old[at:]...), "")), true
}

func (h hunk) equal(other hunk) bool {
	return h.from == other.from && h.to == other.to && slices.Equal(h.now, other.now)
}

// linesOf splits a text after each newline, and turns CRLF into LF.
func linesOf(text []byte) []string {
	return strings.SplitAfter(string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), "\n")
}
