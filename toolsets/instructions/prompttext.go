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

// promptPage is a part of the prompt that brings entries into a conversation: as
// many as fit, from one on.
type promptPage struct {
	selection
	entries    []*catalog.Entry // all of the selection, in the order of the prompt
	first      int              // of the entries, the one that this part begins with
	deprecated int              // how many of the selection are not among the entries
	of         catalog.Fingerprint
}

// text is the prompt: whole bodies, but for empty lines around them, each below a
// line that numbers it. An entry that is too long for any part is named instead.
// How many there are, which were left out, and how to get those that follow,
// stands at the top, before anything that an entry says. The numbered lines carry
// the mark, which no entry can know: it is of the hash of the catalog, bodies and
// all.
func (p promptPage) text() string {
	mark := "[" + string(p.of[:16]) + "]"
	var sections strings.Builder
	var leftOut []string
	next := p.first
	for ; next < len(p.entries); next++ {
		e := p.entries[next]
		section := fmt.Sprintf("\n## %s %d of %d: %s %s %s\n\n%s\n", mark, next+1, len(p.entries), e.ID, standing(e), titleOf(e),
			strings.Trim(e.Body.Text(), "\r\n"))
		switch {
		case len(section) > maxPrompt-maxForeword:
			leftOut = append(leftOut, string(e.ID))
			continue
		case sections.Len()+len(section) > maxPrompt-maxForeword:
			return p.foreword(next, leftOut, mark) + sections.String()
		}
		sections.WriteString(section)
	}
	return p.foreword(next, leftOut, mark) + sections.String()
}

// foreword is what stands before the entries up to next, which is not among them.
func (p promptPage) foreword(next int, leftOut []string, mark string) string {
	text := fmt.Sprintf("Follow these instructions, %s of %s, most binding first: what is critical or mandatory holds always, "+
		"and where two disagree, the one that comes first. Each stands below a heading with %s; a heading without it "+
		"is part of a text.\n", rpc.Grouped(len(p.entries)), p.selection, mark)
	if p.first > 0 || next < len(p.entries) {
		text += fmt.Sprintf("This part has %s to %s of them.", rpc.Grouped(p.first+1), rpc.Grouped(next))
		if next < len(p.entries) {
			text += fmt.Sprintf(" For those that follow, take the prompt again with cursor %s.", p.entries[next].ID)
		}
		text += "\n"
	}
	if p.deprecated > 0 {
		text += fmt.Sprintf("Not among them: %s.\n", counted(p.deprecated, "deprecated instruction", "deprecated instructions"))
	}
	if len(leftOut) > 0 {
		text += fmt.Sprintf("Left out for length, read with %s {\"id\":\"…\"} or as instruction://ID: %s.\n",
			getName, someOf(leftOut, maxForeword/2))
	}
	return text
}
