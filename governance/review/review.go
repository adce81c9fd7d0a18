package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// MaxPrompt is the maximum length of a prompt, in bytes, including null bytes.
const MaxPrompt = 10240

// Result is the result of reviewing a text.
type Result struct {
	Issues  []Issue `json:"issues"` // in the order of the rules, at most one for each rule
	Summary Summary `json:"summary"`
	Length  int     `json:"length"` // length of the text in bytes, without null bytes

	Criteria []string `json:"criteria,omitempty"` // names of the criteria; set by the caller
}

// Issue is a rule that a text breaks.
type Issue struct {
	RuleID      RuleID     `json:"ruleId"`
	Category    string     `json:"category"`
	Severity    Severity   `json:"severity"`
	Description string     `json:"description"`
	Match       string     `json:"match,omitempty"` // the first match, with secrets redacted; absent if the rule requires a text that is missing
	Remediation string     `json:"remediation,omitempty"`
	Spans       []Span     `json:"spans,omitempty"` // the matches in the text as given, in order; absent without detail, or if the rule requires a text that is missing
	Matches     []string   `json:"-"`               // the text of each span, redacted as Match is
	Severities  []Severity `json:"-"`               // the severity at each span; Severity is the worst of them
	unlowered   Severity   // severity of the rule
}

// Summary counts the issues.
type Summary struct {
	Counts          Counts   `json:"counts"`
	HighestSeverity Severity `json:"highestSeverity"` // [Info] if there are no issues
}

// TooLong is the error for a prompt longer than [MaxPrompt] bytes. No part of the
// prompt was reviewed. Its JSON is the error data that the contract requires.
type TooLong struct {
	Max    int `json:"max"`    // in bytes
	Length int `json:"length"` // in bytes
}

// Error states the limit and how to proceed.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the prompt has %d bytes and at most %d are reviewed: nothing was reviewed; send it in parts", e.Length, e.Max)
}

// Review checks a prompt against every rule: as given; without invisible characters
// and in the normal form NFKC; and, except for [Criteria.Literal] criteria, as
// rendered. It removes null bytes first, so that none can split a word. It leaves
// bytes that are not UTF-8 unchanged. With detail, issues have all their spans;
// otherwise they have none.
//
// Review returns a [*TooLong], a [*CostError], or the error of ctx if ctx is done
// before the review is. On an error there is no result.
func (c *Criteria) Review(ctx context.Context, prompt string, detail bool) (Result, error) {
	if len(prompt) > MaxPrompt {
		return Result{}, &TooLong{Max: MaxPrompt, Length: len(prompt)}
	}
	return c.review(ctx, prompt, []Span{{0, len(prompt)}}, detail)
}

// review reviews the pieces of a text and combines the results.
func (c *Criteria) review(ctx context.Context, text string, pieces []Span, detail bool) (Result, error) {
	outcomes, err := c.lookAll(ctx, text, pieces, detail)
	if err != nil {
		return Result{}, err
	}
	return c.result(text, outcomes, detail), nil
}

