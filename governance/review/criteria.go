package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"instruction-catalog/schemas"
	"instruction-catalog/schemas/strict"
)

// Criteria is the list of rules that texts are reviewed against. The rules never
// change. It is safe for concurrent use.
type Criteria struct {
	rules   []*rule  // in the order in which they are applied
	names   []string // names of the criteria files
	literal bool     // see Literal
	usage   *usage   // cost so far of the rules that are limited
}

// Literal returns criteria with the same rules. They check a text only as given and in
// the normal form NFKC, not as rendered, and do not lower the severity of quoted text.
// The method prompt/review uses Literal for the criteria of a file, so that it answers
// as the reference implementation does.
func (c *Criteria) Literal() *Criteria {
	return &Criteria{rules: c.rules, names: c.names, literal: true, usage: c.usage}
}

// Limits of a criteria file. The cost of a review grows with them.
const (
	MaxRules    = 1000    // rules
	maxSize     = 200_000 // compiled instructions of all patterns together
	maxKeywords = 64_000  // total length of all keywords, in bytes
	maxAllow    = 5000    // allow expressions of all rules
	maxExamples = 10_000  // examples and negative examples of all rules
)

// Parse reads a criteria file in JSON. It has categories of rules. Each rule has
// either a pattern, which a text must not match, or a mustContain, which a text must
// match. Both are regular expressions in the syntax of [regexp/syntax] and ignore
// case.
//
// Parse rejects the whole file if it has too many rules, if they are too large, or if a
// rule does not fit the schema prompt-criteria, has the ID of another rule, does not
// compile, can match without reading a character (it would match any text), or has an
// example with the wrong result. Errors about a rule name it as category/rule.
func Parse(data []byte) (*Criteria, error) {
	c, err := parse(data, true)
	if err != nil {
		return nil, err
	}
	if err := c.checkExamples(); err != nil {
		return nil, err
	}
	return c, nil
}

// ParseTested is [Parse] without running examples or limiting the cost of rules. Use
// it only for a file whose rules are known to be cheap and whose examples are known to
// pass.
func ParseTested(data []byte) (*Criteria, error) { return parse(data, false) }

func parse(data []byte, limited bool) (*Criteria, error) {
	data, err := strict.JSON(data)
	if err != nil {
		return nil, fmt.Errorf("criteria: %w", err)
	}
	var file criteriaFile
	decoding := json.Unmarshal(data, &file) // continues after a member of the wrong type
	issues, err := strict.Schema("prompt-criteria").Validate(data)
	if err != nil {
		return nil, fmt.Errorf("criteria: %w", err)
	}
	if len(issues) > 0 {
		return nil, file.explain(issues)
	}
	if decoding != nil {
		return nil, fmt.Errorf("criteria: %w", decoding)
	}
	if err := file.duplicates(); err != nil {
		return nil, err
	}
	return file.compile(limited)
}

// criteriaFile is the JSON of a criteria file.
type criteriaFile struct {
	Categories []criteriaCategory `json:"categories"`
}

type criteriaCategory struct {
	ID    string         `json:"id"`
	Rules []criteriaRule `json:"rules"`
}

type criteriaRule struct {
	ID          RuleID   `json:"id"`
	Pattern     string   `json:"pattern"`
	MustContain string   `json:"mustContain"`
	Severity    Severity `json:"severity"`
	Description string   `json:"description"`
	Remediation string   `json:"remediation"`

	Keywords         []string `json:"keywords"`
	Group            int      `json:"group"`
	Entropy          float64  `json:"entropy"`
	Allow            []string `json:"allow"`
	Examples         []string `json:"examples"`
	NegativeExamples []string `json:"negativeExamples"`
}

