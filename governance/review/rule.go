package review

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
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
	later    func() *regexp.Regexp // says where a match is that is not the first; see [limit.locate]
	matches  lazyAutomaton         // says whether there is one
	group    int                   // of pattern, whose place is the finding; 0 for the whole match
	entropy  float64               // the least bits a character of a finding
	allow    []lazyAutomaton
	keywords []string // folded; one of them stands in the text, or there are none
	size     int      // of what is compiled, in instructions
	required bool     // the text must match

	limited bool // it comes from a file, and may not cost what it likes

	examples, negativeExamples []string
	written                    criteriaRule
}

// lazyAutomaton makes the automaton of a pattern at its first use: many texts do not
// need it.
type lazyAutomaton func() *automaton

// compile compiles the rule. Its automata keep at most so many bytes of states each.
func (r criteriaRule) compile(category string, states *int) (*rule, error) {
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

// regexp returns what compiles the pattern once. It keeps the text alone.
func (p checkedPattern) regexp() func() *regexp.Regexp {
	text := ignoreCase + p.text
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// later returns what compiles once an expression whose first group is the first match
// of the pattern behind a character.
func (p checkedPattern) later() func() *regexp.Regexp {
	text := ignoreCase + p.text
	return sync.OnceValue(func() *regexp.Regexp {
		tree, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			panic(err) // it has been checked
		}
		return regexp.MustCompile(`\A(?s:.)(?s:.*?)(` + tree.String() + `)`)
	})
}

// automaton returns what makes the automaton of the pattern once.
func (p checkedPattern) automaton(states *int) lazyAutomaton {
	text := p.text
	return sync.OnceValue(func() *automaton { return newAutomaton(text, *states) })
}

// secret reports whether what the rule finds must not be shown.
func (r *rule) secret() bool { return r.category == Secrets }
