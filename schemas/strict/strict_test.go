package strict

import (
	"strings"
	"testing"
)

func TestStrictJSON(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, data, says string }{
		{"object", `{"a": {"b": 1, "a": 2}, "b": [{"a": 1}, {"a": 1}]}`, ""},
		{"scalar", `1`, ""},
		{"names that differ", `{"a": 1, "á": 2, "A": 3}`, ""},
		{"deepest", strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), ""},
		{"too deep", strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1), "nested"},
		{"far too deep", strings.Repeat("[", 100_000), "not JSON"},
		{"line of a syntax error", "{\n\n  \"a\" 1}", "line 3"},
		{"line of a duplicate", "{\n\"a\": 1,\n\"a\": 2}", "line 3"},
		{"line of invalid UTF-8", "{\n\"a\": \"\xa0\"}", "line 2"},
		{"duplicate deep inside", `[{"a": [{"b": 1, "b": 2}]}]`, `"b" appears twice`},
		{"duplicate after a nested object", `{"a": {"x": 1}, "a": 1}`, `"a" appears twice`},
		{"two values", `{} {}`, "not JSON"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := JSON([]byte(test.data))
			if test.says == "" {
				if err != nil {
					t.Errorf("got %v, want none", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want an error that says %q", err, test.says)
			}
		})
	}
}
