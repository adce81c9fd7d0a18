package notes

import (
	"fmt"

	"instruction-catalog/catalog/markdown"
)

// Warnings returns the problems of a note, in the wording of the contract: why it is not
// parsed, broken and ambiguous links, and duplicate tags. Each warning occurs once.
func (s *Snapshot) Warnings(n *Note) []string {
	var warnings []string
	seen := map[string]bool{}
	warn := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !seen[text] {
			seen[text] = true
			warnings = append(warnings, text)
		}
	}
	if err := n.Parts.BodyError; err != nil {
		warn("Not parsed: %v", err)
	}
	find := s.names.finder(n.ID)
	for k := range n.Parts.Links {
		l := &n.Parts.Links[k]
		switch found := find(l); {
		case len(found) == 0 && !isAttachment(l):
			warn("Broken link: %s", shownTarget(n, l))
		case len(found) > 1:
			warn("Ambiguous link: %s", ambiguity(n, l, s.ids(found)))
		}
	}
	for _, tag := range n.Parts.DuplicateTags {
		warn("Duplicate tag ignored: %s", tag)
	}
	return warnings
}

// shownTarget returns the target of a link as it is written in the file.
func shownTarget(n *Note, l *markdown.Link) string {
	written := replaceInvalid(string(l.Target.Of(n.File)))
	if l.Form == markdown.Wiki {
		return "[[" + written + "]]"
	}
	return written
}

func ambiguity(n *Note, l *markdown.Link, ids []ID) string {
	return fmt.Sprintf("%s may mean %d notes, and is taken for %s", shownTarget(n, l), len(ids), ids[0])
}
