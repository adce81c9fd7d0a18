package verify

import (
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/governance/report"
)

func TestSuppressions(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"none", "text <!-- a comment -->", ""},
		{"at the head", "\n<!-- catalog:ignore link/dead not yet there -->\n# Title\ntext", "2: link/dead (not yet there) all"},
		{"alone", "<!-- catalog:ignore duplicate why -->", "1: duplicate (why) all"},
		{"several at the head", "<!-- catalog:ignore a why -->\n<!-- catalog:ignore b/ because -->\ntext", "1: a (why) all, 2: b/ (because) all"},
		{"a paragraph", "# Title\n\n<!-- catalog:ignore a,b why so -->\nline\nline\n\nother", "3: a,b (why so) 4-5"},
		{"after blank lines", "x\n\n<!-- catalog:ignore a why -->\n\n\nline\n", "3: a (why) 6-6"},
		{"several before a block", "x\n\n<!-- catalog:ignore a why -->\n<!-- catalog:ignore b why -->\nline", "3: a (why) 5-5, 4: b (why) 5-5"},
		{"a list", "x\n\n<!-- catalog:ignore a why -->\n- one\n  more\n\n- two\n\nend", "3: a (why) 4-7"},
		{"a fence", "x\n\n<!-- catalog:ignore a why -->\n```\n\ncode\n```\nend", "3: a (why) 4-7"},
		{"a table", "x\n\n<!-- catalog:ignore a why -->\n|a|b|\n|-|-|\n|1|2|\n\nend", "3: a (why) 4-6"},
		{"a heading", "x\n\n<!-- catalog:ignore a why -->\n## h\ntext", "3: a (why) 4-4"},
		{"no block follows", "x\n\n<!-- catalog:ignore a why -->\n", "3: a (why) 3-3"},
		{"no reason", "x\n\n<!-- catalog:ignore a -->\ny", "3: a () 4-4"},
		{"no rule", "x\n\n<!-- catalog:ignore -->\ny", "3:  () 4-4"},
		{"in code", "```\n<!-- catalog:ignore a why -->\n```\n", ""},
		{"within a line", "x <!-- catalog:ignore a why -->\ny", ""},
		{"below a paragraph", "x\n<!-- catalog:ignore a why -->\ny", "2: a (why) 3-3"},
		{"Windows", "x\r\n\r\n<!-- catalog:ignore a why -->\r\ny\r\nz\r\n", "3: a (why) 4-5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range suppressions(test.text) {
				lines := fmt.Sprintf("%d-%d", s.from, s.to)
				if s.isForAll() {
					lines = "all"
				}
				got = append(got, fmt.Sprintf("%d: %s (%s) %s", s.line, strings.Join(s.rules, ","), s.reason, lines))
			}
			if all := strings.Join(got, ", "); all != test.want {
				t.Errorf("got %q, want %q", all, test.want)
			}
		})
	}
}

func TestSilences(t *testing.T) {
	t.Parallel()
	s := suppressions("x\n\n<!-- catalog:ignore injection/,duplicate quoted -->\ny")[0]
	for _, test := range []struct {
		rule string
		line int
		want bool
	}{{"injection/a", 4, true}, {"duplicate", 4, true}, {"duplicates", 4, false}, {"injection", 4, false}, {"injection/a", 5, false}, {"injection/a", 0, false}} {
		if got := s.silences(report.Rule(test.rule), test.line); got != test.want {
			t.Errorf("%s at %d: %v", test.rule, test.line, got)
		}
	}
	if (suppression{rules: []string{"a"}, from: 1, to: 9}).silences("a", 3) {
		t.Error("a comment without a reason silences")
	}
}

// FuzzSuppressions checks that every line belongs to at most one block, and that parsing
// never fails.
func FuzzSuppressions(f *testing.F) {
	f.Add("# a\n\n<!-- catalog:ignore a why -->\n- b\n\n  c\n```\nd")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for b := range blocks(text) {
			if b.from <= last || b.to < b.from {
				t.Fatalf("a block from %d to %d after line %d", b.from, b.to, last)
			}
			last = b.to
		}
		suppressions(text)
	})
}
