package instructions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/rpc"
)

// TestUncountedPages checks that pages without a count are otherwise the same as with
// one.
func TestUncountedPages(t *testing.T) {
	t.Parallel()
	c := shelf(t)
	for _, listing := range []struct{ method, params string }{
		{"instructions/list", `{`}, {"instructions/list", `{"category":"go",`},
		{"instructions/search", `{"q":"there",`}, {"instructions/search", `{"q":"nowhere",`},
		{"instructions/search", `{"q":"e","audience":"all",`}, {"instructions/search", `{"q":"there","snippet":true,`},
		{"instructions/search", `{"mode":"ranked","q":"go",`},
	} {
		for limit := 1; limit <= 6; limit++ {
			cursor := ""
			for range 6 {
				params := fmt.Sprintf(`%s"limit":%d%s`, listing.params, limit, cursor)
				counted, uncounted := c.raw(listing.method, params+`}`), c.raw(listing.method, params+`,"count":false}`)
				if same := c.raw(listing.method, params+`,"count":true}`); same != counted {
					t.Errorf("%s: %s, but with count true %s", params, counted, same)
				}
				if want := withoutCount(t, counted); uncounted != want {
					t.Errorf("%s: %s, want %s", params, uncounted, want)
				}
				var page struct{ NextCursor string }
				if err := json.Unmarshal([]byte(counted), &page); err != nil {
					t.Fatal(err)
				}
				if page.NextCursor == "" {
					break
				}
				cursor = fmt.Sprintf(`,"cursor":%q`, page.NextCursor)
			}
		}
	}
}

// withoutCount removes the count from an answer.
func withoutCount(t *testing.T, answer string) string {
	t.Helper()
	before, rest, found := strings.Cut(answer, `,"count":`)
	_, after, ok := strings.Cut(rest, `,`)
	if !found || !ok {
		t.Fatalf("no count in %s", answer)
	}
	return before + "," + after
}

// TestStrangeTerms checks that any search term yields a result or a clear error.
func TestStrangeTerms(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Zwölf Boxkämpfer ", 60)[:900]
	c := open(t, map[string]string{
		"long.md":     long,
		"combined.md": "cafe\u0301",
		"composed.md": "caf\u00e9",
		"unknown.md":  "What is \ufffd?",
	})
	for term, want := range map[string]string{
		`Z`:                         "long",
		`f`:                         "combined composed long",
		long:                        "long",
		strings.Repeat("x", 1000):   "",
		"e\u0301":                   "combined",
		"\u0301":                    "combined",
		"É":                         "composed",
		`\ud800`:                    "unknown", // an unpaired surrogate is read as U+FFFD
		`\udfff\ud800`:              "",
		`\u0000`:                    "",
		strings.Repeat(`\ud800`, 9): "",
	} {
		for _, more := range []string{``, `,"count":false`, `,"limit":1`} {
			got := c.call("instructions/search", `{"q":"`+term+`"`+more+`}`)
			if got := ids(got.Items); got != want && !(strings.Contains(more, "limit") && got == strings.Split(want+" ", " ")[0]) {
				t.Errorf("%.30q%s: %s, want %s", term, more, got, want)
			}
		}
	}
	c.fails("instructions/search", `{"q":"`+strings.Repeat("x", 1001)+`"}`, rpc.InvalidParams)
}
