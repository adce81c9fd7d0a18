package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Finding is the result for one place in a text: the most severe rule that the text
// breaks there, and the others.
type Finding struct {
	Issue              // the most severe rule, with the severity and match at this place
	Span      Span     // in the text as given; zero if the rule requires a text that is missing
	Line      int      // from 1
	Also      []string // other rules broken here, as category/rule
	Unlowered Severity // the worst severity of these rules if the words here were neither quoted nor described
	order     int      // position of the issue in the result
	partner   Span     // the other part of the same credential
}

// IsLowered reports whether the severity is lowered because the words are quoted or
// described.
func (f Finding) IsLowered() bool { return f.Unlowered.Compare(f.Severity) < 0 }

// Describe returns the description of the rule, the match, and the severity without
// lowering if the severity is lowered.
func (f Finding) Describe() string {
	text := f.Description
	if f.Match != "" {
		text += fmt.Sprintf(": %q", f.Match)
	}
	if f.IsLowered() {
		text += fmt.Sprintf(" (%s if it were not quoted or described)", f.Unlowered)
	}
	return text
}

// Findings returns the findings of a result for text, by line. The result must have
// been requested with detail. An issue has at most one finding per line. Rules about
// attacks that match overlapping parts of the text share a finding, as do rules about
// one credential.
func (r Result) Findings(text string) []Finding {
	var found []Finding
	var attacks, credentials []Finding
	for i, issue := range r.Issues {
		switch places := issue.places(text, i); {
		case slices.Contains(spoken, issue.Category), slices.Contains(done, issue.Category), issue.Category == hiddenText:
			attacks = append(attacks, places...)
		case issue.Category == Secrets:
			credentials = append(credentials, places...)
		default:
			found = append(found, places...)
		}
	}
	found = slices.Concat(found, merged(attacks), merged(credentials))
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Or(a.Line-b.Line, a.order-b.order) })
	return found
}

// places returns the findings of one issue: for each line, the most severe.
func (i Issue) places(text string, order int) []Finding {
	if len(i.Spans) == 0 {
		return []Finding{{Issue: i, Line: 1, Unlowered: i.Severity, order: order}}
	}
	var all []Finding
	line, at := 1, 0
	for k, span := range i.Spans {
		line += strings.Count(text[at:span.Start], "\n")
		at = span.Start
		f := Finding{Issue: i, Span: span, Line: line, Unlowered: i.unlowered, order: order}
		f.Severity, f.Match = i.Severities[k], i.Matches[k]
		n := len(all)
		switch {
		case n == 0 || all[n-1].Line < line:
			all = append(all, f)
		case f.Severity.Compare(all[n-1].Severity) < 0:
			all[n-1] = f
		}
	}
	return all
}

// hiddenText is the category of the rules about text that readers do not see, or see
// differently.
const hiddenText = "hidden-text"

// merged merges each finding into a more severe one about the same thing, or an earlier
// one of equal severity, and returns the remaining findings.
func merged(all []Finding) (found []Finding) {
	for _, severity := range Severities() {
		isOther := func(f Finding) bool { return f.Severity != severity }
		found = merge(found, slices.DeleteFunc(slices.Clone(all), isOther))
	}
	return found
}

// merge adds the less severe findings in more to found. The findings in found are
// sorted and do not overlap.
func merge(found, more []Finding) []Finding {
	slices.SortStableFunc(more, func(a, b Finding) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	var added []Finding
	for _, f := range more {
		i, _ := slices.BinarySearchFunc(found, f.Span.Start+1, func(f Finding, at int) int { return f.Span.End - at })
		switch n := len(added); {
		case i < len(found) && found[i].includes(f):
			found[i].include(f)
		case i > 0 && found[i-1].includes(f):
			found[i-1].include(f)
		case n > 0 && added[n-1].includes(f):
			added[n-1].include(f)
		default:
			added = append(added, f)
		}
	}
	all := append(found, added...)
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return all
}

// includes reports whether another finding is about the same text or credential.
func (f Finding) includes(other Finding) bool {
	if f.Span.overlaps(other.Span) || f.partner.overlaps(other.Span) {
		return true
	}
	const near = 2 // lines
	return credentialPairs[[2]RuleID{f.RuleID, other.RuleID}] && max(f.Line-other.Line, other.Line-f.Line) <= near
}

// credentialPairs lists the pairs of rules that find the two parts of one credential.
var credentialPairs = map[[2]RuleID]bool{
	{"aws-access-key", "aws-secret-key"}: true,
	{"aws-secret-key", "aws-access-key"}: true,
}

func (f *Finding) include(other Finding) {
	if !f.Span.overlaps(other.Span) {
		f.partner = other.Span
	}
	if name := other.Category + "/" + string(other.RuleID); other.RuleID != f.RuleID && !slices.Contains(f.Also, name) {
		f.Also = append(f.Also, name)
	}
	if other.Unlowered.Compare(f.Unlowered) < 0 {
		f.Unlowered = other.Unlowered
	}
}
