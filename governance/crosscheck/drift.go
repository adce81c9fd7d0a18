package crosscheck

import (
	"fmt"
	"regexp"
	"strings"
)

// difference is the first line of one text that another one does not have, and the
// first line of that one that the first does not have. A line is 0 where the other
// text has all lines.
type difference struct {
	a, b         member
	lineA, lineB int // of the bodies, from 1
	textA, textB string
}

// firstDifference compares the first text with the others, until one differs by more
// than the name of its agent.
func firstDifference(texts []*group) (difference, bool) {
	for _, g := range texts[1:] {
		a, b := texts[0], g
		d := difference{a: a.members[0], b: b.members[0]}
		d.lineA, d.textA = firstMissing(a.body, b.body)
		d.lineB, d.textB = firstMissing(b.body, a.body)
		if d.lineA > 0 || d.lineB > 0 {
			return d, true
		}
	}
	return difference{}, false
}

// firstMissing returns the first line of a text that another one does not have. The
// mark of a block of code says less than the block.
func firstMissing(text, other string) (number int, line string) {
	known := map[string]bool{"": true}
	for line := range strings.SplitSeq(other, "\n") {
		known[comparable(line)] = true
	}
	for line := range strings.SplitSeq(text, "\n") {
		if number++; !known[comparable(line)] && !strings.HasPrefix(strings.TrimSpace(line), "```") {
			return number, strings.TrimSpace(line)
		}
	}
	return 0, ""
}

// agentNames are the names of agents, of their files and folders, and what is said of
// them: copies of a text differ in these where nothing has drifted.
var agentNames = regexp.MustCompile(`(?i)\.?\b(?:claude(?:[ -]code)?|codex|cursor|copilot|gemini(?:[ -]cli)?|windsurf|cline|roo(?:[ -]code)?|devin|kiro|junie|amp|zed|opencode|agents?|ai|assistants?|coding|github|anthropic|openai|google|chatgpt)(?:\.(?:md|ai|com|local))?(?:/code)?\b`)

// comparable is a line without what a reader would not call a difference.
func comparable(line string) string {
	line = agentNames.ReplaceAllString(line, "")
	return strings.ToLower(strings.Join(strings.Fields(unmarked.Replace(line)), " "))
}

// unmarked takes out marks of Markdown that change no word.
var unmarked = strings.NewReplacer("*", "", "_", "", "`", "")

// describe quotes both lines from where they differ.
func (d difference) describe(view View) string {
	textA, textB := view.Quote(d.a.Entry, d.textA), view.Quote(d.b.Entry, d.textB)
	same := 0
	for same < min(len(textA), len(textB)) && textA[same] == textB[same] {
		same++
	}
	say := func(m member, line int, text string) string {
		if at := strings.LastIndexByte(text[:same], ' ') + 1; at > shownBefore {
			text = "…" + text[at:]
		}
		return fmt.Sprintf("%s has %q", view.Place(m.Entry, line), excerpt(text))
	}
	switch {
	case d.lineA == 0:
		return fmt.Sprintf("%s, %s does not", say(d.b, d.lineB, textB), view.Place(d.a.Entry, 0).Path)
	case d.lineB == 0:
		return fmt.Sprintf("%s, %s does not", say(d.a, d.lineA, textA), view.Place(d.b.Entry, 0).Path)
	}
	return say(d.a, d.lineA, textA) + ", " + say(d.b, d.lineB, textB)
}

// shownBefore is up to how many bytes are quoted that two lines have in common.
const shownBefore = 30
