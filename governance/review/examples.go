package review

import (
	"context"
	"errors"
	"fmt"

	"instruction-catalog/schemas/strict"
)

// checkExamples runs the examples of each rule through that rule. It returns an error
// that names the rules with an example that has the wrong result.
func (c *Criteria) checkExamples() error {
	var problems []error
	ctx, cancel := context.WithTimeout(context.Background(), timeInAll)
	defer cancel()
	for _, r := range c.rules {
		if err := r.checkExamples(ctx); err != nil {
			problems = append(problems, fmt.Errorf("criteria: rule %s/%s: %w", r.category, r.id, err))
		}
	}
	return errors.Join(problems...)
}

func (r *rule) checkExamples(ctx context.Context) error {
	if len(r.examples)+len(r.negativeExamples) == 0 {
		return nil
	}
	alone := Criteria{rules: []*rule{r}, usage: &usage{}}
	for _, list := range []struct {
		texts  []string
		broken bool
		says   string
	}{
		{r.examples, true, "its example %d, %q, does not break it: fix the rule or remove the example"},
		{r.negativeExamples, false, "its negative example %d, %q, breaks it: fix the rule or remove the example"},
	} {
		for i, text := range list.texts {
			result, err := alone.Review(ctx, text, false)
			if err != nil {
				return fmt.Errorf("its example %d: %w", i+1, err)
			}
			if (len(result.Issues) > 0) != list.broken {
				return fmt.Errorf(list.says, i+1, strict.Excerpt(text))
			}
		}
	}
	return nil
}
