package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

var texts = []string{
	`{}`, `[]`, `""`, `0`, ` null `, "\t{ }\n", `{"a":1,"b":[true,{"c":"}"}]"}],"":-1.5e+3}`, `{"a":1,"b":[true,{"c":"}"}],"":-1.5e+3}`,
	`{ "a" : "say \"no\"" , "b\\" : "\\" , "\u00e9\"" : "," }`,
	"[\"caf\u00e9\", \"\xff\", \"\xff\\u0041\", \"\\ud800\", \"0123456\x7f89\"]", "{\"\xff\":1,\"\\ud800\":{}}",
	`[1, "2", [3, [4]], {"5": {"6": null}}, false]`,
	``, ` `, `1`, `-`, `-0`, `01`, `0.`, `1.5e`, `1.5e+`, `1E-09 `, `.5`, `+1`, `tru`, `true`, `nulll`, `"`, `"\`, `"\u12`,
	`"\u12G4"`, `"\uD800"`, `"\x"`, `"1234567\"`, `"12345678"`, `"123456789é"`, "\"12345678\x1f\"", "\"a\x00\"", "\"\xff\xfe4567890\"",
	`[`, `[,]`, `[1,]`, `[1 2]`, `[[],[{}]]`, `{,}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{1:2}`, `{} {}`, "\f1",
	"\uFEFF{}", "\x00", "{}\x00", `{"a":1]`, `[1}`, `{"a":[{"b":"\"\\\/\b\f\n\r\t\u00e9"}]}`, "[1]\v", `{"a" 1}`,
}

// FuzzScan checks that validity and values agree with encoding/json.
func FuzzScan(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := Check(text)
		if (err == nil) != json.Valid(text) {
			t.Fatalf("%q is JSON: %v, want %v", text, err, json.Valid(text))
		}
		var within error
		for _, err := range Members(text) {
			within = err
		}
		for _, err := range Elements(text) {
			within = err
		}
		if !reflect.DeepEqual(within, err) {
			t.Errorf("%q: %v where it is read, and %v", text, within, err)
		}
		if err != nil {
			return
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		compare(t, bytes.TrimSpace(text), dec)
	})
}

// compare compares a value with the tokens of encoding/json.
func compare(t *testing.T, text []byte, dec *json.Decoder) {
	t.Helper()
	switch text[0] {
	case '{':
		expect(t, dec, json.Delim('{'))
		for m := range Members(text) {
			expect(t, dec, string(m.Name))
			if text[m.Start] != '"' || !bytes.HasPrefix(text[m.At:], m.Value) {
				t.Fatalf("%s: the member %q is not at %d and %d", text, m.Name, m.Start, m.At)
			}
			compare(t, m.Value, dec)
		}
		expect(t, dec, json.Delim('}'))
	case '[':
		expect(t, dec, json.Delim('['))
		for element := range Elements(text) {
			compare(t, element, dec)
		}
		expect(t, dec, json.Delim(']'))
	case '"':
		value, repaired := Unquote(text)
		if expect(t, dec, value); repaired && !strings.Contains(value, "\uFFFD") {
			t.Errorf("%s: nothing in %q was repaired", text, value)
		}
	default:
		var value any
		d := json.NewDecoder(bytes.NewReader(text))
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

func TestErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                   "line 1, column 1: it ends too early",
		" \n":                "line 1, column 1: it ends too early",
		"[1,\n":              "line 1, column 4: it ends too early",
		`{"a":`:              "line 1, column 6: it ends too early",
		`{"a":1`:             "line 1, column 7: it ends too early",
		`{"a":1,}`:           "line 1, column 8: unexpected '}'",
		`{"a":"b`:            "line 1, column 8: it ends too early",
		"\n\nid: x\n":        "line 3, column 1: unexpected 'i'",
		"{ // no\n}":         "line 1, column 3: unexpected '/'",
		"{\"a\": \"x\n\"}":   `line 1, column 9: unexpected '\n'`,
		`[é]`:                "line 1, column 2: unexpected 'é'",
		"{\n\"a\": nill}":    "line 2, column 7: unexpected 'i'",
		`["a\x"]`:            `line 1, column 4: unexpected '\\'`,
		`{"a": 01}`:          "line 1, column 8: unexpected '1'",
		"1.":                 "line 1, column 3: it ends too early",
		"{}\r\n {}":          "line 2, column 2: unexpected '{'",
		"[1]\x00":            `line 1, column 4: unexpected '\x00'`,
		`[[1}]`:              "line 1, column 4: unexpected '}'",
		nested("[", 100_000): "line 1, column 10001: unexpected '['",
	} {
		if err := Check([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

func nested(opening string, depth int) string { return strings.Repeat(opening, depth) }

// TestMembersShareText checks that a loop may end early and that callers may append to
// values.
func TestMembersShareText(t *testing.T) {
	t.Parallel()
	text := []byte(`{"a":[1,2],"b":3}`)
	for m := range Members(text) {
		for element := range Elements(m.Value) {
			_ = append(element, "x"...)
			break
		}
		_ = append(m.Value, "x"...)
		break
	}
	if string(text) != `{"a":[1,2],"b":3}` {
		t.Errorf("the text is now %s", text)
	}
}

// FuzzStructure compares Structure with a byte-by-byte scan.
func FuzzStructure(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want, got []string
		inString := false
		for at := 0; at < len(text); at++ {
			switch c := text[at]; {
			case inString && c == '\\':
				at++
			case c == '"':
				inString = !inString
			case !inString && strings.IndexByte("{}[],:", c) >= 0:
				want = append(want, fmt.Sprint(at, c))
			}
		}
		for at, c := range Structure(text) {
			got = append(got, fmt.Sprint(at, c))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	})
}

func ExampleMembers() {
	for m, err := range Members([]byte(`{"id": 1.50, "params": {"deep": ["long"]}`)) {
		fmt.Printf("%s: %s %v\n", m.Name, m.Value, err)
	}
	// Output:
	// id: 1.50 <nil>
	// params: {"deep": ["long"]} <nil>
	// :  line 1, column 42: it ends too early
}
