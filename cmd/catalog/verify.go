package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
	"instruction-catalog/rpc"
)

// verifyOptions are what the flags of verify say.
type verifyOptions struct {
	strict, allowEmpty bool
}

func (a *app) verifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check the catalog: every file, every hash, every policy gate",
		Long: `Checks the catalog. Prints what there is to say about each file as
path:line: severity: message, then bodies that are not what their hash was taken
of, failed gates and a summary. Exits 1 if a file could not become an entry, a
body drifted, a gate of severity error failed, or there is no entry at all.
Warnings count with --strict, failed gates of severity warn among them; notes never do.

With --json, prints the results of integrity/verify and gates/evaluate by name.`,
		Example: `  catalog verify --dir . --strict`,
		Args:    arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := a.verify(cmd.Context())
			if err != nil {
				return err
			}
			a.printVerification(v)
			if v.fails(o) {
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&o.strict, "strict", false, "count warnings as findings")
	cmd.Flags().BoolVar(&o.allowEmpty, "allow-empty", false, "let a catalog pass that has no entry")
	return cmd
}

// check is a source of findings about a catalog. An error is for what cannot be
// checked at all; what is wrong with the catalog is a finding.
type check func(*verification, context.Context) ([]report.Finding, error)

// checks are all of them, in the order in which their findings are shown. Each
// stands in a file with its subject.
var checks = []check{
	(*verification).checkFiles,
	(*verification).checkDrift,
	(*verification).checkGates,
}

// verification is the check of one catalog, and what it found.
type verification struct {
	*app
	registry *rpc.Registry
	snapshot *catalog.Snapshot // the one that the methods answer from
	findings []report.Finding

	// What the two methods say, for --json.
	integrity, gates json.RawMessage
	gateCount        int
}

// verify holds the catalog against all checks.
func (a *app) verify(ctx context.Context) (*verification, error) {
	toolset, err := a.instructions()
	if err != nil {
		return nil, err
	}
	v := &verification{app: a}
	if v.registry, err = a.registryOf(toolset.Toolset()); err != nil {
		return nil, err
	}
	if v.integrity, err = a.callOn(ctx, v.registry, "integrity/verify", map[string]bool{"detail": true}); err != nil {
		return nil, err
	}
	if v.snapshot, err = toolset.Snapshot(ctx); err != nil {
		return nil, err
	}
	for _, find := range checks {
		found, err := find(v, ctx)
		if err != nil {
			return nil, err
		}
		v.findings = append(v.findings, found...)
	}
	return v, nil
}

// fails reports whether there is anything for which verify fails.
func (v *verification) fails(o verifyOptions) bool {
	least := report.Error
	if o.strict {
		least = report.Warning
	}
	for _, f := range v.findings {
		if f.Rule == ruleNoEntries {
			if !o.allowEmpty {
				return true
			}
		} else if f.Severity.AtLeast(least) {
			return true
		}
	}
	return false
}

func (a *app) printVerification(v *verification) {
	if a.json {
		fmt.Fprintf(a.stdout, "{\"integrity/verify\":%s,\"gates/evaluate\":%s}\n", v.integrity, v.gates)
		return
	}
	for _, f := range v.findings {
		fmt.Fprintln(a.stdout, lineOf(f))
	}
	drifted, gates := v.count(ruleDrift), v.count(ruleGateFailed)+v.count(ruleGateBroken)
	fmt.Fprintf(a.stdout, "%s, %s, %s, %s, %d drifted, %d of %s failed\n",
		count(len(v.snapshot.Entries()), "entry", "entries"),
		count(v.others(report.Error), "error", "errors"),
		count(v.others(report.Warning), "warning", "warnings"),
		count(v.others(report.Note), "note", "notes"),
		drifted, gates, count(v.gateCount, "gate", "gates"))
}

// lineOf is a finding as a line of text. That of a gate has the word of gates.json
// for its severity.
func lineOf(f report.Finding) string {
	if f.Rule == ruleGateFailed && f.Severity == report.Warning {
		f.Severity = "warn"
	}
	return f.String()
}

// count counts the findings of a rule.
func (v *verification) count(rule report.Rule) int {
	n := 0
	for _, f := range v.findings {
		if f.Rule == rule {
			n++
		}
	}
	return n
}

// others counts the findings of a severity that the summary does not count by
// their rule.
func (v *verification) others(s report.Severity) int {
	n := 0
	for _, f := range v.findings {
		switch f.Rule {
		case ruleDrift, ruleGateFailed, ruleGateBroken:
		default:
			if f.Severity == s {
				n++
			}
		}
	}
	return n
}

// place is a line of a file in the folder of the catalog.
func (v *verification) place(within string, line int) report.Place {
	return report.Place{Path: path.Join(v.folder(), within), Line: line}
}

// entryPlace is where an entry stands.
func (v *verification) entryPlace(e *catalog.Entry) report.Place {
	return v.place(e.Origin.Path, e.Origin.FirstLine())
}

// bodyPlace is a line of an entry's body, from 1. In a file where the body is a
// string of JSON or TOML it is the line of that string.
func (v *verification) bodyPlace(e *catalog.Entry, line int) report.Place {
	at := v.entryPlace(e)
	if ext := path.Ext(e.Origin.Path); e.Origin.Line == 0 && ext != ".json" && ext != ".toml" {
		at.Line += line - 1
	}
	return at
}
