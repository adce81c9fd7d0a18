package review

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"
)

// RuleID is the ID of a rule, unique within its file.
type RuleID string

// Secrets is the category of the rules about credentials. Their matches are redacted
// wherever they are shown.
const Secrets = "secrets"

// rule is a pattern that a text must not match, or must match if required is set.
type rule struct {
	id          RuleID
	category    string
	severity    Severity
	description string
	remediation string

	pattern  func() *regexp.Regexp // locates matches
	later    func() *regexp.Regexp // locates matches after the first; see [limit.locate]
	matches  lazyAutomaton         // reports whether there is a match
	group    int                   // the group of pattern to report; 0 for the whole match
	entropy  float64               // minimum entropy of a finding, in bits per character
	allow    []lazyAutomaton
	keywords []string // case-folded; if there are any, a text must contain one of them for the rule to apply
	size     int      // approximate size of all its expressions when compiled, in instructions
	required bool     // whether the text must match

	limited bool // whether its cost is limited; set by [Parse]

	examples, negativeExamples []string
	written                    criteriaRule
}

// lazyAutomaton returns the automaton of a pattern. It builds it at the first call,
// because many texts do not need it.
type lazyAutomaton func() *automaton

// compile compiles the rule. Each of its automata keeps at most *states bytes of
// states. *states is read when an automaton is first used.
func (r criteriaRule) compile(category string, states *int) (*rule, error) {
	if r.MustContain != "" && (r.Group != 0 || r.Entropy != 0 || r.Allow != nil) {
		return nil, errors.New("group, entropy and allow say what a pattern finds, and it has mustContain: remove them")
	}
	compiled := &rule{
		id: r.ID, category: category, severity: r.Severity, description: r.Description, remediation: r.Remediation,
		group: r.Group, entropy: r.Entropy, required: r.MustContain != "",
		examples: r.Examples, negativeExamples: r.NegativeExamples, written: r,
	}
	for _, word := range r.Keywords {
		compiled.keywords = append(compiled.keywords, fold(word))
	}
	main, err := checkPattern(r.Pattern + r.MustContain) // one of the two is empty
	if err != nil {
		return nil, fmt.Errorf("its pattern %w", err)
	}
	if groups := main.tree.MaxCap(); r.Group > groups {
		return nil, fmt.Errorf("its group is %d and its pattern has %d: name one of them, or leave group out", r.Group, groups)
	}
	compiled.pattern, compiled.later, compiled.matches = main.regexp(), main.later(), main.automaton(states)
	compiled.size = main.size
	for _, text := range r.Allow {
		allowed, err := checkPattern(text)
		if err != nil {
			return nil, fmt.Errorf("an expression of its allow %w", err)
		}
		compiled.allow = append(compiled.allow, allowed.automaton(states))
		compiled.size += allowed.size
	}
	return compiled, nil
}

// regexp returns a function that compiles the pattern at its first call. The function
// keeps only the text of the pattern.
func (p checkedPattern) regexp() func() *regexp.Regexp {
	text := ignoreCase + p.text
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// later returns a function that compiles, at its first call, an expression for the
// first match that begins after the first character. Group 1 is that match.
func (p checkedPattern) later() func() *regexp.Regexp {
	text := ignoreCase + p.text
	return sync.OnceValue(func() *regexp.Regexp {
		tree, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			panic(err) // the pattern has been checked
		}
		return regexp.MustCompile(`\A(?s:.)(?s:.*?)(` + tree.String() + `)`)
	})
}

// automaton returns a function that builds the automaton of the pattern at its first
// call.
func (p checkedPattern) automaton(states *int) lazyAutomaton {
	text := p.text
	return sync.OnceValue(func() *automaton { return newAutomaton(text, *states) })
}

// secret reports whether matches of the rule must be redacted.
func (r *rule) secret() bool { return r.category == Secrets }
