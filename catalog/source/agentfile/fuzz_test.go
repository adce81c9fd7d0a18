package agentfile_test

import (
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog/source/agentfile"
)

// Joined again with commas, globs are taken apart as they were.
func FuzzSplitGlobs(f *testing.F) {
	for _, s := range []string{"a,b", "{a,b}/*,c", "[a,b]*", "x [y", `a\,b`, "}{,", "!a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.HasPrefix(strings.TrimSpace(s), "[") {
			return // a list in brackets loses them
		}
		globs := agentfile.SplitGlobs(s)
		again := agentfile.SplitGlobs(strings.Join(globs, ","))
		if !slices.Equal(globs, again) && !strings.ContainsAny(s, "[{\\") {
			t.Errorf("%q gives %q, and then %q", s, globs, again)
		}
	})
}

// No glob and no path does harm, and a folder's globs match below it only.
func FuzzMatch(f *testing.F) {
	f.Add("web/.cursor/rules/x.mdc", "*.ts,!a/**", "web/a.ts")
	f.Add(".clinerules/x.md", "{a,[b/**", "a")
	f.Fuzz(func(t *testing.T, place, globs, path string) {
		p, _ := agentfile.At(place)
		p.Read(agentfile.FrontMatter{Fields: map[string]agentfile.Value{"globs": {Text: globs}}}, path)
		agentfile.Match(p.Anchor(agentfile.SplitGlobs(globs)), path)
	})
}
