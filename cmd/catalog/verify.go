package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/gates"
)

func (a *app) verifyCommand() *cobra.Command {
	var strict, allowEmpty bool
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
			report, err := a.verify(cmd.Context())
			if err == nil && report.findings(strict, allowEmpty) {
				return errFindings
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "count warnings as findings")
	cmd.Flags().BoolVar(&allowEmpty, "allow-empty", false, "let a catalog pass that has no entry")
	return cmd
}

// verification is what the two methods say that make up a verification.
type verification struct {
	integrity struct {
		Count       int
		Issues      []drift
		Diagnostics []catalog.Diagnostic
	}
	gates gateReport
}

func (a *app) verify(ctx context.Context) (*verification, error) {
	registry, err := a.registry()
	if err != nil {
		return nil, err
	}
	integrity, err := a.callOn(ctx, registry, "integrity/verify", map[string]bool{"detail": true, "origin": !a.json})
	if err != nil {
		return nil, err
	}
	gates, err := a.callOn(ctx, registry, "gates/evaluate", struct{}{})
	if err != nil {
		return nil, err
	}
	var v verification
	if err := json.Unmarshal(integrity, &v.integrity); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(gates, &v.gates); err != nil {
		return nil, err
	}
	if a.json {
		fmt.Fprintf(a.stdout, "{\"integrity/verify\":%s,\"gates/evaluate\":%s}\n", integrity, gates)
		return &v, nil
	}
	a.printVerification(&v)
	return &v, nil
}

// findings reports whether there is anything for which verify fails.
func (v *verification) findings(strict, allowEmpty bool) bool {
	n := v.files(catalog.SeverityError) + len(v.integrity.Issues) + v.gates.Summary.Errors
	empty := v.integrity.Count == 0
	if strict {
		n += v.files(catalog.SeverityWarning) + v.gates.Summary.Warnings
		if empty { // of which one warning is
			n--
		}
	}
	return n > 0 || empty && !allowEmpty
}

// files counts the diagnostics of a severity.
func (v *verification) files(s catalog.Severity) int {
	n := 0
	for _, d := range v.integrity.Diagnostics {
		if d.Severity == s {
			n++
		}
	}
	return n
}

func (a *app) printVerification(v *verification) {
	folder := a.folder()
	for _, d := range v.integrity.Diagnostics {
		fmt.Fprintln(a.stdout, describe(folder, d))
	}
	for _, d := range v.integrity.Issues {
		fmt.Fprintln(a.stdout, describe(folder, d.diagnostic()))
	}
	for _, g := range v.gates.Results {
		if !g.Passed {
			fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf("%s: %s: gate %q failed: %s",
				a.gatesPath(), g.Severity, g.ID, condition(g))))
		}
	}
	fmt.Fprintf(a.stdout, "%s, %s, %s, %s, %d drifted, %s failed\n",
		count(v.integrity.Count, "entry", "entries"),
		count(v.files(catalog.SeverityError), "error", "errors"),
		count(v.files(catalog.SeverityWarning), "warning", "warnings"),
		count(v.files(catalog.SeverityNote), "note", "notes"),
		len(v.integrity.Issues), v.gates.failed())
}

// gatesPath is where the gates are that are evaluated.
func (a *app) gatesPath() string {
	if own, err := source.New(a.dir).Gates(); own != nil || err != nil {
		return path.Join(a.folder(), filepath.Base(a.dir))
	}
	return path.Join(a.folder(), gates.File)
}

// folder is what the paths of diagnostics are within, with slashes, and from the
// working directory if it lies there.
func (a *app) folder() string {
	folder := filepath.Clean(source.New(a.dir).Folder())
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(folder) {
		if within, err := filepath.Rel(wd, folder); err == nil && filepath.IsLocal(within) {
			folder = within
		}
	}
	return filepath.ToSlash(folder)
}

func describe(folder string, d catalog.Diagnostic) string {
	d.Path = path.Join(folder, d.Path)
	return oneLine(d.String())
}

// drift is a body that is not what its hash was taken of, and where it stood.
type drift struct {
	catalog.Drift
	Origin struct {
		Path string
		Line int
	}
}

func (d drift) diagnostic() catalog.Diagnostic {
	message := fmt.Sprintf("drift: the body of %s has hash %s and should have %s: review the change, then record the new hash or none",
		d.ID, d.Actual, d.Expected)
	if d.Actual == "" {
		message = fmt.Sprintf("drift: the file of %s is gone or no instruction any more", d.ID)
	}
	return catalog.Diagnostic{Path: d.Origin.Path, Line: d.Origin.Line, Severity: catalog.SeverityError, Message: message}
}
