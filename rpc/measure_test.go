package rpc_test

import (
	"strings"
	"testing"

	"instruction-catalog/rpc"
)

// FuzzMeasure holds Measure against going byte by byte, in texts of every kind.
func FuzzMeasure(f *testing.F) {
	for _, text := range []string{
		``, `0`, `[1,[2,{"a":"]["}]]`, `"\\\"[" [`, `]][[`, `{"a\\":[","],"b\"":{}}`, `["unclosed, [`, `\"[\",`, `"` + strings.Repeat(`\`, 9) + `",[`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		depth, values := rpc.Measure(text)
		wantDepth, wantValues := measureByByte(text)
		if depth != wantDepth || values != wantValues {
			t.Errorf("%q: %d deep with %d values, want %d and %d", text, depth, values, wantDepth, wantValues)
		}
	})
}

func measureByByte(text []byte) (depth, values int) {
	level, values, inString := 0, 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == ',':
			values++
		case c == '[' || c == '{':
			level++
			values++
			depth = max(depth, level)
		case c == ']' || c == '}':
			level--
		}
	}
	return depth, values
}

func BenchmarkMeasure5000Known(b *testing.B) {
	element := `{"id":"an-entry-of-some-length","sourceHash":"` + strings.Repeat("0a", 32) + `"},`
	text := []byte(`{"known":[` + strings.Repeat(element, 5000) + `{}]}`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		rpc.Measure(text)
	}
}
