package review_test

import (
	"bytes"
	"encoding/json"
	"os"
	"sync"
	"testing"

	"instruction-catalog/docs"
	"instruction-catalog/governance/review"
)

// findsSecret reports whether the built-in criteria find a secret in a text with at
// least the given severity.
func findsSecret(t *testing.T, criteria *review.Criteria, text string, least review.Severity) bool {
	t.Helper()
	result, err := criteria.Review(t.Context(), text, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, issue := range result.Issues {
		if issue.Category == "secrets" && issue.Severity.Compare(least) <= 0 {
			return true
		}
	}
	return false
}

var parseBuiltIn = sync.OnceValues(func() (*review.Criteria, error) { return review.ParseTested(docs.PromptCriteria) })

func builtIn(t *testing.T) *review.Criteria {
	t.Helper()
	criteria, err := parseBuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	return criteria
}

// skipShort skips a test that is slow under the race detector and shares no data.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long, and has one goroutine")
	}
}

// TestSecretsAreFound uses testdata/secrets.json, which has made-up lines of source,
// configuration and commands, with and without secrets. A third of them were held out
// while the rules were written, and are measured separately.
func TestSecretsAreFound(t *testing.T) {
	t.Parallel()
	skipShort(t)
	var groups []struct {
		Aside, Secret bool
		Texts         []string
	}
	data, err := os.ReadFile("testdata/secrets.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &groups); err != nil {
		t.Fatal(err)
	}
	criteria := builtIn(t)
	for _, aside := range []bool{false, true} {
		var found, missed, mistaken, total float64
		for _, group := range groups {
			for _, text := range group.Texts {
				if group.Aside != aside {
					continue
				}
				total++
				switch hit := findsSecret(t, criteria, text, review.High); {
				case hit && group.Secret:
					found++
				case hit:
					mistaken++
				case group.Secret:
					missed++
				}
			}
		}
		recall, precision := found/(found+missed), found/(found+mistaken)
		t.Logf("aside %t: %v texts, recall %.3f, precision %.3f", aside, total, recall, precision)
		if recall < 0.9 || precision < 0.95 {
			t.Errorf("aside %t: recall %.3f and precision %.3f, want at least 0.9 and 0.95", aside, recall, precision)
		}
	}
}

// TestRulesOfSecretsAreWhole checks that every rule about secrets and personal data
// has keywords, a remediation, and at least two examples and two negative examples.
func TestRulesOfSecretsAreWhole(t *testing.T) {
	t.Parallel()
	var file struct {
		Categories []struct {
			ID    string
			Rules []struct {
				ID                                   string
				Remediation                          string
				Keywords, Examples, NegativeExamples []string
			}
		}
	}
	if err := json.Unmarshal(docs.PromptCriteria, &file); err != nil {
		t.Fatal(err)
	}
	checked := map[string]int{}
	for _, category := range file.Categories {
		if category.ID != "secrets" && category.ID != "pii" {
			continue
		}
		for _, r := range category.Rules {
			checked[category.ID]++
			if len(r.Examples) < 2 || len(r.NegativeExamples) < 2 || len(r.Keywords) == 0 || r.Remediation == "" {
				t.Errorf("rule %s/%s has %d examples and %d negative ones, want two of each, and keywords and a remediation",
					category.ID, r.ID, len(r.Examples), len(r.NegativeExamples))
			}
		}
	}
	if checked["secrets"] < 60 || checked["pii"] == 0 {
		t.Errorf("checked %v rules, want at least 60 about secrets and some about personal data", checked)
	}
}

// TestExamplesOfSecretsAreNone checks that the examples and the fixture, as written in
// their files, are not credentials, so that no scanner reports them as a leak.
func TestExamplesOfSecretsAreNone(t *testing.T) {
	t.Parallel()
	skipShort(t)
	fixture, err := os.ReadFile("testdata/secrets.json")
	if err != nil {
		t.Fatal(err)
	}
	criteria := builtIn(t)
	for name, data := range map[string][]byte{"PROMPT-CRITERIA.json": docs.PromptCriteria, "secrets.json": fixture} {
		for i, line := range bytes.Split(data, []byte("\n")) {
			if findsSecret(t, criteria, string(line[:min(len(line), review.MaxPrompt)]), review.Critical) {
				t.Errorf("%s:%d looks like a credential: write a character of it as \\u00XX", name, i+1)
			}
		}
	}
}

// TestDocumentedSecretIsFound checks that the built-in rules find the example in the
// documentation.
func TestDocumentedSecretIsFound(t *testing.T) {
	t.Parallel()
	if !findsSecret(t, builtIn(t), "Log in with password=hunter2 and fix the stuff in main.go.", review.High) {
		t.Error("password=hunter2 is not found")
	}
}