// lookAll applies every rule to all pieces of a text.
func (c *Criteria) lookAll(ctx context.Context, text string, pieces []Span, detail bool) ([]outcome, error) {
	outcomes := make([]outcome, len(c.rules))
	l := newLimit(c.usage, len(pieces))
	for _, piece := range pieces {
		if err := c.look(ctx, text, piece, detail, outcomes, l); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// outcome is the result of applying a rule.
type outcome struct {
	applies bool   // whether the text contains a keyword of the rule, or the rule has none
	places  []Span // the matches of the rule's pattern
}

// add adds sorted places from a piece that begins at the offset piece. Views of a
// piece, and overlapping pieces, report the same match several times. Of two
// overlapping places, add keeps the longer one, except that a place from a rendered
// view never replaces an existing place.
func (o *outcome) add(places []Span, piece int, rendered bool) {
	kept := len(o.places)
	for kept > 0 && o.places[kept-1].End > piece {
		kept--
	}
	if before := o.places[kept:]; rendered {
		places = slices.DeleteFunc(places, func(s Span) bool { return slices.ContainsFunc(before, s.overlaps) })
	}
	tail := slices.Concat(o.places[kept:], places)
	slices.SortStableFunc(tail, func(a, b Span) int { return a.Start - b.Start })
	o.places = o.places[:kept]
	for _, place := range tail {
		n := len(o.places)
		switch {
		case n == 0 || !o.places[n-1].overlaps(place):
			o.places = append(o.places, place)
		case place.End-place.Start > o.places[n-1].End-o.places[n-1].Start:
			o.places[n-1] = place
		}
	}
}

func (r *rule) broken(o outcome) bool { return o.applies && (len(o.places) == 0) == r.required }

// look applies every rule to a piece of a text.
func (c *Criteria) look(ctx context.Context, text string, piece Span, detail bool, outcomes []outcome, l *limit) error {
	for _, view := range viewsOf(text[piece.Start:piece.End], !c.literal) {
		index := newKeywordIndex(view.text)
		for i, r := range c.rules {
			if err := ctx.Err(); err != nil {
				return err
			}
			if view.rendered && r.secret() { // text without asterisks and escapes can look like a credential
				continue
			}
			if r.keywords != nil && !index.hasOneOf(r.keywords) {
				continue
			}
			o := &outcomes[i]
			o.applies = true
			every := !r.required && (detail || r.secret() || !c.literal && r.depends())
			if every || len(o.places) == 0 {
				if err := r.look(o, view, every, piece.Start, l); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// look applies the rule to a view of a piece that begins at the offset piece.
func (r *rule) look(o *outcome, view *view, every bool, piece int, l *limit) error {
	if !r.limited {
		l = nil
	}
	l.begin()
	found := r.find(view.text, every, l)
	o.add(view.spans(found, piece), piece, view.rendered)
	if l.end(len(found)); l.isReached() {
		return &CostError{r.category + "/" + string(r.id)}
	}
	return nil
}

// result builds the result from the outcomes of all rules.
func (c *Criteria) result(text string, outcomes []outcome, detail bool) Result {
	result := Result{Issues: []Issue{}, Summary: Summary{HighestSeverity: Info}, Length: len(text) - strings.Count(text, "\x00")}
	secrets := c.secrets(text, outcomes)
	layout := sync.OnceValue(func() *layout { return newLayout(text) })
	var told []int // indexes of the rules reported so far
	for i, r := range c.rules {
		repeats := func(before int) bool {
			return r.repeats(c.rules[before]) && slices.Equal(outcomes[i].places, outcomes[before].places)
		}
		if !r.broken(outcomes[i]) || slices.ContainsFunc(told, repeats) {
			continue
		}
		told = append(told, i)
		issue := Issue{
			RuleID: r.id, Category: r.category, Severity: r.severity, Description: r.description, Remediation: r.remediation,
		}
		if r.required {
			issue.Description = "Missing required token(s): " + r.description
		} else {
			places := outcomes[i].places
			issue.Match = secrets.show(places[0], r.secret())
			severities := c.severitiesAt(r, places, layout)
			issue.Severity = slices.MinFunc(severities, Severity.Compare)
			if detail {
				issue.Spans, issue.Severities, issue.unlowered = places, severities, r.severity
				for _, place := range places {
					issue.Matches = append(issue.Matches, secrets.show(place, r.secret()))
				}
			}
		}
		result.Issues = append(result.Issues, issue)
		result.Summary.add(issue.Severity)
	}
	return result
}

// severitiesAt returns the severity of breaking a rule at each of the places.
func (c *Criteria) severitiesAt(r *rule, places []Span, layout func() *layout) []Severity {
	severities := slices.Repeat([]Severity{r.severity}, len(places))
	if c.literal || !r.depends() {
		return severities
	}
	for i, place := range places {
		severities[i] = layout().useOf(place, r.isSpoken()).lower(r.severity)
	}
	return severities
}

func (s *Summary) add(severity Severity) {
	s.Counts.add(severity)
	if severity.Compare(s.HighestSeverity) < 0 {
		s.HighestSeverity = severity
	}
}
