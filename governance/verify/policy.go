package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"instruction-catalog/catalog/config"
	"instruction-catalog/governance/report"
)

// The rules about suppressions, the configuration and the baseline.
const (
	NoReason      report.Rule = "suppression/no-reason"
	Unused        report.Rule = "suppression/unused"
	UnknownRule   report.Rule = "config/unknown-rule"
	Expired       report.Rule = "config/expired"
	NotObeyed     report.Rule = "config/not-obeyed"
	NotRead       report.Rule = "config/not-read"
	StaleBaseline report.Rule = "baseline/stale"
)

// off is the severity of a rule whose findings are not reported.
const off = "off"

// integrity lists the prefixes of rules that cannot be changed or suppressed.
var integrity = []string{"sum/", "signature/", "suppression/"}

func isIntegrity(rule string) bool {
	return slices.ContainsFunc(integrity, func(kind string) bool { return strings.HasPrefix(rule, kind) })
}

// Policy decides which findings are reported, and with which severity.
type Policy struct {
	Config     *config.Config
	ConfigPath string // path of the configuration file, relative to the same folder as the paths of findings
	Untrusted  bool   // no comment or setting in the repository may suppress or lower findings
	Rules      []report.RuleDoc
	Now        time.Time
	// LooksFor reports whether this run checks for a key, which is the id of a rule or a
	// prefix of ids.
	LooksFor func(key string) bool
}

// Text is a Markdown text in which comments may suppress findings.
type Text struct {
	Path      string // in the form of the paths of findings
	FirstLine int    // line of the file at which the text begins, from 1
	Body      string
}

// Verdict holds the reported and the suppressed findings.
type Verdict struct {
	Findings   []report.Finding
	Suppressed []report.Suppressed
}

// Check returns an error if the configuration changes an integrity rule, or lowers or
// switches off an error without giving a reason.
func (p Policy) Check() error {
	for _, key := range slices.Sorted(maps.Keys(p.Config.Rules)) {
		r := p.Config.Rules[key]
		if isIntegrity(key) {
			return fmt.Errorf("rules.%s: rules of integrity cannot be changed: remove it", key)
		}
		if r.Reason == "" && slices.ContainsFunc(p.Rules, func(d report.RuleDoc) bool {
			return Covers(key, d.ID) && d.Severity == report.Error && r.Severity != string(report.Error)
		}) {
			return fmt.Errorf(`rules.%s: an error that is off or less severe needs a reason: write {"severity": %q, "reason": "…"}`, key, r.Severity)
		}
	}
	return nil
}

// Judge applies the configuration, and the comments in texts, to the findings. It adds
// findings about the configuration and the comments themselves.
func (p Policy) Judge(found []report.Finding, texts []Text) Verdict {
	v := Verdict{Findings: p.aboutConfig()}
	comments := map[string][]*comments{}
	for _, text := range texts {
		c, about := p.commentsIn(text)
		comments[text.Path] = append(comments[text.Path], c)
		v.Findings = append(v.Findings, about...)
	}
	for _, f := range found {
		if by, ok := p.silencer(&f, comments); ok {
			v.Suppressed = append(v.Suppressed, report.Suppressed{Finding: f, By: by})
		} else {
			v.Findings = append(v.Findings, f)
		}
	}
	for _, text := range texts {
		for _, c := range comments[text.Path] {
			if c.text == text {
				v.Findings = append(v.Findings, p.unused(c)...)
			}
		}
	}
	return v
}

// comments holds the suppressions in a text, and whether each was used.
type comments struct {
	text Text
	all  []suppression
	used []bool
}

func (p Policy) commentsIn(text Text) (c *comments, about []report.Finding) {
	c = &comments{text: text}
	for _, s := range suppressions(text.Body) {
		at := report.Place{Path: text.Path, Line: text.FirstLine + s.line - 1}
		switch {
		case s.reason == "":
			about = append(about, report.Finding{
				Rule: NoReason, Severity: report.Error, Place: at, Binding: true, Match: strings.Join(s.rules, ","),
				Message: "catalog:ignore has no reason, and silences nothing: write `<!-- catalog:ignore RULE reason -->`",
			})
		case p.Untrusted:
			about = append(about, p.notObeyed(at, "catalog:ignore "+strings.Join(s.rules, ",")))
		default:
			c.all = append(c.all, s)
		}
	}
	c.used = make([]bool, len(c.all))
	return c, about
}

