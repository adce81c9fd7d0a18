package stdio

import (
	"fmt"
	"regexp"
	"testing"
)

// column is where a parse error is, which depends on what stands before it.
var column = regexp.MustCompile(`column \d+`)

// TestMembersInAnyOrder: it does not matter whether the method stands before or
// behind the params.
func TestMembersInAnyOrder(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	for _, params := range []string{
		`{"text":"x"}`, `{}`, ` { "text" : "x" } `, `{"text":7}`, `{"more":1}`, `{"text":"x","text":"y"}`, `{"te\u0078t":"x"}`, `[]`, `null`, `7`,
		"{\"text\":\"caf\u00e9 \\n\"}", "{\"text\":\"\xff\"}", "{\"text\":\"\x1f\"}", `{"text":"x"`, `{"text":"x",}`,
	} {
		first := y.serve(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"test/echo","params":%s}`+"\n", params))
		last := y.serve(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"params":%s,"method":"test/echo"}`+"\n", params))
		first, last = column.ReplaceAllString(first, ""), column.ReplaceAllString(last, "")
		if first != last {
			t.Errorf("%q is answered %q and %q", params, first, last)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":17,"method":"instructions/search","params":{"q":"some words","limit":10}}`)
	b.ReportAllocs()
	for b.Loop() {
		if m := parse(line); m.elements[0].err != nil {
			b.Fatal(m.elements[0].err)
		}
	}
}
