package review_test

import (
	"encoding/json"
	"regexp"
	"regexp/syntax"
	"slices"
	"testing"

	"instruction-catalog/docs"
)

// TestEveryProviderFormatHasExamples checks that each alternative of a provider rule's
// pattern has an example. Such a rule often has several formats, one for each
// alternative. If it lacks the keyword of a format, that format is never found. An
// alternative with a repetition is a separate format and needs two examples. Another
// test checks that rules match their examples.
func TestEveryProviderFormatHasExamples(t *testing.T) {
	t.Parallel()
	var file struct {
		Categories []struct {
			ID    string
			Rules []struct {
				ID, Severity, Pattern string
				Examples              []string
			}
		}
	}
	if err := json.Unmarshal(docs.PromptCriteria, &file); err != nil {
		t.Fatal(err)
	}
	formats := 0
	for _, category := range file.Categories {
		for _, r := range category.Rules {
			if category.ID != "secrets" || r.Severity != "critical" {
				continue
			}
			pattern, err := syntax.Parse("(?i)"+r.Pattern, syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(r.Examples)
			distinct := slices.Compact(r.Examples)
			eachAlternative(pattern, func(alternative *syntax.Regexp) {
				formats++
				want := 1
				if repeats(alternative) {
					want = 2
				}
				if found := countMatches(regexp.MustCompile(pattern.String()), distinct); found < want {
					t.Errorf("rule %s has %d examples, want %d, for %s", r.ID, found, want, pattern)
				}
			})
		}
	}
	if formats < 180 {
		t.Errorf("%d alternatives, want at least 180", formats)
	}
}

// eachAlternative calls f for each alternative in a pattern. During the call, the
// pattern contains only that alternative in its place.
func eachAlternative(pattern *syntax.Regexp, f func(alternative *syntax.Regexp)) {
	all := pattern.Sub
	for _, sub := range all {
		if pattern.Op == syntax.OpAlternate {
			pattern.Sub = []*syntax.Regexp{sub}
		}
		if pattern.Op == syntax.OpAlternate && sub.Op != syntax.OpEndText && sub.Op != syntax.OpBeginText {
			f(sub)
		}
		eachAlternative(sub, f)
		pattern.Sub = all
	}
}

func repeats(pattern *syntax.Regexp) bool {
	return pattern.Op == syntax.OpRepeat || slices.ContainsFunc(pattern.Sub, repeats)
}

func countMatches(pattern *regexp.Regexp, texts []string) int {
	n := 0
	for _, text := range texts {
		if pattern.MatchString(text) {
			n++
		}
	}
	return n
}
