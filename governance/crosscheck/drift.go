package crosscheck

import (
	"fmt"
	"regexp"
	"strings"
)

// difference is the first line of text a that text b lacks, and the first line of b
// that a lacks. lineA is 0 if b lacks no line of a, and lineB is 0 if a lacks no line
// of b.
type difference struct {
	a, b         member
	lineA, lineB int // line numbers in the bodies, from 1
	textA, textB string
}

// firstDifference compares the first text with each of the others. It returns the first
// difference that is more than the name of an agent, or false if there is none.
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

// firstMissing returns the first line of text whose words are not in other, however its
// lines are wrapped, and its number from 1. The number is 0 if there is none. It
// ignores lines that say where a copy comes from, and lines that begin with ```,
// because a line inside the code block is more informative.
func firstMissing(text, other string) (number int, line string) {
	known := " " + comparable(other) + " "
	for line := range strings.SplitSeq(text, "\n") {
		words := comparable(line)
		if number++; words != "" && !provenance.MatchString(line) && !strings.Contains(known, " "+words+" ") && !strings.HasPrefix(strings.TrimSpace(line), "```") {
			return number, strings.TrimSpace(line)
		}
	}
	return 0, ""
}

// provenance matches a line that says where a copy comes from.
var provenance = regexp.MustCompile(`(?i)^\W*(?:(?:last )?(?:updated|modified|synced)|source|origin|(?:auto-?)?generated|synced|copied|mirrored|derived|adapted)\b[*_]*(?::| from| by| automatically)`)

// agentNames matches the names of agents, of their files and folders, and words that
// describe them. Copies may differ in these without having drifted apart.
var agentNames = regexp.MustCompile(`(?i)(?:\bfor )?\.?\b(?:claude(?:[ -]code)?|codex|cursor|copilot|gemini(?:[ -]cli)?|windsurf|cline|roo(?:[ -]code)?|devin|kiro|junie|amp|zed|opencode|agents?|ai|assistants?|coding|github|anthropic|openai|google|chatgpt)(?:\.(?:md|ai|com|local))?(?:/code)?\b`)

// comparable returns a line without the differences to ignore: names of agents, case,
// white space and Markdown marks.
func comparable(line string) string {
	line = agentNames.ReplaceAllString(line, "")
	return strings.ToLower(strings.Join(strings.Fields(unmarked.Replace(line)), " "))
}

// unmarked removes Markdown marks that change no word.
var unmarked = strings.NewReplacer("*", "", "_", "", "`", "")

// describe quotes both lines, beginning near where they differ.
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

// shownBefore is the maximum number of common bytes quoted before the difference of
// two lines.
const shownBefore = 30
