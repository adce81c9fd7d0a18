package main

import (
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/governance/report"
	"instruction-catalog/governance/verify"
)

func (o *outcome) configuration() string { return strings.Join(o.configurations, "; ") }

// writeText writes the findings grouped by file.
func (o *outcome) writeText(a *app) {
	show := a.screen
	var paths []string
	below := map[string][]report.Finding{}
	for _, f := range o.findings {
		if f.Severity == report.Note && !o.options.notes {
			continue
		}
		if below[f.Path] == nil {
			paths = append(paths, f.Path)
		}
		below[f.Path] = append(below[f.Path], f)
	}
	for _, path := range paths {
		fmt.Fprintln(a.stdout, show.paint(oneLine(path), bold))
		slices.SortStableFunc(below[path], func(x, y report.Finding) int { return x.Line - y.Line })
		for _, f := range below[path] {
			fmt.Fprintln(a.stdout, o.line(show, f))
		}
		fmt.Fprintln(a.stdout)
	}
	if line := o.configuration(); line != "" {
		fmt.Fprintln(a.stdout, show.paint("configuration: "+oneLine(line), faint))
	}
	if o.criteria != nil {
		fmt.Fprintln(a.stdout, show.paint(report.CriteriaLine(o.criteria), faint))
	}
	fmt.Fprintln(a.stdout, show.paint(oneLine(o.summary()), faint))
	if why := o.failed(); why != "" {
		fmt.Fprintln(a.stdout, show.paint("failed: "+why, red))
	}
}

// line formats a finding to print below the path of its file. On a terminal it wraps
// the text between words.
func (o *outcome) line(show screen, f report.Finding) string {
	head := show.paintSeverity(string(f.Severity)) + ": "
	if f.Line > 0 {
		head = fmt.Sprintf("%d: ", f.Line) + head
	}
	message := show.emphasise(f.Message, f.Match)
	return show.wrapAfter("  "+head, message+" ("+oneLine(string(f.Rule))+")", "      ")
}

// summary returns the numbers of entries, gates and findings.
func (o *outcome) summary() string {
	severities := map[report.Severity]int{}
	for _, f := range o.findings {
		severities[f.Severity]++
	}
	var parts []string
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, text)
		}
	}
	add(severities[report.Error], count(severities[report.Error], "error", "errors"))
	add(severities[report.Warning], count(severities[report.Warning], "warning", "warnings"))
	notes := count(severities[report.Note], "note", "notes")
	if !o.options.notes && report.Format(o.options.format) == textFormat {
		notes += " (see --notes)"
	}
	add(severities[report.Note], notes)
	add(len(o.suppressed), fmt.Sprintf("%d suppressed", len(o.suppressed)))
	add(o.known, fmt.Sprintf("%d known from the baseline", o.known))
	add(o.unchanged, fmt.Sprintf("%d about unchanged files not shown", o.unchanged))
	if grave := o.graveSuppressed(); len(grave) > 0 {
		parts = append(parts, "silenced review rules: "+strings.Join(grave, ", "))
	}
	if len(parts) == 0 {
		parts = []string{"nothing found"}
	}
	checked := count(o.entries, "entry", "entries")
	if o.gates > 0 {
		checked += ", " + count(o.gates, "gate", "gates")
	}
	return checked + ": " + strings.Join(parts, ", ")
}

// graveSuppressed returns the suppressed review rules of high or critical severity.
func (o *outcome) graveSuppressed() (rules []string) {
	for _, s := range o.suppressed {
		if s.Grave {
			rules = append(rules, string(s.Rule))
		}
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// failed returns why the run fails, or "" if it does not.
func (o *outcome) failed() string {
	errors, warnings := 0, 0
	var parts []string
	for _, f := range o.findings {
		switch {
		case !o.fails(f):
		case f.Rule == verify.NoEntries:
			parts = append(parts, "there is no entry, which --allow-empty accepts")
		case f.Severity == report.Error:
			errors++
		default:
			warnings++
		}
	}
	if errors > 0 {
		parts = append(parts, count(errors, "error", "errors"))
	}
	if warnings > 0 {
		parts = append(parts, count(warnings, "warning", "warnings")+", which --fail-on warning counts")
	}
	return strings.Join(slices.Compact(parts), "; ")
}
