package writing

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestFileName(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Meeting Notes 2024-01-15": "meeting-notes-2024-01-15",
		"  a \t\n b — c - d  ":     "a-b-c-d",
		"C++ & C#":                 "c-c",
		"../../etc/passwd":         "etcpasswd",
		`a\b:c*d?"<>|`:             "abcd",
		"Größe":                    "größe",
		"Gro\u0308ße":              "größe",
		"日本語 ノート":                  "日本語-ノート",
		"ÉCOLE e\u0301":            "école-é",
		"हिन्दी":                   "हिन्दी",
		"İstanbul":                 norm.NFC.String(strings.ToLower("İstanbul")),
		"😀 smile":                  "smile",
		"a\u200db\u202ec\x00d":     "abcd",
		".hidden":                  "hidden",
		"CON":                      "con-note",
		"com1":                     "com1-note",
		"LPT¹":                     "lpt¹-note",
		"com10":                    "com10",
		"console":                  "console",
		"note.md":                  "notemd",
		"":                         "",
		" - ":                      "",
		"😀":                        "",
		"\u0301":                   "",
	} {
		if got := FileName(title); got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}

func TestLongNames(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"a", "é", "日", "n\u0303\u0304", "🜁 "} {
		for shift := range 4 {
			name := FileName(strings.Repeat("x", shift) + strings.Repeat(letter, 200))
			if len(name) > maxName || !utf8.ValidString(name) || len(name) < maxName-12 && letter != "🜁 " {
				t.Errorf("%q: %d bytes: %q", letter, len(name), name)
			}
		}
	}
	if name := FileName(strings.Repeat("a", 199) + " b"); name != strings.Repeat("a", 199) {
		t.Errorf("got %q", name)
	}
}

func FuzzFileName(f *testing.F) {
	for _, title := range append(awkward, "COM1", strings.Repeat("é", 300), "İ", "ǅ", "ﬁ") {
		f.Add(title)
	}
	f.Fuzz(func(t *testing.T, title string) {
		name := FileName(title)
		if name == "" {
			return
		}
		if len(name) > maxName+len("-note") || !norm.NFC.IsNormalString(name) || FileName(name) != name ||
			strings.Trim(name, "-") != name || strings.Contains(name, "--") {
			t.Errorf("%q: got %q", title, name)
		}
		for _, r := range name {
			if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '-' {
				t.Errorf("%q: %q has %q", title, name, r)
			}
		}
	})
}