func (f criteriaFile) duplicates() error {
	var problems []error
	categories, rules := map[string]bool{}, map[RuleID]string{}
	for _, c := range f.Categories {
		if categories[c.ID] {
			problems = append(problems, fmt.Errorf("criteria: category %s appears twice: put its rules together", c.ID))
		}
		categories[c.ID] = true
		for _, r := range c.Rules {
			if first, taken := rules[r.ID]; taken {
				problems = append(problems, fmt.Errorf(
					"criteria: rule %s/%s: its id is already that of a rule in category %s: give it one of its own", c.ID, r.ID, first))
				continue
			}
			rules[r.ID] = c.ID
		}
	}
	return errors.Join(problems...)
}

func (f criteriaFile) compile(limited bool) (*Criteria, error) {
	var rules []*rule
	states := maxStates
	var problems []error
	for _, c := range f.Categories {
		for _, r := range c.Rules {
			rule, err := r.compile(c.ID, &states)
			if err != nil {
				problems = append(problems, fmt.Errorf("criteria: rule %s/%s: %w", c.ID, r.ID, err))
			}
			rules = append(rules, rule)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if err := checkLimits(rules); err != nil {
		return nil, err
	}
	if limited {
		automata := len(rules)
		for _, r := range rules {
			r.limited = true
			automata += len(r.allow)
		}
		states = min(states, maxAutomata/max(automata, 1))
	}
	return &Criteria{rules: rules, usage: &usage{}}, nil
}

func checkLimits(rules []*rule) error {
	size, keywords, allow, examples := 0, 0, 0, 0
	for _, r := range rules {
		size += r.size
		allow += len(r.allow)
		examples += len(r.examples) + len(r.negativeExamples)
		for _, word := range r.keywords {
			keywords += len(word)
		}
	}
	switch {
	case len(rules) > MaxRules:
		return fmt.Errorf("criteria: there are %d rules, and at most %d are allowed: merge or remove some", len(rules), MaxRules)
	case size > maxSize:
		return fmt.Errorf("criteria: the patterns compile to some %d instructions together, and at most %d are allowed: repeat less often, or remove some", size, maxSize)
	case allow > maxAllow:
		return fmt.Errorf("criteria: there are %d expressions in allow, and at most %d are allowed: merge or remove some", allow, maxAllow)
	case examples > maxExamples:
		return fmt.Errorf("criteria: there are %d examples, and at most %d are allowed: remove some", examples, maxExamples)
	case keywords > maxKeywords:
		return fmt.Errorf("criteria: keywords have %d bytes together, and at most %d are allowed: remove some", keywords, maxKeywords)
	}
	return nil
}

// explain converts schema issues to an error that names each rule as category/rule.
func (f criteriaFile) explain(issues []schemas.Issue) error {
	problems := make([]error, len(issues))
	for i, issue := range issues {
		place, name := f.rule(issue.Path)
		if name == "" {
			problems[i] = fmt.Errorf("criteria: %s", strict.Sentence(issue, "the file"))
			continue
		}
		issue.Path = strings.TrimPrefix(issue.Path, place)
		problems[i] = fmt.Errorf("criteria: rule %s: %s", name, strict.Sentence(issue, "it"))
	}
	return errors.Join(problems...)
}

var rulePlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^categories\[(\d+)\]\.rules\[(\d+)\]\.?`) })

// rule returns the prefix of a path that selects a rule, and the name of that rule as
// category/rule. Both are empty if the path does not lead to a rule or an ID is
// missing.
func (f criteriaFile) rule(path string) (place, name string) {
	match := rulePlace().FindStringSubmatch(path)
	if match == nil {
		return "", ""
	}
	i, _ := strconv.Atoi(match[1]) // digits
	j, _ := strconv.Atoi(match[2])
	if i >= len(f.Categories) || j >= len(f.Categories[i].Rules) {
		return "", ""
	}
	category, rule := f.Categories[i].ID, f.Categories[i].Rules[j].ID
	if category == "" || rule == "" {
		return "", ""
	}
	return match[0], category + "/" + string(rule)
}
