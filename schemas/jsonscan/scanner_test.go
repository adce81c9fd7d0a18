package jsonscan

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

var scannable = []string{
	`{}`, `[]`, `""`, `0`, ` null `, "\t{ }\n",
	`{"a":1,"b":[true,{"c":"}]"}],"":-1.5e+3}`,
	`{ "a" : "say \"no\"" , "b\\" : "\\" , "\u00e9\"" : "," }`,
	"[\"caf\u00e9\", \"\xff\", \"\xff\\u0041\", \"\\ud800\", \"0123456\x7f89\"]",
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
// well-formed.
func FuzzScanner(f *testing.F) {
	for _, text := range scannable {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if json.Valid(text) {
			checkScan(t, text)
		}
	})
}

func TestSkipText(t *testing.T) {
	t.Parallel()
	s := New([]byte(`[ {"a":1},{"a":1}, {"a":2} ,"b"]`))
	var skipped []bool
	for range s.Elements() {
		found := s.SkipText(nil) || s.SkipText([]byte(`{"a":1}`)) || s.SkipText([]byte(`"b"`))
		if skipped = append(skipped, found); !found {
			s.Skip()
		}
	}
	if want := []bool{true, true, false, true}; !slices.Equal(skipped, want) || s.Next() != 0 || s.SkipText([]byte("x")) {
		t.Errorf("skipped %v, want %v, up to %d", skipped, want, s.Offset())
	}
}

// checkScan walks through a value with the scanner and compares what it sees
// with what encoding/json does.
func checkScan(t *testing.T, text []byte) {
	t.Helper()
	whole := New(text)
	if raw := whole.Raw(); !bytes.Equal(raw, bytes.Trim(text, " \t\r\n")) || whole.Next() != 0 {
		t.Fatalf("%q: raw is %q", text, raw)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	s := New(text)
	walk(t, s, dec)
	if s.Next() != 0 {
		t.Errorf("%q: it ends at byte %d", text, s.Offset())
	}
}

func walk(t *testing.T, s *Scanner, dec *json.Decoder) {
	t.Helper()
	switch s.Next() {
	case '{':
		expect(t, dec, json.Delim('{'))
		for name := range s.Members() {
			expect(t, dec, string(name))
			walk(t, s, dec)
		}
		expect(t, dec, json.Delim('}'))
	case '[':
		expect(t, dec, json.Delim('['))
		for range s.Elements() {
			walk(t, s, dec)
		}
		expect(t, dec, json.Delim(']'))
	case '"':
		expect(t, dec, string(s.Text()))
	default:
		var value any
		raw := s.Raw()
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
