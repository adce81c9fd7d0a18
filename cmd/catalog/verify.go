package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/review"
	"instruction-catalog/rpc"
)

// verifyOptions are what the arguments and flags of verify say.
type verifyOptions struct {
	dirs               []string // the catalogs; none for the one of --dir
	format             string
	failOn             string
	strict, allowEmpty bool
	baseline           string
	since              string
	pubkey             publicKey
	review             string
}

func (a *app) verifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [DIR…]",
		Short: "Check the catalog: every file, every hash, every policy gate",
		Long:  aboutVerify,
		Example: `  catalog verify --strict
  catalog verify --since origin/main --format github
  catalog verify --format json > known.json; catalog verify --baseline known.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			o.dirs = dirs
			if err := a.checkVerifyOptions(cmd, &o); err != nil {
				return err
			}
			return a.runVerify(cmd.Context(), o)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	o.register(cmd)
	return cmd
}

const aboutVerify = `Checks the catalog, or several. Prints what there is to say about each file as
path:line: severity: message, then bodies that are not what their hash was taken
of, what is wrong between entries (duplicates, contradictions, references that lead
nowhere), failed gates and a summary. Exits 1 if a file could not become an entry, a
body drifted, a gate of severity error failed, or there is no entry at all.
Warnings count with --fail-on warning, or --strict, which is the same; failed
gates of severity warn are among them. Notes never count.

Where there is a catalog.sum, each entry that was changed, removed or added since it
was written is an error; see "catalog lock". With --pubkey, so is a catalog that this
key has not signed; see "catalog sign".

--format says how that is written: text for people; json; sarif for code scanning;
junit for whatever shows test results; github for annotations of GitHub Actions;
markdown for a comment. Nothing else is written to standard output.

--review holds each body, title, summary and rationale against the criteria for
prompts. What breaks a rule of that severity or a worse one is an error; what is
below is not shown.

--baseline names an earlier report, of --format json: what stands in it is neither
shown nor counted any more. It is known by its rule, file and match, whatever its
line, and a failed gate by the entries that it names, too. Integrity and signatures
have no baseline.

--since shows and counts only what concerns files that differ from a git revision,
or that git does not know, and what is said about the catalog as a whole. A reference
concerns the file that it led to, too, until that was changed or removed.

With --json, prints the results of integrity/verify and gates/evaluate by name, and
under "findings" what else was found.`

// register gives the command its flags.
func (o *verifyOptions) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.format, "format", string(report.Text), report.List(report.Formats))
	flags.StringVar(&o.failOn, "fail-on", string(report.Error), "the least `severity` that counts: error or warning")
	flags.BoolVar(&o.strict, "strict", false, "count warnings as findings: --fail-on warning")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "let a catalog pass that has no entry")
	flags.StringVar(&o.review, "review", string(review.High), "review entries, and fail for what is of this `severity` or worse; or none")
	flags.StringVar(&o.baseline, "baseline", "", "an earlier report `file`, of --format json, whose findings are known")
	o.pubkey.register(cmd, "pubkey", "fail unless this key has signed the catalog")
	flags.StringVar(&o.since, "since", "", "only what changed since this git `revision`")
	oneOf(cmd, "format", report.Formats...)
	oneOf(cmd, "fail-on", report.Error, report.Warning)
	oneOf(cmd, "review", append(review.Severities(), noReview)...)
}

// checkVerifyOptions refuses options that mean nothing, alone or beside each other.
func (a *app) checkVerifyOptions(cmd *cobra.Command, o *verifyOptions) error {
	given := cmd.Flags().Changed
	if _, err := report.ParseFormat(o.format); err != nil {
		return seeHelp(cmd, fmt.Errorf("--format: %w", err))
	}
	if err := checkReviewSeverity("--review", o.review); err != nil {
		return seeHelp(cmd, err)
	}
	switch {
	case o.failOn != string(report.Error) && o.failOn != string(report.Warning):
		return seeHelp(cmd, fmt.Errorf("--fail-on: %q is neither error nor warning", o.failOn))
	case o.strict && given("fail-on") && o.failOn == string(report.Error):
		return seeHelp(cmd, errors.New("--strict is --fail-on warning: leave one of the two out"))
	case len(o.dirs) > 0 && given("dir"):
		return seeHelp(cmd, errors.New("the catalog is named twice, as an argument and with --dir: leave one out"))
	case slices.Contains(o.dirs, ""):
		return seeHelp(cmd, errors.New("the name of a folder is empty"))
	case a.json && given("format"):
		return seeHelp(cmd, errors.New("--json prints the results of two methods, --format json the findings: leave one out"))
	case a.json && len(o.dirs) > 1:
		return seeHelp(cmd, errors.New("--json prints the results of one catalog: use --format json for several"))
	case given("baseline") && o.baseline == "", given("since") && o.since == "":
		return seeHelp(cmd, errors.New("--baseline or --since is empty: give it a value, or leave the flag out"))
	}
	if o.strict {
		o.failOn = string(report.Warning)
	}
	return nil
}

// runVerify checks each catalog and tells what was found in all of them.
func (a *app) runVerify(ctx context.Context, o verifyOptions) error {
	result := outcome{options: o}
	if err := result.readBaseline(); err != nil {
		return err
	}
	if len(o.dirs) > 0 {
		a.above = above{}
	} else {
		o.dirs = []string{a.dir}
	}
	for _, a.dir = range o.dirs {
		v, err := a.verify(ctx, o)
		if err != nil {
			return err
		}
		if err := result.add(ctx, v); err != nil {
			return err
		}
	}
	if err := result.write(a); err != nil {
		return err
	}
	if slices.ContainsFunc(result.findings, result.fails) {
		return errFindings
	}
	return nil
}

// check is a source of findings about a catalog. An error is for what cannot be
// checked at all; what is wrong with the catalog is a finding.
type check func(*verification, context.Context) ([]report.Finding, error)

// checks are all of them, in the order in which their findings are shown. Each
// stands in a file with its subject.
var checks = []check{
	(*verification).checkFiles,
	(*verification).checkDrift,
	(*verification).checkBetween,
	(*verification).checkGates,
	(*verification).checkSum,
	(*verification).checkReview,
}

// verification is the check of one catalog, and what it found.
type verification struct {
	*app
	options  verifyOptions
	registry *rpc.Registry
	snapshot *catalog.Snapshot // the one that the methods answer from
	findings []report.Finding
	methods
	gateCount     int
	criteria      func() (*review.Criteria, error) // read once
	criteriaNames []string                         // of those that the entries were reviewed by
}

// methods has what the methods of that name say.
type methods struct {
	Integrity json.RawMessage `json:"integrity/verify"`
	Gates     json.RawMessage `json:"gates/evaluate"`
}

// verify holds the catalog against all checks.
func (a *app) verify(ctx context.Context, o verifyOptions) (*verification, error) {
	toolset, err := a.instructions()
	if err != nil {
		return nil, err
	}
	v := &verification{app: a, options: o}
	v.criteria = sync.OnceValues(func() (*review.Criteria, error) { return a.catalogCriteria(false) })
	if v.registry, err = a.registryOf(toolset.Toolset()); err != nil {
		return nil, err
	}
	if v.Integrity, err = a.callOn(ctx, v.registry, "integrity/verify", map[string]bool{"detail": true}); err != nil {
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
		for _, f := range found {
			f.About = cmp.Or(f.About, ruleAbouts[f.Rule])
			v.findings = append(v.findings, f)
		}
	}
	return v, nil
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
