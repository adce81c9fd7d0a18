package entities_test

import (
	"strings"
	"testing"

	"instruction-catalog/toolsets/entities"
)

func TestParseID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]entities.ID{
		"00000000-0000-4000-a000-000000000001":  "00000000-0000-4000-a000-000000000001",
		"ABCDEF01-2345-1ABC-BDEF-0123456789AB":  "abcdef01-2345-1abc-bdef-0123456789ab",
		"00000000-0000-5000-8000-000000000001":  "00000000-0000-5000-8000-000000000001",
		"00000000-0000-0000-a000-000000000001":  "",
		"00000000-0000-6000-a000-000000000001":  "",
		"00000000-0000-4000-7000-000000000001":  "",
		"00000000-0000-4000-c000-000000000001":  "",
		"00000000-0000-4000-a000-00000000000":   "",
		"00000000-0000-4000-a000-0000000000011": "",
		"00000000_0000-4000-a000-000000000001":  "",
		"0000000000004000a000000000000001":      "",
		"0000000g-0000-4000-a000-000000000001":  "",
		"":                                      "",
	} {
		id, err := entities.ParseID("entityId", text)
		if id != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q: %v", text, id, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "entityId: must be a UUID") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzParseID checks that every id accepted from a caller is also valid in a row.
func FuzzParseID(f *testing.F) {
	f.Add("ABCDEF01-2345-1ABC-BDEF-0123456789AB")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		id, err := entities.ParseID("entityId", text)
		if err != nil {
			return
		}
		var row entities.ID
		if err := row.UnmarshalText([]byte(text)); err != nil || row != id || string(id) != strings.ToLower(text) {
			t.Errorf("%q is %q for a caller, %q of a row: %v", text, id, row, err)
		}
	})
}

func TestTimestamps(t *testing.T) {
	t.Parallel()
	var earlier, later entities.Timestamp
	for text, ok := range map[string]bool{
		"2026-01-01T00:00:00.000Z": true, "2026-01-01T00:00:00Z": true, "2026-01-01T00:00:00.123456+02:00": true,
		"2026-02-30T00:00:00.000Z": false, "2026-01-01": false, "2026-01-01T00:00:00": false, "2026-01-01T0:00:00Z": false, "2026-01-01T00:00:00,5Z": false, "": false,
	} {
		if err := later.UnmarshalText([]byte(text)); (err == nil) != ok || ok && later.String() != text {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, err := range []error{earlier.UnmarshalText([]byte("2026-01-01T01:00:00+02:00")), later.UnmarshalText([]byte("2026-01-01T00:00:00Z"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if earlier.Compare(later) >= 0 {
		t.Error("moments are compared by their texts")
	}
}
