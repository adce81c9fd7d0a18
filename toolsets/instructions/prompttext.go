package instructions

import (
	"fmt"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

const (
	// maxPrompt is how long the prompt with instructions may be, in bytes.
	maxPrompt = 100_000

	// maxForeword is how much of that is kept for what stands before them.
	maxForeword = 4000
)

// promptText is the text of a prompt that brings entries into a conversation, in
// the order given: whole bodies, but for empty lines around them, each below a
// line that numbers it. An entry that is too long for what room is left is named
// instead. How many there are, and which were left out, stands at the top,
// before anything that an entry says. The numbered lines carry the mark, which
// no entry can know: it is of the hash of the catalog, bodies and all.
func promptText(w selection, entries []*catalog.Entry, of catalog.Fingerprint) string {
	mark := "[" + string(of[:16]) + "]"
	var sections strings.Builder
	var leftOut []string
	for i, e := range entries {
		heading := fmt.Sprintf("\n## %s %d of %d: %s %s %s\n\n", mark, i+1, len(entries), e.ID, standing(e), titleOf(e))
		body := strings.Trim(e.Body.Text(), "\r\n") + "\n"
		if sections.Len()+len(heading)+len(body) > maxPrompt-maxForeword {
			leftOut = append(leftOut, string(e.ID))
			continue
		}
		sections.WriteString(heading + body)
	}
	return foreword(w, len(entries), leftOut, mark) + sections.String()
}

func foreword(w selection, count int, leftOut []string, mark string) string {
	text := fmt.Sprintf("Follow these instructions, %s of %s, most binding first: what is critical or mandatory holds always, "+
		"and where two disagree, the one that comes first. Each stands below a heading with %s; a heading without it "+
		"is part of a text.\n", rpc.Grouped(count), w, mark)
	if len(leftOut) > 0 {
		text += fmt.Sprintf("Left out for length, read with %s {\"id\":\"…\"} or as instruction://ID: %s.\n",
			getName, someOf(leftOut, maxForeword/2))
	}
	return text
}
