package catalog

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestEncoded(t *testing.T) {
	t.Parallel()
	got := string(NewEntry(Instruction{
		ID: "a", Title: "<t> \u2028", Body: "b \"&\"\n", Priority: 7, Audience: Everybody, Requirement: Mandatory,
		SchemaVersion: "3", CreatedAt: "c", UpdatedAt: "u", UsageCount: 5, LastUsedAt: "l",
		ReviewIntervalDays: new(0), TeamIDs: []string{},
		ChangeLog: json.RawMessage(`[{"version":"1"}]`), Extensions: json.RawMessage(`{"x":"<\u00e9"}`),
	}, Origin{}).Encoded())
	want := `{"id":"a","title":"<t> \u2028","body":"b \"&\"\n","priority":7,"audience":"all","requirement":"mandatory",` +
		`"categories":[],"sourceHash":"` + string(FingerprintOf("b \"&\"\n")) + `","schemaVersion":"3","createdAt":"c","updatedAt":"u",` +
		`"riskScore":143,"reviewIntervalDays":0,"teamIds":[],"changeLog":[{"version":"1"}],"extensions":{"x":"<\u00e9"}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	fields := Fields()
	if len(fields) != 38 || fields[0] != "id" || fields[2] != "body" || !slices.Contains(fields, "lastUsedAt") {
		t.Errorf("got %v", fields)
	}
}

// FuzzBody checks that decoding the body in an entry's JSON yields the original body.
func FuzzBody(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "é\u2028\u2029\u2030\ufffd", "<&>", "😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := string([]rune(text)) // invalid UTF-8 becomes U+FFFD
		if got := entry("a", func(e *draft) { e.Body = text }).Body.Text(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
