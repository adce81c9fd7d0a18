package review

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// RuleID names a rule within its file.
type RuleID string

// rule is one thing that a prompt must not contain, or must.
type rule struct {
	id          RuleID
	category    string
	severity    Severity
	description string
	remediation string
	pattern     func() *regexp.Regexp
	need        *need // of the pattern
	required    bool  // the prompt must match
}

// ignoreCase is put before each pattern and not around it: in parentheses,
// "a)|(b" would become a pattern, which it is not.
const ignoreCase = "(?i)"

func (r criteriaRule) compile(category string) (*rule, error) {
	pattern, need, err := compilePattern(cmp.Or(r.Pattern, r.MustContain))
	if err != nil {
		return nil, err
	}
	return &rule{
		id:          r.ID,
		category:    category,
		severity:    r.Severity,
		description: r.Description,
		remediation: r.Remediation,
		pattern:     pattern,
		need:        need,
		required:    r.MustContain != "",
	}, nil
}

// compilePattern checks a pattern and returns what compiles it at the first
// use. Checking is all that is left of compiling by then but for the program,
// which takes most of the time, and which many a prompt does not need.
func compilePattern(text string) (func() *regexp.Regexp, *need, error) {
	parsed, err := syntax.Parse(ignoreCase+text, syntax.Perl)
	if err != nil {
		return nil, nil, patternError(err)
	}
	if matchesNothing(parsed) {
		return nil, nil, fmt.Errorf("its pattern %q can match without reading a character, so that it matches any prompt: make it ask for some text", text)
	}
	// What can be parsed can be compiled.
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(ignoreCase + text) })
	return compiled, needOf(parsed), nil
}

func patternError(err error) error {
	problem := err.Error()
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		problem = fmt.Sprintf("%s: %q", e.Code, strings.TrimPrefix(e.Expr, ignoreCase))
	}
	return fmt.Errorf("its pattern does not compile: %s; it must be a regular expression in the syntax of RE2, without look-around and back-references", problem)
}

// matchesNothing reports whether the expression can match without reading a
// character, as a*, ^ and \b can.
func matchesNothing(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpNoMatch, syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return matchesNothing(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || matchesNothing(re.Sub[0])
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, matchesNothing)
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !matchesNothing(sub) })
	}
	return true // the rest reads nothing: anchors, boundaries, x* and x?
}

// issue holds the rule against a prompt and reports whether it is broken.
func (r *rule) issue(prompt, folded string) (Issue, bool) {
	var found []int
	if r.need.metBy(folded) {
		found = r.pattern().FindStringIndex(prompt)
	}
	if (found != nil) == r.required {
		return Issue{}, false
	}
	issue := Issue{
		RuleID:      r.id,
		Category:    r.category,
		Severity:    r.severity,
		Description: r.description,
		Remediation: r.remediation,
	}
	if r.required {
		issue.Description = "Missing required token(s): " + r.description
		return issue, true
	}
	issue.Match = prompt[found[0]:found[1]]
	return issue, true
}
