package schemas

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

var scannable = []string{
	`{}`, `[]`, `""`, `0`, ` null `, "\t{ }\n",
	`{"a":1,"b":[true,{"c":"}]"}],"":-1.5e+3}`,
	`{ "a" : "say \"no\"" , "b\\" : "\\" , "\u00e9\"" : "," }`,
	`[1, "2", [3, [4]], {"5": {"6": null}}, false]`,
	`{"$ref":"#/definitions/A","x":{"$ref" : "types.json#/definitions/B"},"const":"$ref"}`,
}

func TestScanner(t *testing.T) {
	t.Parallel()
	for _, text := range scannable {
		checkScan(t, []byte(text))
	}
}

// FuzzScanner holds the scanner against encoding/json, on values that are
// well-formed and UTF-8.
func FuzzScanner(f *testing.F) {
	for _, text := range scannable {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if json.Valid(text) && utf8.Valid(text) {
			checkScan(t, text)
		}
	})
}

// checkScan walks through a value with the scanner and compares what it sees
// with what encoding/json does.
func checkScan(t *testing.T, text []byte) {
	t.Helper()
	whole := scanner{text: text}
	if raw := whole.raw(); !bytes.Equal(raw, bytes.Trim(text, " \t\r\n")) || whole.next() != 0 {
		t.Fatalf("%q: raw is %q", text, raw)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	s := &scanner{text: text}
	walk(t, s, dec)
	if s.next() != 0 {
		t.Errorf("%q: it ends at byte %d", text, s.at)
	}
}

func walk(t *testing.T, s *scanner, dec *json.Decoder) {
	t.Helper()
	switch s.next() {
	case '{':
		expect(t, dec, json.Delim('{'))
		for name := range s.members() {
			expect(t, dec, string(name))
			walk(t, s, dec)
		}
		expect(t, dec, json.Delim('}'))
	case '[':
		expect(t, dec, json.Delim('['))
		for range s.elements() {
			walk(t, s, dec)
		}
		expect(t, dec, json.Delim(']'))
	case '"':
		expect(t, dec, string(s.string()))
	default:
		var value any
		raw := s.raw()
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			t.Fatalf("%q: %v", raw, err)
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

func TestLocal(t *testing.T) {
	t.Parallel()
	const text = `{"$ref" : "types.json#/definitions/A", "a": [{"$ref":"#/definitions/B"}], "$refs": "x", "const": "$ref"}`
	const want = `{"$ref" : "#/definitions/A", "a": [{"$ref":"#/definitions/B"}], "$refs": "x", "const": "$ref"}`
	if got := local(json.RawMessage(text)); string(got) != want {
		t.Errorf("got %s", got)
	}
}
