package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/review"
	"instruction-catalog/governance/verify"
)

// verifyOptions holds the arguments and flags of the verify command.
type verifyOptions struct {
	dirs               []string // folders of catalogs; empty for the one in --dir
	format             string
	failOn             string
	strict, allowEmpty bool
	baseline           string
	since              string
	pubkey             publicKey
	review             string
	untrusted, notes   bool
	fix, diff          bool
}

func (a *app) verifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:        "verify [DIR…]",
		SuggestFor: []string{"check", "lint", "validate"},
		Short:      "Check the catalog: every file, every hash, every policy gate",
		Long:       aboutVerify,
		Example: `  catalog verify --strict
  catalog verify --since origin/main --format github
  catalog verify --fix --diff
  catalog verify --format json > known.json; catalog verify --baseline known.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			o.dirs = dirs
			if err := a.checkVerifyOptions(cmd, &o); err != nil {
				return err
			}
			return a.runVerify(cmd, o)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	o.register(cmd)
	return cmd
}

const aboutVerify = `Checks the catalog, or several. Each finding is listed below its file, as
line: severity: message (rule), with a summary at the end. Findings are: files that
are not served as written, bodies that do not match their recorded hash, conflicts
between entries (duplicates, contradictions, dead references), failed gates, and
hostile text. "catalog rules" explains each rule.

Exits 1 if there is an error, or no entry at all. With --fail-on warning, or --strict,
which is the same, warnings count, too, including failed gates of severity warn. Notes
never count, and are shown with --notes. If there is a catalog.sum, each entry that was
changed, removed or added since it was written is an error; see "catalog lock". With
--pubkey, so is a catalog that this key has not signed; see "catalog sign".

A line <!-- catalog:ignore RULE reason --> in a Markdown file suppresses a rule: before
any other text for the whole file, otherwise for the next paragraph, list, table or
code block. .catalog/config.json at the top of the repository turns rules off or changes
their severity, with a reason; flags take precedence. Suppressed findings are counted,
and --format json lists them. --untrusted, for repositories of other people, ignores
all suppressions and reports them.

--format is the format of the findings: text for people; json; sarif for code
scanning; junit for tools that show test results; github for annotations of GitHub
Actions; markdown for a comment. Nothing else is written to standard output. Paths are
relative to the working directory in text, and to the top of the repository otherwise.

--review checks each body, title, summary and rationale against the criteria for
prompts. A text that breaks a rule of that severity or a higher one is an error; lower
severities are not shown.

--baseline names an earlier report, of --format json. Findings that are in it are
neither shown nor counted, and findings that are gone are a warning. A finding is
recognised by its rule, file and match, regardless of its line, and a failed gate also
by the entries that it names. Integrity and signatures have no baseline.

--since shows and counts only findings in files that differ from a git revision or are
untracked, and findings about the catalog as a whole. If a reference is dead because its
target was changed or removed since, it is shown, too.

--fix repairs findings that have a single correct repair: quoted globs of Cursor, an
applyTo that is a list, misspelt fields. Each repair is printed, all other bytes stay,
and the report and the exit code are those of the repaired catalog. --fix --diff prints
a unified diff and writes nothing. "catalog hash --write" records hashes.

