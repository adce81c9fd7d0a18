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

// Criteria are the rules that texts are reviewed by. They never change and may be
// used by any number of goroutines.
type Criteria struct {
	rules   []*rule  // in the order of the file
	names   []string // of the files
	literal bool     // whether texts are taken as they are given
	usage   *usage   // of rules that are limited
}

// Literal returns criteria with the same rules that see a text as given and in the normal
// form NFKC, but not as it is rendered, and that do not ask whether what they find is
// quoted. The bare method prompt/review uses it for the criteria of a file, so that it
// answers as the reference does.
func (c *Criteria) Literal() *Criteria {
	return &Criteria{rules: c.rules, names: c.names, literal: true, usage: c.usage}
}

// The limits of a criteria file. What a review costs grows with them.
const (
	MaxRules    = 1000    // rules
	maxSize     = 200_000 // instructions of all patterns together, when they are compiled
	maxKeywords = 64_000  // bytes of all keywords
	maxAllow    = 5000    // expressions of all allow
	maxExamples = 10_000  // examples and negative examples of all rules
)

// Parse reads the JSON of a criteria file: categories of rules, each with either a
// pattern that a text must not match or a mustContain that it must. Both are
// regular expressions in the syntax of [regexp/syntax], in which case is ignored.
//
// It refuses the file as a whole if a rule does not fit the schema prompt-criteria,
// has the id of another, does not compile, can match without reading a character, so
// that it would match any text, or has examples that do not behave; and if the rules
// are too many or too large. The error names each rule at fault as category/rule.
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

// ParseTested is [Parse] for a file whose rules are known to be cheap, and whose
// examples are known to behave and are not run again.
func ParseTested(data []byte) (*Criteria, error) { return parse(data, false) }

func parse(data []byte, limited bool) (*Criteria, error) {
	data, err := strict.JSON(data)
	if err != nil {
		return nil, fmt.Errorf("criteria: %w", err)
	}
	var file criteriaFile
	decoding := json.Unmarshal(data, &file) // goes on past a member of the wrong type
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

// criteriaFile is the file as it is written.
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
			problems = append(problems, fmt.Errorf("criteria: category %s is there twice: put its rules together", c.ID))
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
		return fmt.Errorf("criteria: there are %d rules, and at most %d are allowed: put some together, or take some out", len(rules), MaxRules)
	case size > maxSize:
		return fmt.Errorf("criteria: the patterns compile to some %d instructions together, and at most %d are allowed: repeat less often, or take some out", size, maxSize)
	case allow > maxAllow:
		return fmt.Errorf("criteria: there are %d expressions in allow, and at most %d are allowed: put some together, or take some out", allow, maxAllow)
	case examples > maxExamples:
		return fmt.Errorf("criteria: there are %d examples, and at most %d are allowed: take some out", examples, maxExamples)
	case keywords > maxKeywords:
		return fmt.Errorf("criteria: keywords have %d bytes together, and at most %d are allowed: take some out", keywords, maxKeywords)
	}
	return nil
}

// explain turns what does not fit the schema into an error that names rules as
// their author does.
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

// rule returns the part of a path that leads to a rule and the name of that
// rule, which is empty where the path leads elsewhere or an id is missing.
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
