package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

var texts = []string{
	`{}`, `[]`, `""`, `0`, ` null `, "\t{ }\n", `{"a":1,"b":[true,{"c":"}"}]"}],"":-1.5e+3}`, `{"a":1,"b":[true,{"c":"}"}],"":-1.5e+3}`,
	`{ "a" : "say \"no\"" , "b\\" : "\\" , "\u00e9\"" : "," }`,
	"[\"caf\u00e9\", \"\xff\", \"\xff\\u0041\", \"\\ud800\", \"0123456\x7f89\"]",
	`[1, "2", [3, [4]], {"5": {"6": null}}, false]`,
	``, ` `, `1`, `-`, `-0`, `01`, `0.`, `1.5e`, `1.5e+`, `1E-09 `, `.5`, `+1`, `tru`, `true`, `nulll`, `"`, `"\`, `"\u12`,
	`"\u12G4"`, `"\uD800"`, `"\x"`, `"1234567\"`, `"12345678"`, `"123456789é"`, "\"12345678\x1f\"", "\"a\x00\"", "\"\xff\xfe4567890\"",
	`[`, `[,]`, `[1,]`, `[1 2]`, `[[],[{}]]`, `{,}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{1:2}`, `{} {}`, "\f1",
	"\uFEFF{}", "\x00", "{}\x00", `{"a":1]`, `[1}`, `{"a":[{"b":"\"\\\/\b\f\n\r\t\u00e9"}]}`, "[1]\v", `{"a" 1}`,
}

// FuzzScanner: a scanner has the verdict of encoding/json on every text that is
// not nested very deep, and reads in one that is well-formed what encoding/json does.
func FuzzScanner(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole := New(text)
		raw := whole.Raw()
		if got, want := whole.End(), json.Valid(text); got != want {
			t.Fatalf("%q is well-formed: %v, want %v", text, got, want)
		}
		s := New(text)
		if !json.Valid(text) {
			read(s)
			if s.End() {
				t.Errorf("%q is well-formed where it is read", text)
			}
			return
		}
		if !bytes.Equal(raw, bytes.Trim(text, " \t\r\n")) {
			t.Fatalf("%q: raw is %q", text, raw)
		}
		if got, want := measuredBy(whole), measured(text); got != want {
			t.Errorf("%q: measured %+v, want %+v", text, got, want)
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		compare(t, s, dec)
		if !s.End() || measuredBy(s) != measuredBy(whole) {
			t.Errorf("%q: read to its end %v, measured %+v", text, s.End(), measuredBy(s))
		}
	})
}

// read reads whatever there is.
func read(s *Scanner) {
	switch s.Next() {
	case '{':
		for range s.Members() {
			read(s)
		}
	case '[':
		for range s.Elements() {
			read(s)
		}
	default:
		s.Text()
	}
}

// measures are what a scanner counts.
type measures struct{ depth, values, names int }

func measuredBy(s *Scanner) measures { return measures{s.Depth(), s.Values(), s.Names()} }

// measured goes byte by byte.
func measured(text []byte) measures {
	m, level, inString := measures{values: 1}, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == ',':
			m.values++
		case c == ':':
			m.names++
		case c == '[' || c == '{':
			level++
			m.values++
			m.depth = max(m.depth, level)
		case c == ']' || c == '}':
			level--
		}
	}
	return m
}

func compare(t *testing.T, s *Scanner, dec *json.Decoder) {
	t.Helper()
	switch s.Next() {
	case '{':
		expect(t, dec, json.Delim('{'))
		for name := range s.Members() {
			expect(t, dec, string(name))
			compare(t, s, dec)
		}
		expect(t, dec, json.Delim('}'))
	case '[':
		expect(t, dec, json.Delim('['))
		for range s.Elements() {
			compare(t, s, dec)
		}
		expect(t, dec, json.Delim(']'))
	case '"':
		expect(t, dec, string(s.Text()))
	default:
		var value any
		d := json.NewDecoder(bytes.NewReader(s.Raw()))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		expect(t, dec, value)
	}
}

func expect(t *testing.T, dec *json.Decoder, got any) {
	t.Helper()
	if want, err := dec.Token(); err != nil || got != want {
		t.Fatalf("got %v, want %v (%v)", got, want, err)
	}
}

// TestNesting: however deep, where encoding/json stops at 10,000.
func TestNesting(t *testing.T) {
	t.Parallel()
	const depth = 1_000_000
	for _, pair := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		for text, want := range map[string]bool{
			strings.Repeat(pair[0], depth) + "1" + strings.Repeat(pair[1], depth):         true,
			strings.Repeat(pair[0], depth) + "1" + strings.Repeat(pair[1], depth-1):       false,
			strings.Repeat(pair[0], depth) + "1" + strings.Repeat(pair[1], depth-1) + ",": false,
		} {
			s := New([]byte(text))
			if s.Skip(); s.End() != want || s.Depth() != depth {
				t.Errorf("%d times %s is well-formed: %v, and %d deep", depth, pair[0], s.End(), s.Depth())
			}
		}
	}
}

// TestLeaving: a loop may be left, and what else is asked for is skipped.
func TestLeaving(t *testing.T) {
	t.Parallel()
	s := New([]byte(`{"a":[1,2],"b":3}`))
	for range s.Members() {
		for range s.Elements() {
			break
		}
		break
	}
	if s.Raw(); s.End() {
		t.Error("the end was reached too early")
	}
	other := New([]byte(`["x",{},7]`))
	for range other.Elements() {
		for range other.Members() {
		}
	}
	if !other.End() {
		t.Error("what is no object was not skipped")
	}
}

func ExampleScanner() {
	s := New([]byte(`{"id": 1.50, "params": {"deep": ["long"]}}`))
	for name := range s.Members() {
		fmt.Printf("%s: %s\n", name, s.Raw())
	}
	fmt.Println(s.End(), s.Depth())
	// Output:
	// id: 1.50
	// params: {"deep": ["long"]}
	// true 3
}

// BenchmarkSkip walks over what a client that remembers 5,000 entries sends.
func BenchmarkSkip(b *testing.B) {
	element := `{"id":"an-entry-of-some-length","sourceHash":"` + strings.Repeat("0a", 32) + `"},`
	text := []byte(`{"known":[` + strings.Repeat(element, 5000) + `{}]}`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := New(text)
		if s.Skip(); !s.End() {
			b.Fatal("not well-formed")
		}
	}
}
