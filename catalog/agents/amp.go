package agents

import "strings"

var amp = Agent{
	Name: "amp", Title: "Amp",
	Paths: []Path{{Pattern: "{,**/}AGENTS.md"}, {Pattern: "AGENT.md", Unless: []string{"AGENTS.md"}}, {Pattern: "CLAUDE.md", Unless: []string{"AGENTS.md", "AGENT.md"}}},
	Facts: []Fact{{"files, mentions and their globs", "dyoshikawa/rulesync docs/reference/file-formats.md, decodeclaude.com Memory", "2026-08-18"}},
	forms: []form{{kind: Amp, reads: []string{"globs"}, read: (*reader).readAmp}},
}

// readAmp reads the globs as Amp does. Amp matches a glob at any depth unless it begins
// with ./ or ../, so readAmp puts **/ before all other globs.
func (r *reader) readAmp() {
	if !r.globs("globs") {
		r.always()
		return
	}
	anywhere := make([]string, len(r.Globs))
	for i, g := range r.Globs {
		if !strings.HasPrefix(g, "./") && !strings.HasPrefix(g, "../") {
			g = "**/" + g
		}
		anywhere[i] = g
	}
	r.Globs = anywhere
}
