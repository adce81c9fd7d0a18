package catalog

import (
	"strings"
	"testing"

	"instruction-catalog/schemas/jsonscan"
)

func TestPart(t *testing.T) {
	t.Parallel()
	whole := NewSnapshot([]*Entry{entry("a", func(e *draft) { e.Body = "aß用😀e\u0301\n" })}, nil).Entries()[0]
	if got := whole.Body.Length(); got != 7 {
		t.Fatalf("the body has %d characters", got)
	}
	for _, c := range []struct {
		offset, limit int
		want          string
	}{
		{0, 0, "aß用😀e\u0301\n"},
		{0, 1, "a"},
		{1, 2, "ß用"},
		{3, 1, "😀"},
		{4, 1, "e"},
		{2, 0, "用😀e\u0301\n"},
		{6, 1, "\n"},
		{6, 100, "\n"},
		{0, 7, "aß用😀e\u0301\n"},
		{0, 1_000_000, "aß用😀e\u0301\n"},
	} {
		part := whole.Part(c.offset, c.limit)
		if part.Body.Text() != c.want {
			t.Errorf("Part(%d, %d) has the body %q, want %q", c.offset, c.limit, part.Body, c.want)
		}
		want := strings.Replace(string(whole.Encoded()), `"body":`+string(whole.Body), `"body":`+string(jsonscan.MustEncode(c.want)), 1)
		if got := string(part.Encoded()); got != want {
			t.Errorf("Part(%d, %d) is served as\n%s, want\n%s", c.offset, c.limit, got, want)
		}
	}
	if whole.Body.Text() != "aß用😀e\u0301\n" {
		t.Errorf("the whole entry has become %q", whole.Body)
	}
}
