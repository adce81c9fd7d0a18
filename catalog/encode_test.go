package catalog

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestMembersAreThoseOfEntry holds the table against the struct: names, order,
// and what is left out where the entry does not have it.
func TestMembersAreThoseOfEntry(t *testing.T) {
	t.Parallel()
	var tags []Field
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Entry]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			tags = append(tags, Field(name))
		}
	}
	if !slices.Equal(Fields(), tags) {
		t.Errorf("fields %v, tags %v", Fields(), tags)
	}
	full := &Entry{Categories: []string{"b", "a"}, Details: &Details{TeamIDs: []string{"t"},
		ReviewIntervalDays: new(0), ChangeLog: json.RawMessage(`[{"version":"1"}]`), Extensions: json.RawMessage(`{"x":"<"}`)}}
	v := reflect.ValueOf(full).Elem()
	for i, field := range reflect.VisibleFields(v.Type()) {
		switch f := v.FieldByIndex(field.Index); {
		case f.Kind() == reflect.String:
			f.SetString("value <" + field.Name + ">")
		case f.Kind() == reflect.Int:
			f.SetInt(int64(i + 1))
		}
	}
	full.Body = BodyOf("text <")
	full.LastUsedAt = "" // usage is added by whoever serves the entry
	for _, e := range []*Entry{full, entry("a"), {Body: BodyOf(""), Categories: []string{}, Details: &Details{TeamIDs: []string{}}}} {
		if got, want := string(e.appendMembers(nil, func(Field) bool { return true }))+"}", viaEncodingJSON(t, e); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func viaEncodingJSON(t *testing.T, v any) string {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(buf.String(), "\n")
}

// FuzzAppendString: a string is written exactly as encoding/json writes it.
func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "é\u2028\u2029\u2030\ufffd", "\xff\xe2\x80", "<&>", "😀\xf0\x9f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, want := string(appendString(nil, s)), viaEncodingJSON(t, s)
		if got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
		var text string
		if err := json.Unmarshal([]byte(got), &text); err != nil {
			t.Fatal(err)
		}
		if back := Body(got).Text(); back != text {
			t.Errorf("%s is read as %q, want %q", got, back, text)
		}
	})
}

// TestAppendEncoded: the pieces say what the entries do, and those that were
// sealed one after the other are one piece, unless something lies between.
func TestAppendEncoded(t *testing.T) {
	t.Parallel()
	var sealer Sealer
	seal := func(id ID, body string) *Entry {
		e := &Entry{ID: id, Title: "t", Categories: []string{}}
		sealer.Seal(e, body)
		return e
	}
	long := strings.Repeat("long ", blockBytes/shareOfBlock)
	a, b, own, c := seal("a", "1"), seal("b", "2"), seal("own", long), seal("c", "3")
	alone := entry("alone")
	for _, test := range []struct {
		entries []*Entry
		pieces  int
	}{
		{nil, 0},
		{[]*Entry{a}, 1},
		{[]*Entry{a, b, c}, 1},
		{[]*Entry{b, a}, 2},
		{[]*Entry{a, a}, 2},
		{[]*Entry{a, c}, 2},
		{[]*Entry{a, b, own, c}, 3},
		{[]*Entry{a, alone, b, c}, 3},
	} {
		var pieces [][]byte
		var want []byte
		for _, e := range test.entries {
			pieces = e.AppendEncoded(pieces)
			want = append(want, e.Encoded()...)
		}
		if got := bytes.Join(pieces, nil); !bytes.Equal(got, want) || len(pieces) != test.pieces {
			t.Errorf("%s: %d pieces, want %d:\n%.300s\n%.300s", ids(test.entries), len(pieces), test.pieces, got, want)
		}
	}
	if whole := a.Encoded(); cap(whole) != len(whole) {
		t.Errorf("what is behind an entry can be written to: capacity %d, length %d", cap(whole), len(whole))
	}
}