// silencer returns the comment or setting that suppresses f, if any. It also changes the
// severity of f if the configuration sets one.
func (p Policy) silencer(f *report.Finding, texts map[string][]*comments) (by report.Silencer, silenced bool) {
	if f.Binding || isIntegrity(string(f.Rule)) {
		return by, false
	}
	if key, r, ok := p.change(f.Rule); ok && p.obeys(r, f.Severity) {
		if r.Severity == off {
			return report.Silencer{Place: report.Place{Path: p.ConfigPath}, Reason: cmp.Or(r.Reason, "rules."+key)}, true
		}
		f.Severity = report.Severity(r.Severity)
	}
	for _, at := range append([]report.Place{f.Place}, f.Related...) {
		for _, c := range texts[at.Path] {
			for i, s := range c.all {
				if s.silences(f.Rule, max(at.Line-c.text.FirstLine+1, 0)) {
					c.used[i] = true
					line := c.text.FirstLine + s.line - 1
					return report.Silencer{Place: report.Place{Path: at.Path, Line: line}, Reason: s.reason}, true
				}
			}
		}
	}
	return by, false
}

// change returns the setting of the configuration for a rule. The longest matching key
// wins; expired settings are ignored.
func (p Policy) change(rule report.Rule) (key string, change config.Rule, ok bool) {
	for k, r := range p.Config.Rules {
		if Covers(k, rule) && !r.Until.IsOver(p.Now) && (!ok || len(k) > len(key)) {
			key, change, ok = k, r, true
		}
	}
	return key, change, ok
}

// obeys reports whether a change of severity takes effect. In an untrusted repository, a
// change that lowers a severity does not.
func (p Policy) obeys(change config.Rule, severity report.Severity) bool {
	return !p.Untrusted || change.Severity != off && report.Severity(change.Severity).AtLeast(severity)
}

func (p Policy) unused(c *comments) (found []report.Finding) {
	for i, s := range c.all {
		if c.used[i] || !slices.ContainsFunc(s.rules, p.looksFor) {
			continue
		}
		rules := strings.Join(s.rules, ",")
		found = append(found, report.Finding{
			Rule: Unused, Severity: report.Warning, Match: rules,
			Place:   report.Place{Path: c.text.Path, Line: c.text.FirstLine + s.line - 1},
			Message: fmt.Sprintf("catalog:ignore %s silences nothing: remove it", rules),
		})
	}
	return found
}

// looksFor reports whether this run checks for a key and the configuration does not switch
// it off.
func (p Policy) looksFor(key string) bool {
	_, r, ok := p.change(report.Rule(key))
	return p.LooksFor(key) && !(ok && r.Severity == off)
}

// aboutConfig returns findings about parts of the configuration that have no effect.
func (p Policy) aboutConfig() (found []report.Finding) {
	c := p.Config
	at := report.Place{Path: p.ConfigPath}
	for _, key := range slices.Sorted(maps.Keys(c.Rules)) {
		r := c.Rules[key]
		switch {
		case !slices.ContainsFunc(p.Rules, func(d report.RuleDoc) bool { return Covers(key, d.ID) }):
			found = append(found, report.Finding{
				Rule: UnknownRule, Severity: report.Warning, Place: at, Match: key,
				Message: fmt.Sprintf("rules.%s: there is no such rule: correct it, or remove it; `catalog rules` lists all", key),
			})
		case r.Until.IsOver(p.Now):
			found = append(found, report.Finding{
				Rule: Expired, Severity: report.Note, Place: at, Match: key,
				Message: fmt.Sprintf("rules.%s: it expired on %s, and the rule applies again: remove it", key, r.Until),
			})
		case p.Untrusted && slices.ContainsFunc(p.Rules, func(d report.RuleDoc) bool { return Covers(key, d.ID) && !p.obeys(r, d.Severity) }):
			found = append(found, p.notObeyed(at, "rules."+key))
		}
	}
	if p.Untrusted {
		for _, member := range []struct{ name, value string }{
			{"review", c.Review}, {"failOn", c.FailOn}, {"baseline", c.Baseline}, {"exclude", strings.Join(c.Exclude, ",")},
		} {
			if member.value != "" {
				found = append(found, p.notObeyed(at, member.name))
			}
		}
	}
	for _, name := range c.NotRead {
		found = append(found, report.Finding{
			Rule: NotRead, Severity: report.Note, Place: report.Place{Path: name}, Match: name,
			Message: "this configuration is not read, only the one at the top of the repository: move its settings there",
		})
	}
	return found
}

func (p Policy) notObeyed(at report.Place, what string) report.Finding {
	return report.Finding{
		Rule: NotObeyed, Severity: report.Note, Place: at, Match: what, Binding: true,
		Message: what + " is not obeyed, because the repository is untrusted",
	}
}
