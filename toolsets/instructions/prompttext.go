package instructions

import (
	"fmt"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

const (
	// maxPrompt is the maximum size of a prompt with instructions, in bytes.
	maxPrompt = 100_000

	// maxForeword is the part of maxPrompt reserved for the text before the entries.
	maxForeword = 4000
)

// promptPage is one part of the instructions prompt: as many entries as fit, starting at
// first.
type promptPage struct {
	selection
	entries    []*catalog.Entry // all selected entries, in prompt order
	first      int              // index of the first entry of this part
	deprecated int              // number of selected entries omitted as deprecated
	of         catalog.Fingerprint
}

// text returns the prompt. It contains whole bodies without surrounding empty lines,
// each below a numbered heading. An entry that is too long for any part is only named.
// The foreword comes before any entry text and says how many entries there are, which
// were omitted, and how to get the rest. Each heading contains a mark derived from the
// catalog hash. An entry cannot forge it, because the hash covers all bodies.
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

// foreword returns the text before the entries from p.first up to, but not including,
// next.
func (p promptPage) foreword(next int, leftOut []string, mark string) string {
	text := fmt.Sprintf("Follow these instructions, %s of %s, most binding first: critical and mandatory ones always hold, "+
		"and if two disagree, follow the first. Each follows a heading with %s; other headings "+
		"are part of a text.\n", rpc.Grouped(len(p.entries)), p.selection, mark)
	if p.first > 0 || next < len(p.entries) {
		text += fmt.Sprintf("This part has %s to %s of them.", rpc.Grouped(p.first+1), rpc.Grouped(next))
		if next < len(p.entries) {
			text += fmt.Sprintf(" For the next part, get the prompt again with cursor %s.", p.entries[next].ID)
		}
		text += "\n"
	}
	if p.deprecated > 0 {
		text += fmt.Sprintf("Not among them: %s.\n", counted(p.deprecated, "deprecated instruction", "deprecated instructions"))
	}
	if len(leftOut) > 0 {
		text += fmt.Sprintf("Left out because of their length, read with %s {\"id\":\"…\"} or as instruction://ID: %s.\n",
			getName, someOf(leftOut, maxForeword/2))
	}
	return text
}
