package source

import (
	"errors"
	"testing"
)

// TestRecordHash: nothing but the hash changes, whatever stands around it.
func TestRecordHash(t *testing.T) {
	t.Parallel()
	const b = "df7e70e5021544f4834bbee64a9e3789febc4be81470df629cad6ddb03320a5c" // of B
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

// TestHashesThatAreNotRecorded: what cannot be done for sure is not done.
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
