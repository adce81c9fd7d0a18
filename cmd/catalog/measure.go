package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/governance/report"
	"instruction-catalog/governance/review"
)

func (a *app) measureCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "measure FILE|-",
		Short: "Measure the criteria for prompts on labelled texts",
		Long: `Shows authors of rules the effect of a change of the criteria. It reads no catalog.

It reviews labelled texts by the rules of one file: that of --criteria, else
docs/PROMPT-CRITERIA.json, else the built-in one. It names the file, and prints for
each set of texts how many were found. A text is found if it has an issue of severity
high or critical. For hostile texts that is the recall, for harmless ones the
false-positive rate.

The file has one JSON object per line: {"set": "mail", "label": 1, "text": "..."}.
Label 1 is hostile, 0 harmless. --json also lists the texts that were judged
wrongly: their lines, and the rules that found a harmless one.`,
		Example: `  catalog measure labelled.jsonl
  catalog measure --criteria mine.json --json labelled.jsonl`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			criteria, err := a.catalogCriteria(true)
			if err != nil {
				return err
			}
			data, err := a.readInput(args[0])
			if err != nil {
				return err
			}
			texts, err := readLabelled(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			m, err := measure(cmd.Context(), criteria, texts)
			if err != nil {
				return err
			}
			return a.printMeasured(m)
		},
	}
}

// labelled is a text with a label that says whether it is hostile.
type labelled struct {
	Set   string  `json:"set"`
	Label *int    `json:"label"` // 1 hostile, 0 harmless
	Text  *string `json:"text"`
	line  int
}

func readLabelled(data []byte) ([]labelled, error) {
	var texts []labelled
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		text := labelled{line: number}
		if err := json.Unmarshal(line, &text); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if text.Set == "" || text.Text == nil || text.Label == nil || *text.Label < 0 || *text.Label > 1 {
			return nil, fmt.Errorf(`line %d: it must have a set, a label that is 0 or 1, and a text, as {"set": "mail", "label": 1, "text": "..."}`, number)
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return nil, errors.New("there is no text in it: it must have one JSON object a line")
	}
	return texts, nil
}

// measured holds the results of measuring the criteria.
type measured struct {
	Sets     []measuredSet `json:"sets"`  // hostile ones first, then by name
	Wrong    []misjudged   `json:"wrong"` // in the order of the file
	Criteria []string      `json:"criteria"`
}

// measuredSet holds the results for the texts of one set that have the same label.
type measuredSet struct {
	Set   string  `json:"set"`
	Label int     `json:"label"`
	Texts int     `json:"texts"`
	Found int     `json:"found"`
	Rate  float64 `json:"rate"` // Found divided by Texts: the recall if Label is 1, the false-positive rate if it is 0
}

// misjudged is a hostile text that no rule found, or a harmless text that Rules found.
type misjudged struct {
	Line  int             `json:"line"` // of the file, from 1
	Set   string          `json:"set"`
	Label int             `json:"label"`
	Rules []review.RuleID `json:"rules,omitempty"`
}

func measure(ctx context.Context, criteria *review.Criteria, texts []labelled) (measured, error) {
	m := measured{Wrong: []misjudged{}, Criteria: criteria.Names()}
	for _, text := range texts {
		rules, err := graveRules(ctx, criteria, *text.Text)
		if err != nil {
			return measured{}, err
		}
		set := m.set(text.Set, *text.Label)
		set.Texts++
		if len(rules) > 0 {
			set.Found++
		}
		if (len(rules) > 0) != (*text.Label == 1) {
			m.Wrong = append(m.Wrong, misjudged{text.line, text.Set, *text.Label, rules})
		}
	}
	for i := range m.Sets {
		m.Sets[i].Rate = float64(m.Sets[i].Found) / float64(m.Sets[i].Texts)
	}
	slices.SortFunc(m.Sets, func(a, b measuredSet) int {
		return cmp.Or(b.Label-a.Label, strings.Compare(a.Set, b.Set))
	})
	return m, nil
}

// set returns the set with the given name and label. It adds the set if it is missing.
func (m *measured) set(name string, label int) *measuredSet {
	i := slices.IndexFunc(m.Sets, func(s measuredSet) bool { return s.Set == name && s.Label == label })
	if i < 0 {
		i = len(m.Sets)
		m.Sets = append(m.Sets, measuredSet{Set: name, Label: label})
	}
	return &m.Sets[i]
}

// graveRules returns the rules of severity high or critical that a text breaks.
func graveRules(ctx context.Context, criteria *review.Criteria, text string) ([]review.RuleID, error) {
	result, _, err := criteria.ReviewText(ctx, text)
	if err != nil {
		return nil, err
	}
	var rules []review.RuleID
	for _, issue := range result.Issues {
		if issue.Severity.Compare(review.High) <= 0 {
			rules = append(rules, issue.RuleID)
		}
	}
	return rules, nil
}

func (a *app) printMeasured(m measured) error {
	if a.json {
		return a.printValue(m)
	}
	t := table{heading: []string{"SET", "LABEL", "TEXTS", "FOUND", "RATE"}, numbers: []int{2, 3, 4}}
	for _, s := range m.Sets {
		kind := "harmless"
		if s.Label == 1 {
			kind = "hostile"
		}
		t.rows = append(t.rows, []string{s.Set, kind, strconv.Itoa(s.Texts), strconv.Itoa(s.Found), fmt.Sprintf("%.1f %%", 100*s.Rate)})
	}
	a.printTable(t)
	fmt.Fprintln(a.stdout, a.screen.paint(report.CriteriaLine(m.Criteria), faint))
	return nil
}
