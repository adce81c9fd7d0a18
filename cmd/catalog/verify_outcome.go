package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog/files"
	"instruction-catalog/governance/report"
)

// maxBaseline is how large a baseline may be, in bytes.
const maxBaseline = 64 << 20

// outcome is what a run of verify found in all its catalogs.
type outcome struct {
	options  verifyOptions
	baseline *report.Baseline // nil for none
	findings []report.Finding // that are shown and counted

	entries, gates   int
	criteria         []string
	known, unchanged int     // findings that are not shown, for the baseline or for --since
	methods          methods // of the one catalog of --json
}

func (o *outcome) readBaseline() error {
	name := o.options.baseline
	if name == "" {
		return nil
	}
	f, err := files.Read(name, maxBaseline)
	switch {
	case errors.Is(err, files.ErrTooLarge):
		return fmt.Errorf("--baseline: %s has more than %d bytes", name, maxBaseline)
	case err != nil:
		return fmt.Errorf("--baseline: cannot read %s: %w", name, files.Cause(err))
	}
	if o.baseline, err = report.ParseBaseline(f.Data); err != nil {
		return fmt.Errorf("--baseline: %s: %w", name, err)
	}
	return nil
}

// add adds what was found in one catalog.
func (o *outcome) add(ctx context.Context, v *verification) error {
	concerned := func(report.Finding) bool { return true }
	if o.options.since != "" {
		changed, err := v.changedSince(ctx, o.options.since)
		if err != nil {
			return err
		}
		concerned = changed.concerns
	}
	o.entries += len(v.snapshot.Entries())
	o.gates += v.gateCount
	for _, name := range v.criteriaNames {
		if !slices.Contains(o.criteria, name) {
			o.criteria = append(o.criteria, name)
		}
	}
	for _, f := range v.findings {
		switch {
		case o.baseline != nil && o.baseline.Knows(f):
			o.known++
		case !concerned(f):
			o.unchanged++
		default:
			o.findings = append(o.findings, f)
		}
	}
	o.methods = v.methods
	return nil
}

// fails reports whether the run fails for a finding.
func (o *outcome) fails(f report.Finding) bool {
	if f.Rule == ruleNoEntries {
		return !o.options.allowEmpty
	}
	return f.Severity.AtLeast(report.Severity(o.options.failOn))
}

func (o *outcome) write(a *app) error {
	if a.json {
		return a.printValue(struct {
			methods
			Findings []report.Finding `json:"findings,omitempty"` // that are not in what the two methods say
			Criteria []string         `json:"criteria,omitempty"`
		}{o.methods, slices.DeleteFunc(slices.Clone(o.findings), isOfMethods), o.criteria})
	}
	if a.screen.colour && o.options.format == string(report.Text) {
		o.writeInColours(a)
		return nil
	}
	r := report.Report{Version: version, Findings: o.findings, Fails: o.fails, Summary: o.summary(), Criteria: o.criteria}
	return r.Write(a.stdout, report.Format(o.options.format))
}

// writeInColours writes what the format text has.
func (o *outcome) writeInColours(a *app) {
	for _, f := range o.findings {
		fmt.Fprintf(a.stdout, "%s: %s: %s\n", a.screen.paint(oneLine(f.Place.String()), bold),
			a.screen.paintSeverity(cmp.Or(f.Word, string(f.Severity))), a.screen.emphasise(f.Message, f.Match))
	}
	if o.criteria != nil {
		fmt.Fprintln(a.stdout, a.screen.paint(report.CriteriaLine(o.criteria), faint))
	}
	fmt.Fprintln(a.stdout, a.screen.paint(oneLine(o.summary()), faint))
}

// isOfMethods reports whether one of the two methods tells of a finding.
func isOfMethods(f report.Finding) bool {
	return strings.HasPrefix(string(f.Rule), "file-") || f.Rule == ruleNoEntries || slices.Contains(countedRules, f.Rule)
}

// countedRules are those that the summary counts by name. All others it counts by
// severity.
var countedRules = []report.Rule{ruleDrift, ruleGateFailed, ruleGateBroken}

func (o *outcome) summary() string {
	rules, severities := map[report.Rule]int{}, map[report.Severity]int{}
	for _, f := range o.findings {
		rules[f.Rule]++
		if !slices.Contains(countedRules, f.Rule) {
			severities[f.Severity]++
		}
	}
	line := fmt.Sprintf("%s, %s, %s, %s, %d drifted, %s",
		count(o.entries, "entry", "entries"),
		count(severities[report.Error], "error", "errors"),
		count(severities[report.Warning], "warning", "warnings"),
		count(severities[report.Note], "note", "notes"),
		rules[ruleDrift], gatesFailed(rules[ruleGateFailed]+rules[ruleGateBroken], o.gates))
	if o.options.baseline != "" {
		line += fmt.Sprintf(", %d known from the baseline", o.known)
	}
	if o.options.since != "" {
		line += fmt.Sprintf(", %d about unchanged files not shown", o.unchanged)
	}
	return line
}
