package format

import (
	"errors"
	"strings"
	"testing"
)

// TestRecordHash checks that nothing but the hash changes.
func TestRecordHash(t *testing.T) {
	t.Parallel()
	const b = "df7e70e5021544f4834bbee64a9e3789febc4be81470df629cad6ddb03320a5c" // the hash of the body B
	for name, tt := range map[string]struct{ path, before, after string }{
		"json":            {"a.json", "{\n  \"id\": \"a\", \"title\": \"T\",\n  \"sourceHash\" : \"old\",\r\n  \"body\": \"B\"\n}", "{\n  \"id\": \"a\", \"title\": \"T\",\n  \"sourceHash\" : \"" + b + "\",\r\n  \"body\": \"B\"\n}"},
		"null, one line":  {"a.json", `{"id":"a","title":"T","sourceHash":null,"body":"B"}`, `{"id":"a","title":"T","sourceHash":"` + b + `","body":"B"}`},
		"markdown":        {"a.md", "---\ntitle: T\nsourceHash: old # ours\nowner: me\n---\nB", "---\ntitle: T\nsourceHash: \"" + b + "\" # ours\nowner: me\n---\nB"},
		"empty, \\r\\n":   {"a.md", "---\r\nsourceHash:\r\n---\r\nB", "---\r\nsourceHash: \"" + b + "\"\r\n---\r\nB"},
		"quoted":          {"a.md", "\ufeff---\nsourceHash: 'old'\n---\nB", "\ufeff---\nsourceHash: \"" + b + "\"\n---\nB"},
		"toml":            {"a.md", "+++\nsourceHash = ''\nowner = 'me'\n+++\nB", "+++\nsourceHash = \"" + b + "\"\nowner = 'me'\n+++\nB"},
		"nothing to do":   {"a.md", "---\nsourceHash: \"" + b + "\"\n---\nB", "---\nsourceHash: \"" + b + "\"\n---\nB"},
		"one in the body": {"a.md", "---\nsourceHash: ''\n---\nsourceHash: old", "---\nsourceHash: \"9ed773431b03431ce92c74b239085178b319521e22b34f520bcb6dde5bfd9a8c\"\n---\nsourceHash: old"},
	} {
		got, err := RecordHash(tt.path, []byte(tt.before))
		if err != nil || string(got) != tt.after {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, tt.after)
		}
	}
}

// TestHashesThatAreNotRecorded checks that a hash is not recorded where this might
// change anything else.
func TestHashesThatAreNotRecorded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		path, text string
		want       error
	}{
		"no line":            {"a.md", "---\ntitle: T\n---\nB", ErrNoHashLine},
		"no front matter":    {"a.md", "sourceHash: x\n", ErrNoHashLine},
		"on the next line":   {"a.json", "{\"id\":\"a\",\"title\":\"T\",\"sourceHash\":\n\"old\",\"body\":\"B\"}", ErrHashLine},
		"another one before": {"a.json", `{"id":"a","title":"T","extensions":{"sourceHash":"x"},"sourceHash":"old","body":"B"}`, ErrHashLine},
		"folded":             {"a.md", "---\nsourceHash: >\n  old\n---\nB", ErrHashLine},
		"in a flow":          {"a.md", "---\n{title: T, sourceHash: old}\n---\nB", ErrHashLine},
		"an anchor":          {"a.md", "---\nsourceHash: &a old\nowner: *a\n---\nB", ErrHashLine},
	} {
		if got, err := RecordHash(tt.path, []byte(tt.text)); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %q, %v, want %v", name, got, err, tt.want)
		}
	}
	if _, err := RecordHash("a.json", []byte("{")); err == nil {
		t.Error("a file that is no entry is taken")
	}
}

// approved records an approval by `Ann "A" <a@x>` of the hash h. In the result, the
// three fields are abbreviated as H, B and T.
func approved(path, text string) (string, error) {
	e := Interpret(path, []byte(text))
	if e == nil {
		return "", errors.New("it is no entry")
	}
	got, err := RecordApproval(path, []byte(text), e, Approval{"h", `Ann "A" <a@x>`, "2025-01-31T09:30:00.000Z"})
	return strings.NewReplacer(
		`approvedHash: "h"`, "H", `approvedBy: "Ann \"A\" <a@x>"`, "B", `approvedAt: "2025-01-31T09:30:00.000Z"`, "T",
		`approvedHash = "h"`, "H", `approvedBy = "Ann \"A\" <a@x>"`, "B", `approvedAt = "2025-01-31T09:30:00.000Z"`, "T",
		`"approvedHash": "h"`, "H", `"approvedBy": "Ann \"A\" <a@x>"`, "B", `"approvedAt": "2025-01-31T09:30:00.000Z"`, "T",
	).Replace(string(got)), err
}

