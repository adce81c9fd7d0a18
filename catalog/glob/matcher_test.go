package glob_test

import (
	"testing"

	"instruction-catalog/catalog/glob"
)

// Matcher matches the same paths as Match.
func TestMatcher(t *testing.T) {
	t.Parallel()
	paths := []string{"", "a", "a.go", "src", "src/a.go", "src/b/a.go", "lib/x/a.ts", "a[b].go", "a{b}.go", "a*b", "b.go"}
	for _, g := range []string{
		"", "a.go", "*.go", "**", "**/*", "**/*.go", "src/**", "src/**/*.go", "src/**/a.go", "**/a.go", "src/*", "{src,lib}/**/*.{go,ts}",
		"[ab].go", `a\[b\].go`, `a\*b`, "a[", "{a,b", "**/", "lib/?/a.ts", "*",
	} {
		matches := glob.Matcher(g)
		for _, p := range paths {
			if got, want := matches(p), glob.Match([]string{g}, p); got != want {
				t.Errorf("Matcher(%q)(%q) is %v", g, p, got)
			}
		}
	}
}
