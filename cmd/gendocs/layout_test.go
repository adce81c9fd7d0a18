package main

import (
	"strings"
	"testing"
)

func TestLayOut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 24)
	tests := []struct{ name, json, want string }{
		{"short", `{"b":1,"a":[true,null]}`, `{"b": 1, "a": [true, null]}`},
		{"empty", `{"a":{},"b":[]}`, `{"a": {}, "b": []}`},
		{"as written", `[1e2,0.10,12345678901234567890,"<&é\n"]`, `[1e2, 0.10, 12345678901234567890, "<&é\n"]`},
		{"spread out", `{"id":1,"result":{"text":"` + long + `","n":1}}`,
			"{\"id\": 1, \"result\": {\n  \"text\": \"" + long + "\",\n  \"n\": 1\n}}"},
		{"a batch", `[{"id":1,"result":"` + long + `"},{"id":2}]`,
			"[\n  {\n    \"id\": 1,\n    \"result\": \"" + long + "\"\n  },\n  {\"id\": 2}\n]"},
		{"long text", `"` + strings.Repeat("é", 161) + `"`, `"` + strings.Repeat("é", 160) + `…"`},
		{"cut after an escape", `"` + strings.Repeat("x", 159) + `\nmore"`, `"` + strings.Repeat("x", 159) + `\n…"`},
		{"fingerprint", `"` + strings.Repeat("0123456789abcdef", 4) + `"`, `"0123456789ab…"`},
		{"long list", `["` + long + `","` + long + `","` + long + `","` + long + `"]`,
			"[\n  \"" + long + "\",\n  \"" + long + "\",\n  \"" + long + "\",\n  … 1 more\n]"},
		{"too deep", `{"a":{"b":{"c":{"d":{"e":"` + long + `"},"f":{"g":1}}}}}`,
			`{"a": {"b": {"c": {"d": {…}, "f": {"g": 1}}}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := layOut([]byte(tt.json), brief)
			if err != nil || got != tt.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
}

func TestLayOutRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `{"a":`, `{"a":1}}`, `1 2`, `[1,`} {
		if got, err := layOut([]byte(text), whole); err == nil {
			t.Errorf("%q was laid out as %q", text, got)
		}
	}
}