// TestRecordApproval checks that lines are added or replaced, and that no other byte
// changes.
func TestRecordApproval(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ path, before, after string }{
		"markdown":               {"a.md", "---\ntitle: T # ours\n---\n\nB  ", "---\ntitle: T # ours\nH\nB\nT\n---\n\nB  "},
		"once more":              {"a.md", "---\napprovedBy: x # who\ntitle: T\napprovedHash:\napprovedAt: 2025-01-01\n---\nB", "---\nB # who\ntitle: T\nH\nT\n---\nB"},
		"no front matter":        {"a.md", "# Head\n\nB\n", "---\nH\nB\nT\n---\n# Head\n\nB\n"},
		"a thematic break":       {"a.md", "---\n# Head\n", "---\nH\nB\nT\n---\n---\n# Head\n"},
		"carriage returns":       {"a.md", "\ufeff---\r\ntitle: T\r\n---\r\nB\r\n", "\ufeff---\r\ntitle: T\r\nH\r\nB\r\nT\r\n---\r\nB\r\n"},
		"no line end":            {"a.md", "B", "---\nH\nB\nT\n---\nB"},
		"after a list":           {"a.md", "---\ncategories:\n- a\n- b\n---\napprovedBy: no field\n", "---\ncategories:\n- a\n- b\nH\nB\nT\n---\napprovedBy: no field\n"},
		"after a block":          {"a.md", "---\nrationale: |\n  x\n\n---\nB", "---\nrationale: |\n  x\n\nH\nB\nT\n---\nB"},
		"toml":                   {"a.md", "+++\ntitle = 'T'\n[extensions]\nx = 1\n+++\nB", "+++\nH\nB\nT\ntitle = 'T'\n[extensions]\nx = 1\n+++\nB"},
		"json":                   {"a.json", "{\n  \"id\": \"a\", \"title\": \"T\",\n\n  \"body\": \"B\"\n}\n", "{\n  H,\n  B,\n  T,\n  \"id\": \"a\", \"title\": \"T\",\n\n  \"body\": \"B\"\n}\n"},
		"json, once more":        {"a.json", "{\n\t\"approvedBy\" : null, \"id\": \"a\", \"title\": \"T\", \"approvedHash\":\n\"\",\r\n\t\"body\": \"B\",\"approvedAt\":\"2025-01-01T00:00:00Z\"}", "{\n\t\"approvedBy\" : \"Ann \\\"A\\\" <a@x>\", \"id\": \"a\", \"title\": \"T\", \"approvedHash\":\n\"h\",\r\n\t\"body\": \"B\",\"approvedAt\":\"2025-01-31T09:30:00.000Z\"}"},
		"json on one line":       {"a.json", `{"id":"a","title":"T","body":"B"}`, `{H,B,T,"id":"a","title":"T","body":"B"}`},
		"json with a blank":      {"a.json", `{ "id":"a","title":"T","body":"B"}`, `{ H, B, T, "id":"a","title":"T","body":"B"}`},
		"json, line ends":        {"a.json", "{ \r\n  \"id\":\"a\",\"title\":\"T\",\"body\":\"B\"}", "{ \r\n  H,\r\n  B,\r\n  T,\r\n  \"id\":\"a\",\"title\":\"T\",\"body\":\"B\"}"},
		"one in extensions":      {"a.json", `{"extensions":{"approvedBy":"x"},"id":"a","title":"T","body":"B"}`, `{H,B,T,"extensions":{"approvedBy":"x"},"id":"a","title":"T","body":"B"}`},
		"a recorded hash":        {"a.md", "---\nsourceHash: old\n---\nB", "---\nsourceHash: old\nH\nB\nT\n---\nB"},
		"a name in another case": {"a.md", "---\nApprovedBy: x\n---\nB", ""},
		"in a flow":              {"a.md", "---\n{title: T}\n---\nB", ""},
		"over several lines":     {"a.md", "---\napprovedBy: >\n  x\n---\nB", ""},
		"an anchor":              {"a.md", "---\napprovedBy: &a x\nowner: *a\n---\nB", ""},
	} {
		got, err := approved(tt.path, tt.before)
		if tt.after == "" && !errors.Is(err, ErrApproval) || tt.after != "" && (err != nil || got != tt.after) {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, tt.after)
		}
	}
}

// TestApprovalOfAnotherEntry checks that no approval is recorded if the entry has
// changed since it was reviewed.
func TestApprovalOfAnotherEntry(t *testing.T) {
	t.Parallel()
	e := Interpret("a.md", []byte("---\npriority: 7\n---\nB"))
	for _, now := range []string{"---\npriority: 8\n---\nB", "---\npriority: 7\n---\nC", "---\nid: [\n---\nB", ""} {
		if got, err := RecordApproval("a.md", []byte(now), e, Approval{"h", "me", "2025-01-31T09:30:00.000Z"}); err == nil {
			t.Errorf("%q: got %q", now, got)
		}
	}
}

// FuzzRecordApproval checks that a recorded approval can be read, and that the body
// stays the same.
func FuzzRecordApproval(f *testing.F) {
	for _, seed := range []string{"B", "---\ntitle: T\n---\nB", "+++\ntitle = 'T'\n+++\nB", "---\n---\n---\n", "\ufeff---\r\napprovedBy: x\r\n---\r\nB", "\ufeffA\n---\nB"} {
		f.Add("a.md", seed, "me")
	}
	f.Add("a.json", `{"id":"a","title":"T","body":"B","approvedAt":null}`, `"`)
	f.Fuzz(func(t *testing.T, path, text, by string) {
		if path != "a.json" {
			path = "a.md"
		}
		before := Interpret(path, []byte(text))
		if before == nil {
			return
		}
		got, err := RecordApproval(path, []byte(text), before, Approval{"h", by, "2025-01-31T09:30:00.000Z"})
		if err != nil {
			return
		}
		after := Interpret(path, got)
		if after == nil || after.Instruction().ApprovedBy != by || after.Body.Text() != before.Body.Text() || after.Priority != before.Priority {
			t.Errorf("%q became %q", text, got)
		}
		for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
			if path == "a.md" && !strings.Contains(line, "approved") && !strings.Contains(string(got), line) {
				t.Errorf("%q lost the line %q: %q", text, line, got)
			}
		}
	})
}
