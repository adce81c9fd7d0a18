package glob_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog/glob"
)

func Example() {
	globs := glob.Split("src/**/*.{ts,tsx}, !src/gen/**")
	fmt.Println(glob.Match(globs, "src/a/b.tsx"), glob.Match(globs, "src/gen/b.ts"))
	// Output: true false
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                    "",
		" , ,":                "",
		"a":                   "a",
		"a,b , c":             "a|b|c",
		"{a,b}/*,c":           "{a,b}/*|c",
		"{a,{b,c}},d":         "{a,{b,c}}|d",
		"[a,b]*,c":            "[a,b]*|c",
		"x [y/**, z":          "x [y/**|z",
		`a\,b,c`:              `a\,b|c`,
		`["**/*.go", 'b/*']`:  "**/*.go|b/*",
		"[**/*.go, {a,b}.md]": "**/*.go|{a,b}.md",
		"!a/**,b":             "!a/**|b",
		"[abc]":               "[abc]",
		"}a,b":                "}a|b",
	} {
		if got := strings.Join(glob.Split(text), "|"); got != want {
			t.Errorf("Split(%q) is %q, want %q", text, got, want)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		globs, path string
		want        bool
	}{
		{"**/*.go", "a.go", true},
		{"**/*.go", "a/b/.c.go", true},
		{"*.md", "docs/a.md", false},
		{"a/**, !a/b/**", "a/b/c", false},
		{"!a/b/**, a/**", "a/b/c", false},
		{"!a/**", "b", false},
		{"[a-c]*.ts", "b1.ts", true},
		{"a [b/**", "a [b/c", false},
		{`a \[b/**`, "a [b/c", true},
		{strings.Repeat("{a,a}", 9) + "b", "aaaaaaaaab", true},
		{strings.Repeat("{a,a}", 40) + "b", strings.Repeat("a", 40) + "b", false},
		{strings.Repeat("{a,", 400) + "b" + strings.Repeat("}", 400), "a", false},
	} {
		if got := glob.Match(glob.Split(tt.globs), tt.path); got != tt.want {
			t.Errorf("%q matches %q: %v", tt.globs, tt.path, got)
		}
	}
}

// Joining the globs with commas and splitting them again yields the same globs.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"a,b", "{a,b}/*,c", "[a,b]*", "x [y", `a\,b`, "}{,", "!a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.HasPrefix(strings.TrimSpace(s), "[") {
			return // Split removes the brackets of a list
		}
		globs := glob.Split(s)
		again := glob.Split(strings.Join(globs, ","))
		if !slices.Equal(globs, again) && !strings.ContainsAny(s, "[{\\") {
			t.Errorf("%q gives %q, and then %q", s, globs, again)
		}
	})
}

func FuzzMatch(f *testing.F) {
	f.Add("src/**, !a/{b,c}", "src/a")
	f.Add("{a,[b/**", "a")
	f.Fuzz(func(t *testing.T, text, path string) {
		globs := glob.Split(text)
		if glob.Match(globs, path) && !slices.ContainsFunc(globs, glob.Valid) {
			t.Errorf("%q matches %q, though none of them is valid", globs, path)
		}
	})
}

// Braces that appear to be closed in a set or after a backslash also count.
func TestAlternativesBehindEscapes(t *testing.T) {
	t.Parallel()
	for _, g := range []string{"x" + strings.Repeat(`{\},a,a}`, 27) + "b", strings.Repeat(`{[}],a,a}`, 27), strings.Repeat(`{[{],a,a}`, 12)} {
		if glob.Valid(g) {
			t.Errorf("%s is taken", g)
		}
	}
	for _, g := range []string{`src/\[id\]/*.{ts,tsx}`, `[a-z]*.{js,jsx,ts,tsx,mjs,cjs}`, `{a,b}/[0-9]/{c,d,e}`} {
		if !glob.Valid(g) {
			t.Errorf("%s is refused", g)
		}
	}
}
