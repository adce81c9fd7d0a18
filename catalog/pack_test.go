package catalog

import (
	"encoding/json"
	"reflect"
	"testing"
)

func packExamples() []*Entry {
	return []*Entry{
		entry("plain"),
		entry("escapes", func(e *Entry) {
			e.Title, e.Owner, e.Body = "a \"title\"\u2028", "back\\slash", BodyOf("\x00\n\"")
			e.Categories, e.TeamIDs = []string{`"`, "a,b", "]"}, []string{"\n"}
			e.Origin.SpelledID, e.Origin.RecordedHash = "Esc.apes", "beef"
		}),
		entry("everything", func(e *Entry) {
			e.Rationale, e.PrimaryCategory, e.DeprecatedBy, e.Version = "é", "go", "plain", "1.0.0"
			e.UsageCount, e.LastUsedAt = 1<<62, "2025-01-01T00:00:00Z"
			e.Status, e.PriorityTier, e.Classification = StatusDraft, "P1", Public
			e.SemanticSummary, e.ContentType, e.Supersedes = "s", "skill", "x"
			e.LastReviewedAt, e.NextReviewDue, e.ReviewIntervalDays = e.CreatedAt, e.UpdatedAt, new(0)
			e.Categories, e.TeamIDs, e.WorkspaceID, e.UserID = []string{"a", "b"}, []string{}, "w", "u"
			e.ChangeLog, e.Extensions = json.RawMessage(`[{"x":"]"}]`), json.RawMessage(`{"a":{"b":[1.50]}}`)
			e.Requirement, e.Priority = Deprecated, 100
		}),
	}
}

func TestUnpackReturnsWhatWasPacked(t *testing.T) {
	t.Parallel()
	var u Unpacker
	for _, want := range packExamples() {
		got, err := u.Unpack(want.Encoded(), want.AppendPacked(nil), want.Origin.Path)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, got  %+v\nwant %+v", want.ID, err, got, want)
		}
	}
}

// What is cut off, and what has something behind it, is noticed.
func TestUnpackRefuses(t *testing.T) {
	t.Parallel()
	for _, e := range packExamples() {
		packed := e.AppendPacked(nil)
		for n := range packed {
			if got, err := new(Unpacker).Unpack(e.Encoded(), packed[:n:n], "x"); err == nil {
				t.Errorf("%s: made of %d of %d bytes: %+v", e.ID, n, len(packed), got)
			}
		}
		if _, err := new(Unpacker).Unpack(e.Encoded(), append(packed, 0), "x"); err == nil {
			t.Errorf("%s: a byte too many is not noticed", e.ID)
		}
		for n := range e.Encoded() {
			if got, err := new(Unpacker).Unpack(e.Encoded()[:n:n], packed, "x"); err == nil {
				t.Errorf("%s: made of %d of %d bytes of JSON: %+v", e.ID, n, len(e.Encoded()), got)
			}
		}
	}
}

// FuzzUnpack: whatever is unpacked, nothing breaks.
func FuzzUnpack(f *testing.F) {
	for _, e := range packExamples() {
		f.Add(e.Encoded(), e.AppendPacked(nil))
	}
	f.Fuzz(func(t *testing.T, encoded, data []byte) {
		if e, err := new(Unpacker).Unpack(encoded, data, "x"); (e == nil) == (err == nil) {
			t.Errorf("got %v, %v", e, err)
		}
	})
}

// BenchmarkUnpack is to be compared with reading the entry's file and making
// the entry of it.
func BenchmarkUnpack(b *testing.B) {
	example := packExamples()[2]
	encoded, packed := example.Encoded(), example.AppendPacked(nil)
	b.ReportAllocs()
	var u Unpacker
	for b.Loop() {
		if _, err := u.Unpack(encoded, packed, "x"); err != nil {
			b.Fatal(err)
		}
	}
}
