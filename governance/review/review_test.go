package review

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, pattern, prompt, match string // match is "" if there is none
	}{
		{"first match", `t\w+`, "one two three", "two"},
		{"pattern in lower case", `secret`, "A SECRET", "SECRET"},
		{"pattern in capitals", `SECRET`, "a secret", "secret"},
		{"second alternative", `foo|bar`, "BAR", "BAR"},
		{"both alternatives are anchored by themselves", `^foo|bar$`, "a BAR", "BAR"},
		{"own flags", `(?s)a.b`, "A\nB", "A\nB"},
		{"own flag for case", `(?-i)API`, "api", ""},
		{"line mode is not the default", `^b`, "a\nb", ""},
		{"Unicode case", `straſe`, "STRASE", "STRASE"},
		{"letters beyond ASCII", `größe`, "GRÖSSE GRÖßE", "GRÖßE"},
		{"no match", `secret`, "nothing here", ""},
		{"null bytes within", `secret`, "s\x00ec\x00ret", "secret"},
		{"null byte in the pattern", `\x00`, "\x00", ""},
		{"invalid UTF-8 around", `secret`, "\xff\xfesecret\xc3", "secret"},
		{"invalid UTF-8 matched", `a.b`, "a\xffb", "a\xffb"},
		{"empty prompt", `a`, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := mustParse(t, oneRule(`"pattern": `+encode(t, test.pattern)+`, "severity": "high", "description": "d"`))
			review := mustReview(t, c, test.prompt)
			want := []Issue{}
			if test.match != "" {
				want = []Issue{{RuleID: "r", Category: "security", Severity: High, Description: "d", Match: test.match}}
			}
			if !reflect.DeepEqual(review.Issues, want) {
				t.Errorf("got %+v, want %+v", review.Issues, want)
			}
		})
	}
}

func TestMustContain(t *testing.T) {
	t.Parallel()
	c := mustParse(t, oneRule(`"mustContain": "audience|scope", "severity": "high", "description": "who it is for"`))
	for prompt, missing := range map[string]bool{
		"for this AUDIENCE": false,
		"in Scope":          false,
		"au\x00dience":      false,
		"for everybody":     true,
		"":                  true,
	} {
		want := []Issue{}
		if missing {
			want = []Issue{{RuleID: "r", Category: "security", Severity: High, Description: "Missing required token(s): who it is for"}}
		}
		if got := mustReview(t, c, prompt).Issues; !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", prompt, got, want)
		}
	}
}

const sample = `{"version": "1", "categories": [
	{"id": "clarity", "rules": [
		{"id": "vague", "pattern": "stuff|things", "severity": "medium", "description": "Vague word"},
		{"id": "goal", "mustContain": "goal", "severity": "low", "description": "a goal", "remediation": "Name it."}]},
	{"id": "security", "description": "What must not get out", "rules": [
		{"id": "key", "pattern": "AKIA[0-9A-Z]{16}", "severity": "critical", "description": "Secret", "remediation": "Take it out."},
		{"id": "todo", "pattern": "todo", "severity": "info", "description": "Left over"},
		{"id": "shout", "pattern": "!!", "severity": "medium", "description": "Loud"}]}]}`

func TestReviewJSON(t *testing.T) {
	t.Parallel()
	c := mustParse(t, sample)
	tests := []struct{ name, prompt, want string }{
		{"nothing to say", "a goal",
			`{"issues":[],"summary":{"counts":{},"highestSeverity":"info"},"length":6}`},
		{"info only", "a goal, TODO",
			`{"issues":[{"ruleId":"todo","category":"security","severity":"info","description":"Left over","match":"TODO"}],` +
				`"summary":{"counts":{"info":1},"highestSeverity":"info"},"length":12}`},
		{"in the order of the criteria", "akia0123456789abcdef!! \x00things and stuff!!",
			`{"issues":[` +
				`{"ruleId":"vague","category":"clarity","severity":"medium","description":"Vague word","match":"things"},` +
				`{"ruleId":"goal","category":"clarity","severity":"low","description":"Missing required token(s): a goal","remediation":"Name it."},` +
				`{"ruleId":"key","category":"security","severity":"critical","description":"Secret","match":"akia0123456789abcdef","remediation":"Take it out."},` +
				`{"ruleId":"shout","category":"security","severity":"medium","description":"Loud","match":"!!"}],` +
				`"summary":{"counts":{"critical":1,"medium":2,"low":1},"highestSeverity":"critical"},"length":41}`},
		{"empty", "",
			`{"issues":[{"ruleId":"goal","category":"clarity","severity":"low","description":"Missing required token(s): a goal","remediation":"Name it."}],` +
				`"summary":{"counts":{"low":1},"highestSeverity":"low"},"length":0}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			review := mustReview(t, c, test.prompt)
			if got := encode(t, review); got != test.want {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
			checkContract(t, review)
		})
	}
}

// TestTooLong checks that the limit counts the bytes as given, including null bytes.
func TestTooLong(t *testing.T) {
	t.Parallel()
	c := mustParse(t, sample)
	tests := []struct {
		name, prompt string
		length       int // length of the reviewed text; -1 if it is too long
	}{
		{"longest", strings.Repeat("a", MaxPrompt), MaxPrompt},
		{"one more", strings.Repeat("a", MaxPrompt+1), -1},
		{"null bytes", strings.Repeat("\x00", MaxPrompt), 0},
		{"too many null bytes", strings.Repeat("\x00", MaxPrompt+1), -1},
		{"characters of two bytes", strings.Repeat("é", MaxPrompt/2), MaxPrompt},
		{"one more of two bytes", strings.Repeat("é", MaxPrompt/2+1), -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			review, err := c.Review(t.Context(), test.prompt, false)
			if test.length >= 0 {
				if err != nil || review.Length != test.length {
					t.Errorf("got length %d, %v; want %d", review.Length, err, test.length)
				}
				return
			}
			long, ok := errors.AsType[*TooLong](err)
			if !ok || *long != (TooLong{Max: 10240, Length: len(test.prompt)}) {
				t.Errorf("got %#v, want a TooLong of %d", err, len(test.prompt))
			}
			if review.Issues != nil || review.Summary != (Summary{}) {
				t.Errorf("it looks reviewed: %+v", review)
			}
		})
	}
	if got, want := encode(t, &TooLong{Max: 10240, Length: 10241}), `{"max":10240,"length":10241}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSeverityOrder(t *testing.T) {
	t.Parallel()
	all := Severities()
	for i, s := range all {
		for j, other := range all {
			if got := s.Compare(other); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%s against %s: %d", s, other, got)
			}
		}
		summary := Summary{HighestSeverity: Info}
		summary.add(s)
		if want := `{"counts":{"` + string(s) + `":1},"highestSeverity":"` + string(s) + `"}`; len(all) != 5 || encode(t, summary) != want {
			t.Errorf("got %s, want %s", encode(t, summary), want)
		}
	}
}

func mustReview(t *testing.T, c *Criteria, prompt string) Result {
	t.Helper()
	review, err := c.Review(t.Context(), prompt, false)
	if err != nil {
		t.Fatal(err)
	}
	return review
}
