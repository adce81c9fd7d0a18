package review

import (
	"errors"
	"fmt"
	"regexp"
	"sync"
)

// RuleID names a rule within its file.
type RuleID string

// Secrets is the category of the rules about credentials. What they find is
// redacted wherever it is shown.
const Secrets = "secrets"

// rule is one thing that a text must not contain, or must.
type rule struct {
	id          RuleID
	category    string
	severity    Severity
	description string
	remediation string

	pattern  func() *regexp.Regexp // says where a match is
	matches  lazyAutomaton         // says whether there is one
	group    int                   // of pattern, whose place is the finding; 0 for the whole match
	entropy  float64               // the least bits a character of a finding
	allow    []lazyAutomaton
	keywords []string // folded; one of them stands in the text, or there are none
	size     int      // of what is compiled, in instructions
	required bool     // the text must match

	examples, negativeExamples []string
	written                    criteriaRule
}

// lazyAutomaton makes the automaton of a pattern at its first use: many a text does
// not need it.
type lazyAutomaton func() *automaton

func (r criteriaRule) compile(category string) (*rule, error) {
	if r.MustContain != "" && (r.Group != 0 || r.Entropy != 0 || r.Allow != nil) {
		return nil, errors.New("group, entropy and allow say what a pattern finds, and it has mustContain: take them out")
	}
	compiled := &rule{
		id: r.ID, category: category, severity: r.Severity, description: r.Description, remediation: r.Remediation,
		group: r.Group, entropy: r.Entropy, required: r.MustContain != "",
		examples: r.Examples, negativeExamples: r.NegativeExamples, written: r,
	}
	for _, word := range r.Keywords {
		compiled.keywords = append(compiled.keywords, fold(word))
	}
	main, err := checkPattern(r.Pattern + r.MustContain) // one of them is empty
	if err != nil {
		return nil, fmt.Errorf("its pattern %w", err)
	}
	if groups := main.tree.MaxCap(); r.Group > groups {
		return nil, fmt.Errorf("its group is %d and its pattern has %d: name one of them, or leave group out", r.Group, groups)
	}
	compiled.pattern, compiled.matches = main.regexp(), main.automaton()
	compiled.size = main.size
	for _, text := range r.Allow {
		allowed, err := checkPattern(text)
		if err != nil {
			return nil, fmt.Errorf("an expression of its allow %w", err)
		}
		compiled.allow = append(compiled.allow, allowed.automaton())
		compiled.size += allowed.size
	}
	return compiled, nil
}

// regexp returns what compiles the pattern once. It keeps the text alone.
func (p checkedPattern) regexp() func() *regexp.Regexp {
	text := ignoreCase + p.text
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// automaton returns what makes the automaton of the pattern once.
func (p checkedPattern) automaton() lazyAutomaton {
	text := p.text
	return sync.OnceValue(func() *automaton { return newAutomaton(text) })
}

// secret reports whether what the rule finds must not be shown.
func (r *rule) secret() bool { return r.category == Secrets }
