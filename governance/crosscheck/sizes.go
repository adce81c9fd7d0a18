package crosscheck

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/governance/report"
)

// codexSizes tells of the AGENTS.md files that Codex cuts, since those from the top down to
// their folder have more bytes than it reads.
func codexSizes(texts []entryText, view View) (found []report.Finding) {
	read := map[string]entryText{} // what Codex reads of a folder
	for _, e := range texts {
		base, folder := path.Base(e.Origin.Path), path.Dir(e.Origin.Path)
		isOverride := base == "AGENTS.override.md"
		if e.Origin.Line > 0 || base != "AGENTS.md" && !isOverride || strings.Contains("/"+folder, "/.") && folder != "." {
			continue
		}
		if _, overridden := read[folder]; isOverride || !overridden {
			read[folder] = e
		}
	}
	for folder, e := range read {
		above := 0
		for at := folder; at != "."; {
			at = path.Dir(at)
			above += len(read[at].body)
		}
		if above > agents.CodexBytes || above+len(e.body) <= agents.CodexBytes {
			continue
		}
		f := finding(CodexSize, e.Entry, view.Place(e.Entry, 0))
		f.Message = fmt.Sprintf("it has %d bytes: Codex reads %d of all AGENTS.md from the top down, and cuts off the rest; split it up", len(e.body), agents.CodexBytes)
		if above > 0 {
			f.Message = fmt.Sprintf("it has %d bytes, and the AGENTS.md above it %d: Codex reads %d of both, and cuts off the rest; split it up", len(e.body), above, agents.CodexBytes)
		}
		f.Match = e.Origin.Path
		found = append(found, f)
	}
	slices.SortFunc(found, func(a, b report.Finding) int { return strings.Compare(string(a.Entry), string(b.Entry)) })
	return found
}
