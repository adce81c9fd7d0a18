package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Finding is what there is to say about a place of a text: the worst of the rules that
// it breaks, and the others.
type Finding struct {
	Issue              // of the rule, with the severity and the match of this place
	Span      Span     // in the text as given; zero where a text is missing
	Line      int      // from 1
	Also      []string // other rules that found something here, as category/rule
	Unlowered Severity // the worst severity of these rules, were nothing here quoted or described
	order     int      // of the issue
	partner   Span     // of the other part of the credential
}

// IsLowered reports whether the severity is less for the way the text uses the words.
func (f Finding) IsLowered() bool { return f.Unlowered.Compare(f.Severity) < 0 }

// Describe returns the description of the rule with what was found at the place.
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

// Findings returns the issues by their places in the text, of a result with detail. An
// issue has at most one finding a line. Rules about attacks that found overlapping parts
// of the text are one finding, and so are those about one credential.
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

// places returns the findings of one issue, of each line the worst.
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

// hiddenText is the category of the rules about text that is not seen as it is read.
const hiddenText = "hidden-text"

// merged returns findings without those that others include.
func merged(all []Finding) (found []Finding) {
	for _, severity := range Severities() {
		isOther := func(f Finding) bool { return f.Severity != severity }
		found = merge(found, slices.DeleteFunc(slices.Clone(all), isOther))
	}
	return found
}

// merge adds findings that are less severe to those that are there, which are sorted and
// do not overlap.
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

// includes reports whether another finding is about the same thing.
func (f Finding) includes(other Finding) bool {
	if f.Span.overlaps(other.Span) || f.partner.overlaps(other.Span) {
		return true
	}
	const near = 2 // lines
	return credentialPairs[[2]RuleID{f.RuleID, other.RuleID}] && max(f.Line-other.Line, other.Line-f.Line) <= near
}

// credentialPairs are the rules that find the two parts of one credential.
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
