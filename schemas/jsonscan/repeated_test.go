package jsonscan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestRepeated(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, `"n%d":[],`, i)
	}
	for text, want := range map[string]string{
		``:                                   "",
		`1`:                                  "",
		`{"a":1,"b":{"a":1},"c":[{"a":1}]}`:  "",
		`[{"a":1},{"a":2}]`:                  "",
		`{"a":1,"A":2}`:                      "",
		`{"a":1,"b":2,"a":3}`:                `a at 13`,
		`{"a":1,"\u0061":2}`:                 `a at 7`,
		`{"":1,"":2}`:                        ` at 6`,
		`{"x":[[],{},{"y":{"b":1, "b":1}}]}`: `x 2 y b at 25`,
		`{"x":{"a":1},"y":[{"b":1},"b"],"x":` + "1}": `x at 31`,
		`{` + many.String() + `"z":1}`:               "",
		`{` + many.String() + `"n99":1}`:             fmt.Sprint("n99 at ", 1+many.Len()),
		`{` + many.String() + `"n1":1}`:              fmt.Sprint("n1 at ", 1+many.Len()),
		`{"a":1,"b":x,"a":2}`:                        "", // invalid JSON
		`{"a":1,"a`:                                  "",
		strings.Repeat(`{"a":`, 100_000):             "",
	} {
		path, offset := Repeated([]byte(text))
		got := ""
		for _, step := range path {
			if got += step.Name + " "; step.IsIndex {
				got += fmt.Sprint(step.Index, " ")
				got = strings.Replace(got, "  ", " ", 1)
			}
		}
		if path != nil {
			got += fmt.Sprint("at ", offset)
		}
		if got != want {
			t.Errorf("%.60s: got %q, want %q", text, got, want)
		}
	}
}

// FuzzRepeated checks Repeated by comparing member counts with a decoded map.
func FuzzRepeated(f *testing.F) {
	for _, seed := range []string{`{"a":1,"a":2}`, `[{"a":{}},{"b":[{"c":1,"\u0063":1}]}]`, `{"\ud800":1,"\ufffd":2}`, `{"a":`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path, offset := Repeated(text)
		if !json.Valid(text) {
			return
		}
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			t.Skip() // nested too deep
		}
		if written := members(text); (path != nil) != (kept(value) < written) {
			t.Fatalf("found %v, of %d members %d are left", path, written, kept(value))
		}
		if path != nil && text[offset] != '"' {
			t.Fatalf("no name begins at %d", offset)
		}
	})
}

// members returns the number of members of all objects in a text.
func members(text []byte) (n int) {
	for m := range Members(text) {
		n += 1 + members(m.Value)
	}
	for element := range Elements(text) {
		n += members(element)
	}
	return n
}

// kept returns the number of members of all objects in a decoded value.
func kept(value any) (n int) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			n += kept(element)
		}
	case map[string]any:
		for _, member := range v {
			n += 1 + kept(member)
		}
	}
	return n
}
