package review

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// found returns the matches in a text of a rule with the given members.
func found(t *testing.T, members, text string) []string {
	t.Helper()
	result, err := mustParse(t, oneRule(members+`, "severity": "high", "description": "d"`)).Review(t.Context(), text, true)
	if err != nil {
		t.Fatal(err)
	}
	checkContract(t, result)
	var all []string
	for _, issue := range result.Issues {
		for _, s := range issue.Spans {
			all = append(all, text[s.Start:s.End])
		}
	}
	return all
}

func TestFields(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, members, text string
		want                []string
	}{
		{"every place", `"pattern": "ke+y"`, "key, keey and KEY", []string{"key", "keey", "KEY"}},
		{"keyword", `"pattern": "\\d+", "keywords": ["acme", "other"]`, "1 2 aCMe", []string{"1", "2"}},
		{"no keyword", `"pattern": "\\d+", "keywords": ["acme"]`, "1 acm", nil},
		{"keyword of another case", `"pattern": "\\d+", "keywords": ["straße"]`, "1 STRAẞE", []string{"1"}},
		{"group", `"pattern": "key=(\\w+)", "group": 1`, "key=abc key=", []string{"abc"}},
		{"group without part", `"pattern": "key=(?:(a+)|b+)", "group": 1`, "key=bb key=aa", []string{"key=bb", "aa"}},
		{"group that is empty", `"pattern": "key=(a*)b", "group": 1`, "key=b", []string{"key=b"}},
		{"entropy", `"pattern": "key=(\\w+)", "group": 1, "entropy": 2.5`, "key=aaaaaaaa key=a1b2c3d4", []string{"a1b2c3d4"}},
		{"entropy is of the group", `"pattern": "qwertyuiop=(\\w+)", "group": 1, "entropy": 2`, "qwertyuiop=aaaa", nil},
		{"allowed, and the next", `"pattern": "key=\\w+", "allow": ["^key=TEST", "me$"]`, "key=test1 key=changeme key=x", []string{"key=x"}},
		{"allowed by the group", `"pattern": "key=(\\w+)", "group": 1, "allow": ["^test$"]`, "key=test key=tests", []string{"tests"}},
		{"invisible characters", `"pattern": "ignore all"`, "ig\u200bnore\u00ad all", []string{"ig\u200bnore\u00ad all"}},
		{"wide letters", `"pattern": "ignore"`, "é ｉｇｎｏｒｅ é", []string{"ｉｇｎｏｒｅ"}},
		{"mathematical letters", `"pattern": "ignore"`, "𝐢𝐠𝐧𝐨𝐫𝐞!", []string{"𝐢𝐠𝐧𝐨𝐫𝐞"}},
		{"found once in both", `"pattern": "ignore.it"`, "ignore it \u200b", []string{"ignore it"}},
		{"hidden text itself", `"pattern": "\\x{200B}+"`, "a\u200b\u200bb", []string{"\u200b\u200b"}},
		{"null bytes", `"pattern": "ignore"`, "\x00ig\x00nore", []string{"ig\x00nore"}},
		{"null bytes and wide letters", `"pattern": "ignore"`, "\x00ｉg\x00nore", []string{"ｉg\x00nore"}},
		{"composed", `"pattern": "café"`, "cafe\u0301", []string{"cafe\u0301"}},
		{"what grows is left", `"pattern": "صلى"`, "\ufdfa", nil},
		{"emoji that is allowed", `"pattern": "(?:😀\\x{200D})+😀|\\x{200D}", "allow": ["^😀"]`, "😀\u200d😀 a\u200d", []string{"\u200d"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := found(t, test.members, test.text); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

const keyRule = `{"version": "1", "categories": [
	{"id": "plain", "rules": [{"id": "line", "pattern": "the .*", "severity": "low", "description": "d"}]},
	{"id": "secrets", "rules": [{"id": "key", "pattern": "key=([a-z0-9]+|\"[^\"]+\")", "group": 1, "severity": "high", "description": "d"}]}]}`

// TestRedactor checks that quotations of a text contain none of its secrets, wherever
// these are in the text.
func TestRedactor(t *testing.T) {
	t.Parallel()
	redact, err := mustParse(t, keyRule).Redactor(t.Context(), strings.Repeat("x\n", MaxPrompt)+"key=hun\x00ter22 and key=\"open  sesame\"")
	if err != nil {
		t.Fatal(err)
	}
	for quotation, want := range map[string]string{
		"Use hunter22 twice: hun\x00ter22": "Use h…2 twice: h…2",
		"Say \"open sesame\".":             "Say … ….",
		"Nothing.":                         "Nothing.",
	} {
		if got := redact(quotation); got != want {
			t.Errorf("%q: got %q, want %q", quotation, got, want)
		}
	}
}

// TestRedaction checks that only the ends of secrets are shown, whichever rule shows
// them.
func TestRedaction(t *testing.T) {
	t.Parallel()
	c := mustParse(t, keyRule)
	for text, want := range map[string][]string{
		"the key=abcdefghijklmnopqrstuvwxyz0123456789, here": {"the key=abcd…6789, here", "abcd…6789"},
		"the key=hunter2":                   {"the key=h…2", "h…2"},
		"the key=abc":                       {"the key=…", "…"},
		"the hunter22 of key=hunter22":      {"the h…2 of key=h…2", "h…2"},
		"the key=abcdefgh and key=ijklmnop": {"the key=a…h and key=i…p", "a…h"},
		"the key=hun\u200bter22":            {"the key=h…2", "h…2"},
		"the key=hun\x00ter22":              {"the key=h…2", "h…2"},
		"nothing":                           nil,
	} {
		for _, detail := range []bool{false, true} {
			result, err := c.Review(t.Context(), text, detail)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, issue := range result.Issues {
				got = append(got, issue.Match)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	}
}

// TestManySecrets checks that the time for a file of secrets grows with its length.
// Comparing each secret with each finding would take minutes here.
func TestManySecrets(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	const lines = 30_000
	for i := range lines {
		fmt.Fprintf(&text, "the key=abcdefgh%08d\n", i)
	}
	result, _, err := mustParse(t, keyRule).ReviewText(t.Context(), text.String())
	if err != nil || len(result.Issues) != 2 || len(result.Issues[0].Matches) != lines {
		t.Fatalf("%d issues, %v", len(result.Issues), err)
	}
	for i, match := range result.Issues[0].Matches {
		if want := fmt.Sprintf("the key=ab…%02d", i%100); match != want {
			t.Fatalf("line %d: got %q, want %q", i+1, match, want)
		}
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	c := mustParse(t, `{"version": "1", "categories": [{"id": "plain", "rules": [
		{"id": "word", "pattern": "\\bneedle[a-z]{0,500}\\b", "severity": "low", "description": "d"},
		{"id": "must", "mustContain": "scope", "severity": "low", "description": "d"}]}]}`)
	word := "needle" + strings.Repeat("x", 400)
	for _, filler := range []string{"some words and no line ", "a line of it\n", "é", "\n"} {
		for _, before := range []int{0, MaxPrompt - 500, MaxPrompt - 3, MaxPrompt, 20000} {
			head := strings.ToValidUTF8(strings.Repeat(filler, before/len(filler)+1)[:before], "") + " "
			text := head + word + " scope " + strings.Repeat(filler, 800)
			result, pieces, err := c.ReviewText(t.Context(), text)
			if err != nil {
				t.Fatal(err)
			}
			want := []Span{{len(head), len(head) + len(word)}}
			if len(result.Issues) != 1 || !reflect.DeepEqual(result.Issues[0].Spans, want) || result.Length != len(text) {
				t.Errorf("%q after %d bytes: got %+v, want spans %v", filler, before, result, want)
			}
			if one := len(text) <= MaxPrompt; one != (pieces == 1) {
				t.Errorf("%d bytes in %d pieces", len(text), pieces)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	rules := func(n int, pattern string) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"id": "r%d", "pattern": %q, "severity": "low", "description": "d"}`, i, fmt.Sprintf(pattern, i)))
		}
		return `{"version": "1", "categories": [{"id": "c", "rules": [` + strings.Join(all, ",") + `]}]}`
	}
	for _, test := range []struct{ name, file, says string }{
		{"many rules", rules(10_000, "word%d"), "10000 rules, and at most 1000"},
		{"a large pattern", rules(1, "(?:a{30}b){30}(?:c{30}d){30}(?:e{30}f){30}(?:g{30}h){30}(?:i{30}j){30}(?:k{30}l){30}%d"), "rule c/r0: its pattern compiles to some"},
		{"a very large pattern", rules(1, "(?:(?:(?:a{30}b){10}c){3}%d)*x"), ""},
		{"large patterns", rules(300, "a{900}%d"), "instructions together, and at most 200000"},
		{"many keywords", oneRule(`"pattern": "a", "keywords": ["` + strings.Repeat("x", 70_000) + `"], "severity": "low", "description": "d"`), "keywords have 70000 bytes"},
		{"no such group", oneRule(`"pattern": "(a)", "group": 2, "severity": "low", "description": "d"`), "rule security/r: its group is 2 and its pattern has 1"},
		{"group without pattern", oneRule(`"mustContain": "(a)", "group": 1, "severity": "low", "description": "d"`), "rule security/r: group, entropy and allow"},
		{"allow that does not compile", oneRule(`"pattern": "a", "allow": ["("], "severity": "low", "description": "d"`), "rule security/r: an expression of its allow does not compile"},
		{"allow of everything", oneRule(`"pattern": "a", "allow": ["b|"], "severity": "low", "description": "d"`), `rule security/r: an expression of its allow "b|" can match without`},
		{"an example that is not found", oneRule(`"pattern": "a", "examples": ["a", "b"], "severity": "low", "description": "d"`), `rule security/r: its example 2, "b", does not break it`},
		{"an example that is too long", oneRule(`"pattern": "a", "examples": ["` + strings.Repeat("x", MaxPrompt+1) + `"], "severity": "low", "description": "d"`), `rule security/r: its example 1: the prompt has`},
		{"a negative example that is found", oneRule(`"pattern": "a", "negativeExamples": ["a"], "severity": "low", "description": "d"`), `rule security/r: its negative example 1, "a", breaks it`},
		{"catastrophic elsewhere", rules(1, "(?:a+)+b%d"), ""},
	} {
		_, err := Parse([]byte(test.file))
		if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.says)
		}
	}
}

// TestDeadline checks that a cancelled review returns no result.
func TestDeadline(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := mustParse(t, sample).Review(ctx, "stuff", false)
	if !errors.Is(err, context.Canceled) || result.Issues != nil {
		t.Errorf("got %+v, %v", result, err)
	}
}

// FuzzReview checks that spans are within the text, are sorted, do not overlap and
// contain matches of the pattern, and that no output contains a secret.
func FuzzReview(f *testing.F) {
	c := mustParse(f, `{"version": "1", "categories": [
		{"id": "plain", "rules": [
			{"id": "around", "pattern": "(?s).{0,9}secret.{0,30}", "severity": "low", "description": "d"},
			{"id": "hidden", "pattern": "[\\x{200B}-\\x{200F}]", "severity": "low", "description": "d"},
			{"id": "end", "pattern": "[a-z]+$", "severity": "low", "description": "d"}]},
		{"id": "secrets", "rules": [
			{"id": "one", "pattern": "secret=([a-zé0-9]{8,40})", "group": 1, "severity": "high", "description": "d"},
			{"id": "two", "pattern": "sk-[a-z0-9]{8,40}", "severity": "high", "description": "d"}]}]}`)
	for _, seed := range []string{
		"my secret=abcdefgh12 and sk-0123456789", "secret=sk-abcdefgh\x00ijkl abcdefgh", "s\u200becret=ａbcdéfghij\xff", "SECRET=sk-sk-aaaaaaaaaa",
		strings.Repeat("secret=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ", 9),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		result, _, err := c.ReviewText(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		checkContract(t, Result{Issues: result.Issues, Summary: result.Summary, Length: min(result.Length, MaxPrompt)})
		for _, issue := range result.Issues {
			end := 0
			for i, s := range issue.Spans {
				if s.Start < end || s.End <= s.Start || s.End > len(text) || issue.Matches[i] == "" {
					t.Fatalf("%s: spans %v of %d bytes", issue.RuleID, issue.Spans, len(text))
				}
				end = s.End
			}
		}
		output := encode(t, result.Issues) + fmt.Sprint(result.Issues)
		for _, issue := range result.Issues {
			if issue.Category != Secrets {
				continue
			}
			for _, s := range issue.Spans {
				secret := strings.ReplaceAll(text[s.Start:s.End], "\x00", "")
				if strings.Contains(output, secret) {
					t.Errorf("the output has the secret %q: %s", secret, output)
				}
			}
		}
	})
}
