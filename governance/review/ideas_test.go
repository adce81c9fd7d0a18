package review_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"instruction-catalog/governance/review"
)

// TestIdeas uses testdata/ideas.json, which has texts that ask a coding agent for what
// hostile instructions ask for. They are rewordings of what the sources report.
func TestIdeas(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/ideas.json")
	if err != nil {
		t.Fatal(err)
	}
	var ideas []struct {
		Idea       string
		Rules      []review.RuleID
		Found      []struct{ Text, Source string }
		NearMisses []string
	}
	if err := json.Unmarshal(data, &ideas); err != nil {
		t.Fatal(err)
	}
	criteria := builtIn(t)
	brokenRules := func(text string) (broken []review.RuleID) {
		result, err := criteria.Review(t.Context(), text, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, issue := range result.Issues {
			broken = append(broken, issue.RuleID)
		}
		return broken
	}
	for _, idea := range ideas {
		if len(idea.Found) < 5 || len(idea.NearMisses) < 4 {
			t.Errorf("%s: %d texts and %d near misses, want at least 5 and 4", idea.Idea, len(idea.Found), len(idea.NearMisses))
		}
		isOfIdea := func(id review.RuleID) bool { return slices.Contains(idea.Rules, id) }
		for _, text := range idea.Found {
			if broken := brokenRules(text.Text); text.Source == "" || !slices.ContainsFunc(broken, isOfIdea) {
				t.Errorf("%s: %q breaks %v, want one of %v", idea.Idea, text.Text, broken, idea.Rules)
			}
		}
		for _, text := range idea.NearMisses {
			if broken := brokenRules(text); slices.ContainsFunc(broken, isOfIdea) {
				t.Errorf("%s: near miss %q breaks %v", idea.Idea, text, broken)
			}
		}
	}
}
