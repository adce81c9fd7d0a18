package main

import (
	"cmp"
	"context"
	"encoding/json"
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
	known, unchanged int             // findings that are not shown, for the baseline or for --since
	methods          json.RawMessage // what --json prints of the one catalog
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
	o.methods = fmt.Appendf(nil, `"integrity/verify":%s,"gates/evaluate":%s`, v.integrity, v.gates)
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
		return o.writeMethods(a)
	}
	if a.screen.colour && o.options.format == string(report.Text) {
		o.writeInColours(a)
		return nil
	}
	r := report.Report{Version: version, Findings: o.findings, Fails: o.fails, Summary: o.summary()}
	return r.Write(a.stdout, report.Format(o.options.format))
}

// writeInColours writes what the format text has.
func (o *outcome) writeInColours(a *app) {
	for _, f := range o.findings {
		fmt.Fprintf(a.stdout, "%s: %s: %s\n", a.screen.paint(oneLine(f.Place.String()), bold),
			a.screen.paintSeverity(cmp.Or(f.Word, string(f.Severity))), a.screen.emphasise(f.Message, f.Match))
	}
	fmt.Fprintln(a.stdout, a.screen.paint(oneLine(o.summary()), faint))
}

// writeMethods writes what the two methods say, and beside that what was found
// that is not in it.
func (o *outcome) writeMethods(a *app) error {
	var others []report.Finding
	for _, f := range o.findings {
		if !strings.HasPrefix(string(f.Rule), "file-") && f.Rule != ruleNoEntries && !slices.Contains(countedRules, f.Rule) {
			others = append(others, f)
		}
	}
	more := ""
	if others != nil {
		text, err := json.Marshal(others)
		if err != nil {
			return err
		}
		more = `,"findings":` + string(text)
	}
	_, err := fmt.Fprintf(a.stdout, "{%s%s}\n", o.methods, more)
	return err
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