With --json, prints the results of integrity/verify and gates/evaluate by name, and
all other findings under "findings".`

// register adds the flags to a command.
func (o *verifyOptions) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.format, "format", string(textFormat), report.List(verifyFormats))
	flags.StringVar(&o.failOn, "fail-on", string(report.Error), "the lowest `severity` that counts: error or warning")
	flags.BoolVar(&o.strict, "strict", false, "count warnings as findings: --fail-on warning")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "do not fail for a catalog without entries")
	flags.StringVar(&o.review, "review", string(review.High), "review entries, and fail for issues of this `severity` or higher; or none")
	flags.StringVar(&o.baseline, "baseline", "", "an earlier report `file`, of --format json, whose findings are ignored")
	flags.BoolVar(&o.notes, "notes", false, "show notes, too")
	flags.BoolVar(&o.untrusted, "untrusted", false, "ignore settings and comments in the repository that suppress findings")
	flags.BoolVar(&o.fix, "fix", false, "repair findings that have a single correct repair, and check again")
	flags.BoolVar(&o.diff, "diff", false, "with --fix, print what it would change, and write nothing")
	o.pubkey.register(cmd, "pubkey", "fail unless this key has signed the catalog")
	flags.StringVar(&o.since, "since", "", "only what changed since this git `revision`")
	oneOf(cmd, "format", verifyFormats...)
	oneOf(cmd, "fail-on", report.Error, report.Warning)
	oneOf(cmd, "review", append(review.Severities(), review.None)...)
}

// checkVerifyOptions returns an error for options that are invalid, alone or together.
// It applies --strict.
func (a *app) checkVerifyOptions(cmd *cobra.Command, o *verifyOptions) error {
	given := cmd.Flags().Changed
	if !slices.Contains(verifyFormats, report.Format(o.format)) {
		return seeHelp(cmd, fmt.Errorf("--format: %q is not a format: name one of %s", o.format, report.List(verifyFormats)))
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
	case o.diff && !o.fix:
		return seeHelp(cmd, errors.New("--diff shows what --fix would change: add --fix"))
	case o.fix && (a.json || given("since")):
		return seeHelp(cmd, errors.New("--fix repairs all files, and prints in the form of --format: leave --json and --since out"))
	case given("baseline") && o.baseline == "", given("since") && o.since == "":
		return seeHelp(cmd, errors.New("--baseline or --since is empty: give it a value, or leave the flag out"))
	}
	if o.strict {
		o.failOn = string(report.Warning)
	}
	return nil
}

// runVerify verifies each catalog and prints the findings of all. It returns
// errFindings if a finding counts.
func (a *app) runVerify(cmd *cobra.Command, o verifyOptions) error {
	if len(o.dirs) > 0 {
		a.above = above{}
	} else {
		o.dirs = []string{a.dir}
	}
	result := outcome{}
	for i, dir := range o.dirs {
		a.dir = dir
		configured, repo, err := a.configured(cmd, o)
		if err != nil {
			return err
		}
		if i == 0 {
			result.options = configured
			if err := result.readBaseline(); err != nil {
				return err
			}
		}
		v, err := a.verify(cmd.Context(), configured)
		if err != nil {
			return err
		}
		if err := v.judge(repo); err != nil {
			return err
		}
		if o.fix {
			if v, err = a.fix(cmd.Context(), v); err != nil {
				return err
			}
		}
		if err := result.add(cmd.Context(), v); err != nil {
			return err
		}
	}
	result.addStale()
	if !o.diff {
		if err := result.write(a); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(result.findings, result.fails) {
		return errFindings
	}
	return nil
}

// verification is a run of the checks on one catalog, with its result.
type verification struct {
	run     verify.Run
	options verifyOptions
	verify.Result

	repository repository
	suppressed []report.Suppressed
	methods    methods
}

// methods holds the results of the methods that --json prints.
type methods struct {
	Integrity json.RawMessage `json:"integrity/verify"`
	Gates     json.RawMessage `json:"gates/evaluate"`
}

// verify runs all checks on the catalog.
func (a *app) verify(ctx context.Context, o verifyOptions) (*verification, error) {
	from := a.source()
	if o.untrusted {
		from = from.Untrusted()
	}
	return a.verifySource(ctx, o, from)
}

func (a *app) verifySource(ctx context.Context, o verifyOptions, from *source.Source) (*verification, error) {
	key, err := o.pubkey.read()
	if err != nil {
		return nil, err
	}
	show, finish := a.showing("files")
	defer finish()
	a.sayAbove()
	snapshot, err := from.Load(source.WithProgress(ctx, show))
	if err != nil {
		return nil, err
	}
	v := &verification{options: o, run: verify.Run{
		Source: from, Snapshot: snapshot, Folder: a.folder(), Review: review.Severity(o.review), Now: time.Now(), Key: key, Progress: show,
		Criteria: sync.OnceValues(func() (*review.Criteria, error) { return a.catalogCriteria(false) }),
	}}
	if v.Result, err = v.run.Find(ctx); err == nil && a.json {
		v.methods, err = a.callMethods(ctx)
	}
	return v, err
}

// callMethods calls the methods whose results --json prints.
func (a *app) callMethods(ctx context.Context) (m methods, err error) {
	registry, err := a.registry()
	if err != nil {
		return m, err
	}
	if m.Integrity, err = a.callOn(ctx, registry, "integrity/verify", map[string]bool{"detail": true}); err != nil {
		return m, err
	}
	m.Gates, err = a.callOn(ctx, registry, "gates/evaluate", a.gatesParams())
	return m, err
}
