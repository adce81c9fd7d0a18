package nearest_test

import (
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog/search/nearest"
)

func TestOf(t *testing.T) {
	t.Parallel()
	ids := []string{"go-error-values", "go-error-wrapping", "go-naming", "index", "secrets-in-code", "tabs"}
	for asked, want := range map[string][]string{
		"go-error-value":     {"go-error-values", "go-error-wrapping"},
		"GO-ERROR-WRAPING":   {"go-error-wrapping", "go-error-values"},
		"error-values":       {"go-error-values"},
		"values-error-go":    {"go-error-values", "go-error-wrapping"},
		"indx":               {"index"},
		"code-secrets":       {"secrets-in-code"},
		"something entirely": nil,
		"":                   nil,
	} {
		if got := nearest.Of(asked, ids); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
	if got := nearest.Of(strings.Repeat("tabs", 1<<20), ids); got != nil {
		t.Errorf("of what no id can be: %q", got)
	}
	many := make([]string, 9)
	for i := range many {
		many[i] = "rule-" + string(rune('a'+i))
	}
	if got := nearest.Of("rule-", many); len(got) != nearest.Max || got[0] != "rule-a" {
		t.Errorf("of many: %q", got)
	}
}
