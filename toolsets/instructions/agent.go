package instructions

import (
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/rpc"
)

// readBy returns a selection of the entries in s whose files the named agent reads. It
// includes imported files only for agents that follow imports. It returns a parameter
// error for an unknown agent.
func readBy(name string, s *catalog.Snapshot) (*catalog.Selection, error) {
	var names []string
	for _, a := range agents.All() {
		if names = append(names, a.Name); a.Name == name {
			return &catalog.Selection{Name: name, Has: reader(a, s)}, nil
		}
	}
	return nil, rpc.BadParam("agent", "must be one of: "+strings.Join(names, ", "))
}

func reader(a *agents.Agent, s *catalog.Snapshot) func(*catalog.Entry) bool {
	files := map[string]bool{}
	for _, e := range s.Entries() {
		files[e.Origin.Path] = true
	}
	importer := a.Reads("CLAUDE.md", never) || a.Reads("GEMINI.md", never)
	return func(e *catalog.Entry) bool {
		if e.Origin.Format == string(agents.ImportedFile) {
			return importer
		}
		return e.Origin.OfAgent() && a.Reads(e.Origin.Path, func(p string) bool { return files[p] })
	}
}

func never(string) bool { return false }
