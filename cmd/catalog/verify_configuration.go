package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	repoconfig "instruction-catalog/catalog/config"
	"instruction-catalog/governance/verify"
)

// repository is the configuration of a repository.
type repository struct {
	*repoconfig.Config
	untrusted bool
}

// path returns the path of the configuration file, as shown in findings.
func (s repository) path() string {
	return shownFrom(filepath.Join(s.Top, filepath.FromSlash(repoconfig.Path)))
}

// configured returns the options with defaults from the configuration of the catalog's
// repository, and that configuration. Flags take precedence. With --untrusted, the
// configuration is not applied.
func (a *app) configured(cmd *cobra.Command, o verifyOptions) (verifyOptions, repository, error) {
	c, err := repoconfig.Find(a.dir)
	if err != nil {
		return o, repository{}, err
	}
	s := repository{c, o.untrusted}
	given := cmd.Flags().Changed
	if o.untrusted {
		return o, s, nil
	}
	if c.Review != "" && !given("review") {
		o.review = c.Review
	}
	if c.FailOn != "" && !given("fail-on") && !o.strict {
		o.failOn = c.FailOn
	}
	if c.Baseline != "" && !given("baseline") {
		o.baseline = filepath.Join(c.Top, filepath.FromSlash(c.Baseline))
	}
	return o, s, nil
}

// judge applies the configuration and the suppressions in the texts to the findings.
func (v *verification) judge(s repository) error {
	v.repository = s
	verdict, err := v.run.Judge(verify.Policy{
		Config: s.Config, ConfigPath: s.path(), Untrusted: s.untrusted,
		LooksFor: func(key string) bool { return v.options.since == "" && v.run.LooksFor(key) },
	}, v.Findings)
	v.Findings, v.suppressed = verdict.Findings, verdict.Suppressed
	return err
}

// says summarises on one line the configuration and the number of suppressed findings.
// It returns "" if there is nothing to report.
func (s repository) says(suppressed int) string {
	var parts []string
	if s.Exists {
		if s.Review != "" && !s.untrusted {
			parts = append(parts, "review "+s.Review)
		}
		off := 0
		for _, r := range s.Rules {
			if r.Severity == "off" && !r.Until.IsOver(time.Now()) {
				off++
			}
		}
		if off > 0 && !s.untrusted {
			parts = append(parts, count(off, "rule", "rules")+" off")
		}
		if s.untrusted {
			parts = append(parts, "not obeyed where it suppresses findings")
		}
	}
	if suppressed > 0 {
		parts = append(parts, fmt.Sprintf("%d suppressed", suppressed))
	}
	switch {
	case s.Exists && len(parts) == 0:
		return s.path()
	case s.Exists:
		return s.path() + ": " + strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ")
}

// fromTop converts a finding's path to one relative to the top of the repository. It
// returns the path unchanged if the path is outside the repository.
func (s repository) fromTop(path string) string {
	if s.Config == nil || !s.IsRepository {
		return path
	}
	full, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil {
		return path
	}
	within := fromFolder(s.Top, full)
	if !filepath.IsLocal(within) {
		return path
	}
	return filepath.ToSlash(within)
}

// shownFrom returns an absolute path relative to the working directory, with slashes.
func shownFrom(full string) string {
	if wd, err := os.Getwd(); err == nil {
		full = fromFolder(wd, full)
	}
	return filepath.ToSlash(full)
}
