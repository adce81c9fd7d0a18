package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/worktree"
	"instruction-catalog/governance/report"
)

// printRender prints the outcome for each file. It returns errFindings if a file was
// left, or with --check if a file differs enough to count for --fail-on.
func (a *app) printRender(r rendered, o renderOptions) error {
	left := slices.ContainsFunc(r.Files, func(f worktree.RenderedFile) bool { return f.Action == worktree.LeftAlone })
	fails := func(f report.Finding) bool { return f.Severity.AtLeast(report.Severity(o.failOn)) }
	var findings []report.Finding
	if o.check {
		findings = findingsOf(r)
		left = slices.ContainsFunc(findings, fails)
	}
	format := report.Format(o.format)
	var err error
	switch {
	case a.json:
		a.tellKept(r)
		err = a.printValue(r)
	case format != textFormat:
		err = report.Report{Version: version, Findings: findings, Fails: fails, Rules: renderRules, Summary: r.summary()}.Write(a.stdout, format)
	default:
		a.printRenderText(r, o)
	}
	if err == nil && left {
		err = errFindings
	}
	return err
}

// tellKept lists on standard error the files whose previous content was saved under
// another name.
func (a *app) tellKept(r rendered) {
	for _, f := range r.Files {
		if f.Kept != "" {
			fmt.Fprintln(a.stderr, oneLine("catalog: what was in "+f.Path+" is in "+f.Kept))
		}
	}
}

func (a *app) printRenderText(r rendered, o renderOptions) {
	for _, w := range r.Warnings {
		about := strings.Join(slices.DeleteFunc([]string{w.ID, w.Target, w.Path, w.Field}, func(s string) bool { return s == "" }), ", ")
		fmt.Fprintln(a.stdout, oneLine(strings.TrimPrefix("warning: "+about+": "+w.Message, "warning: : ")))
	}
	for _, f := range r.Files {
		if line := renderLine(f, o); line != "" {
			fmt.Fprintln(a.stdout, oneLine(line))
		}
	}
	line := r.summary()
	if o.check || o.dryRun {
		line += "; nothing was written"
	}
	fmt.Fprintln(a.stdout, line)
}

// renderLine describes on one line what was done with a file, or returns "" if there
// was nothing to do.
func renderLine(f worktree.RenderedFile, o renderOptions) string {
	kept := ""
	if f.Kept != "" {
		kept = ", what was in it is in " + f.Kept
	}
	switch {
	case f.Action == worktree.NothingToDo, f.Action == worktree.Recorded:
		return ""
	case f.Action == worktree.LeftAlone:
		return fmt.Sprintf("left %s: %s", f.Path, whyLeft(f))
	case o.check:
		return fmt.Sprintf("%s: %s", f.Path, stateTexts[f.State])
	}
	return fmt.Sprintf("%s %s (%s)%s", f.Action, f.Path, f.State, kept)
}

// stateTexts maps the states of files to their descriptions.
var stateTexts = map[render.State]string{
	render.Stale:    "the catalog has changed since it was rendered",
	render.Missing:  "it is due and missing",
	render.Orphan:   "its entry is gone",
	render.Edited:   "it was edited since it was rendered",
	render.Conflict: "it was edited since it was rendered, and the catalog has changed, too",
	render.Foreign:  "it is due, and another file is there that was never rendered",
}

// whyLeft returns why a file is left, and what to do about it.
func whyLeft(f worktree.RenderedFile) string {
	if f.Why != "" {
		return f.Why
	}
	switch f.State {
	case render.Foreign:
		return fmt.Sprintf("%s: import it, or overwrite it with --force %s", stateTexts[f.State], f.Path)
	case render.Conflict:
		return fmt.Sprintf("%s: \"catalog adopt %s\" merges both where it can, --force %s overwrites it", stateTexts[f.State], f.Path, f.Path)
	}
	return fmt.Sprintf("%s: \"catalog adopt %s\" takes the edit into the catalog, --force %s overwrites it", stateTexts[f.State], f.Path, f.Path)
}

// summary returns the number of files in each state.
func (r rendered) summary() string {
	var states []string
	for _, state := range slices.Sorted(maps.Keys(r.Summary)) {
		states = append(states, fmt.Sprintf("%d %s", r.Summary[state], state))
	}
	return strings.TrimSuffix(count(len(r.Files), "file", "files")+": "+strings.Join(states, ", "), ": ")
}

// findingsOf returns a finding for each file that differs from its rendering.
func findingsOf(r rendered) (all []report.Finding) {
	for _, f := range r.Files {
		if f.State == render.Same {
			continue
		}
		i := slices.IndexFunc(renderRules, func(d report.RuleDoc) bool { return d.ID == ruleOf(f.State) })
		message := stateTexts[f.State] + ": run \"catalog render\""
		if f.Action == worktree.LeftAlone {
			message = whyLeft(f)
		}
		finding := report.Finding{Rule: ruleOf(f.State), Severity: renderRules[i].Severity, Place: report.Place{Path: filepath.ToSlash(f.Path)}, Message: message}
		if len(f.Entries) == 1 {
			finding.Entry = f.Entries[0]
		}
		all = append(all, finding)
	}
	return all
}

func ruleOf(s render.State) report.Rule { return report.Rule("render/" + string(s)) }

// renderRules are the rules of render --check, one for each state except [render.Same].
var renderRules = []report.RuleDoc{
	{
		ID: ruleOf(render.Conflict), Severity: report.Error,
		Finds:    "A rendered file that was edited by hand while its entry changed, too, or whose markers do not fit together.",
		Hit:      "a line added to .claude/rules/errors.md, and the entry errors changed in the catalog.",
		NearMiss: "the same line in both.",
		Repair:   `Run "catalog adopt PATH", or make the file what you want and run "catalog render --force PATH".`,
	},
	{
		ID: ruleOf(render.Edited), Severity: report.Error,
		Finds:    "A rendered file that was edited by hand since it was rendered.",
		Hit:      "a line added between the markers of AGENTS.md.",
		NearMiss: "a line added above them.",
		Repair:   `Run "catalog adopt PATH" to take the edit into the catalog, or "catalog render --force PATH" to undo it.`,
	},
	{
		ID: ruleOf(render.Foreign), Severity: report.Error,
		Finds:    "A file that is due from the catalog, at whose path another file lies that was never rendered.",
		Hit:      ".cursor/rules/errors.mdc, written by hand, where the entry errors is due.",
		NearMiss: "the same file with the very bytes that are due.",
		Repair:   `Run "catalog import", or "catalog render --force PATH".`,
	},
	{
		ID: ruleOf(render.Missing), Severity: report.Warning,
		Finds:    "A file, or a region of a file, that is due from the catalog and missing.",
		Hit:      "a new entry that was not rendered yet.",
		NearMiss: "an entry that the where of .catalog/render.json leaves out.",
		Repair:   `Run "catalog render".`,
	},
	{
		ID: ruleOf(render.Orphan), Severity: report.Warning,
		Finds:    "A rendered file whose entry is gone from the catalog.",
		Hit:      ".claude/rules/errors.md after the entry errors was removed.",
		NearMiss: "a rule that a person wrote and nothing rendered.",
		Repair:   `Run "catalog render".`,
	},
	{
		ID: ruleOf(render.Stale), Severity: report.Warning,
		Finds:    "A rendered file that is older than its entry in the catalog.",
		Hit:      "AGENTS.md after an entry in it was changed in the catalog.",
		NearMiss: "a file that differs in its line ends alone.",
		Repair:   `Run "catalog render".`,
	},
}
