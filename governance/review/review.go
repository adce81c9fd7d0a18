package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// MaxPrompt is the length, in bytes as they are given, of the longest prompt
// that is reviewed.
const MaxPrompt = 10240

// Result is what the criteria have to say about a text.
type Result struct {
	Issues  []Issue `json:"issues"` // in the order of the criteria, at most one for each rule
	Summary Summary `json:"summary"`
	Length  int     `json:"length"` // bytes that were reviewed, null bytes not counted

	Criteria []string `json:"criteria,omitempty"` // their names; left to the caller
}

// Issue is a rule that a text breaks.
type Issue struct {
	RuleID      RuleID     `json:"ruleId"`
	Category    string     `json:"category"`
	Severity    Severity   `json:"severity"`
	Description string     `json:"description"`
	Match       string     `json:"match,omitempty"` // the first text that was found, redacted where it is secret; absent where a text is missing
	Remediation string     `json:"remediation,omitempty"`
	Spans       []Span     `json:"spans,omitempty"` // where it was found in the text as given, in order; absent where a text is missing, or where nobody asked
	Matches     []string   `json:"-"`               // the text at each of the spans, redacted as Match is
	Severities  []Severity `json:"-"`               // at each of the spans, of which Severity is the worst
	unlowered   Severity   // of the rule
}

// Summary is the issues in numbers.
type Summary struct {
	Counts          Counts   `json:"counts"`
	HighestSeverity Severity `json:"highestSeverity"` // [Info] where there is no issue
}

// TooLong is the error of a prompt that has more than [MaxPrompt] bytes, none
// of which were reviewed. Its JSON is the data that the contract asks for.
type TooLong struct {
	Max    int `json:"max"`    // in bytes
	Length int `json:"length"` // in bytes
}

// Error says what the limit is and what to do.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the prompt has %d bytes and at most %d are reviewed: nothing was reviewed; send it in parts", e.Length, e.Max)
}

// Review holds a prompt against every rule: as it stands, and as a reader may
// take it, without invisible characters and in the normal form NFKC. Null bytes
// are taken out first, so that none can be hidden in the middle of a word; bytes
// that are not UTF-8 are left as they are. With detail, issues have all their
// spans.
//
// It returns a [*TooLong], or the error of a context that ends before the review
// does; then nothing is known of the prompt.
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

// lookAll holds all pieces of a text against every rule.
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

// outcome is what became of a rule.
type outcome struct {
	applies bool   // whether one of its keywords stands in the text, or it has none
	places  []Span // where its pattern was found
}

// add adds sorted places from a piece that begins at an offset. Views of a piece, and
// pieces that overlap, show the same finding several times: of two places that overlap
// the longer one stays, but none that was there makes way for one of a rendered view.
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

// look holds a piece of a text against every rule.
func (c *Criteria) look(ctx context.Context, text string, piece Span, detail bool, outcomes []outcome, l *limit) error {
	for _, view := range viewsOf(text[piece.Start:piece.End], !c.literal) {
		index := newKeywordIndex(view.text)
		for i, r := range c.rules {
			if err := ctx.Err(); err != nil {
				return err
			}
			if view.rendered && r.secret() { // asterisks and escapes make examples of credentials
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

// look holds a view of a piece, which begins at an offset, against the rule.
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

// result puts the issues together.
func (c *Criteria) result(text string, outcomes []outcome, detail bool) Result {
	result := Result{Issues: []Issue{}, Summary: Summary{HighestSeverity: Info}, Length: len(text) - strings.Count(text, "\x00")}
	secrets := c.secrets(text, outcomes)
	layout := sync.OnceValue(func() *layout { return newLayout(text) })
	var told []int // positions of rules
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

// severitiesAt returns how bad it is that a rule is broken at each of the places.
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
