package review_test

import (
	"testing"

	"instruction-catalog/docs"
	"instruction-catalog/governance/review"
)

// The program does not run the examples of its own criteria at each start.
func TestBuiltInExamples(t *testing.T) {
	t.Parallel()
	skipShort(t)
	if _, err := review.Parse(docs.PromptCriteria); err != nil {
		t.Error(err)
	}
}
