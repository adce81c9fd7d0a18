package verify

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/frontmatter"
	"instruction-catalog/governance/report"
)

// Edit replaces the bytes of a file from Start to End.
type Edit struct {
	Start, End int
	Text       string
}

// repairs return the text of a file without a finding of their rule, nil if they do not
// know how.
var repairs = map[report.Rule]func(f report.Finding, text []byte) []byte{
	agents.ApplyToList: joinApplyTo,
}

// Repair returns the text of a file in which a finding is mended, if there is one right
// way to do so. All other bytes stay.
func Repair(f report.Finding, text []byte) (repaired []byte, ok bool) {
	repair := repairs[f.Rule]
	if repair == nil {
		return nil, false
	}
	repaired = repair(f, text)
	return repaired, repaired != nil && !bytes.Equal(repaired, text)
}

// EditOf returns the one edit that makes a text of another.
func EditOf(before, after []byte) Edit {
	start, most := 0, min(len(before), len(after))
	for start < most && before[start] == after[start] {
		start++
	}
	same := 0
	for same < most-start && before[len(before)-1-same] == after[len(after)-1-same] {
		same++
	}
	return Edit{start, len(before) - same, string(after[start : len(after)-same])}
}

// inFront returns a text with its front matter edited.
func inFront(text []byte, edit func(front []byte) ([]byte, error)) []byte {
	file := files.TrimByteOrderMark(text)
	front, _, _ := frontmatter.Cut(file)
	if front == nil {
		return nil
	}
	fence, _ := frontmatter.CutLine(file)
	start := len(text) - len(file) + len(fence)
	edited, err := edit(front)
	if err != nil {
		return nil
	}
	return slices.Concat(text[:start], edited, text[start+len(front):])
}

var errAmbiguous = errors.New("there is more than one way to repair it")

// joinApplyTo writes a list of globs as one text with commas.
func joinApplyTo(_ report.Finding, text []byte) []byte {
	return inFront(text, func(front []byte) ([]byte, error) {
		items, err := frontmatter.Texts(front, "applyTo")
		if err != nil || slices.ContainsFunc(items, func(glob string) bool { return strings.Contains(glob, ",") }) {
			return nil, cmp.Or(err, errAmbiguous)
		}
		return frontmatter.SetText(front, "\n", "applyTo", strings.Join(items, ","))
	})
}
