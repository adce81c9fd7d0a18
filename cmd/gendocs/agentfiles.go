package main

import (
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/format"
	entries "instruction-catalog/catalog/render"
)

// agentFilesPage is the input of agentfiles.md.tmpl.
type agentFilesPage struct {
	Loads   []string
	Targets []targetRows
	Agents  []*agents.Agent
}

// Reads returns the files that an agent reads, as Markdown.
func (*agentFilesPage) Reads(a *agents.Agent) string {
	var all []string
	firstOf := len(a.Paths) > 1
	for i, p := range a.Paths {
		firstOf = firstOf && len(p.Unless) == i
		all = append(all, "`"+p.Pattern+"`")
	}
	if firstOf {
		return "the first that is there of " + strings.Join(all, ", ")
	}
	for i, p := range a.Paths {
		if len(p.Unless) > 0 {
			all[i] += " unless there is `" + strings.Join(p.Unless, "` or `") + "`"
		}
	}
	return strings.Join(all, ", ")
}

// targetRows holds what a target renders for an entry of each load mode, in the order
// of Loads.
type targetRows struct {
	Name string
	Due  []string
	Lost [][2]string // pairs of a load mode and what the target cannot express for it
}

// probes are the load modes, each with the front matter of an entry that has it.
var probes = [][2]string{
	{"always", ""},
	{"glob", "appliesTo: [\"**/*.ts\"]\n"},
	{"glob below FOLDER", "appliesTo: [\"FOLDER/**/*.ts\"]\n"},
	{"directory", "appliesTo: [\"FOLDER/**\"]\n"},
	{"agent", "load: agent\n"},
	{"skill", "load: skill\n"},
	{"manual", "load: manual\n"},
	{"command", "load: command\n"},
	{"persona", "load: persona\n"},
}

// generateAgentFiles returns the document on agents' files. It fills the tables of
// targets by rendering the probes.
func generateAgentFiles(string) ([]byte, error) {
	p := &agentFilesPage{Agents: agents.All()}
	for _, probe := range probes {
		p.Loads = append(p.Loads, probe[0])
	}
	for _, t := range agents.Targets() {
		rows := targetRows{Name: t.Name}
		for _, probe := range probes {
			due, lost, err := probed(t, probe[1])
			if err != nil {
				return nil, err
			}
			rows.Due = append(rows.Due, due)
			for _, l := range lost {
				rows.Lost = append(rows.Lost, [2]string{probe[0], l})
			}
		}
		p.Targets = append(p.Targets, rows)
	}
	return render("agentfiles.md.tmpl", p)
}

// probed renders an entry with the given fields for a target. It returns the files, and
// what they cannot express.
func probed(t *agents.Target, fields string) (due string, lost []string, err error) {
	const id = "placeholder"
	e := format.Interpret(id+".md", []byte("---\ndescription: What it is about\n"+fields+"---\n# Title\n\nText.\n"))
	if e == nil {
		return "", nil, fmt.Errorf("the entry with %q cannot be read", fields)
	}
	files, warnings := entries.Files([]entries.Source{{Entry: e}}, []*agents.Target{t})
	var paths []string
	for _, f := range files {
		p := "`" + strings.ReplaceAll(f.Path, id, "ID") + "`"
		if f.Region {
			p = "region of " + p
		}
		paths = append(paths, p)
	}
	for _, w := range warnings {
		lost = append(lost, "`"+w.Field+"`: "+strings.ReplaceAll(w.Message, id, "ID"))
	}
	if len(paths) == 0 {
		paths = []string{"left out"}
	}
	return strings.Join(paths, ", "), slices.Compact(lost), nil
}
