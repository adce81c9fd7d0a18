package review_test

import (
	"testing"

	"instruction-catalog/docs"
	"instruction-catalog/governance/review"
)

// TestBuiltInExamples runs the examples of the built-in criteria, because the program
// does not run them when it starts.
func TestBuiltInExamples(t *testing.T) {
	t.Parallel()
	skipShort(t)
	if _, err := review.Parse(docs.PromptCriteria); err != nil {
		t.Error(err)
	}
}
