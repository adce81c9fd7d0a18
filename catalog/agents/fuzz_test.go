package agents_test

import (
	"testing"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/glob"
)

// FuzzPlace checks that no glob and no path causes a panic.
func FuzzPlace(f *testing.F) {
	f.Add("web/.cursor/rules/x.mdc", "*.ts,!a/**", "web/a.ts")
	f.Add(".clinerules/x.md", "{a,[b/**", "a")
	f.Fuzz(func(t *testing.T, place, globs, path string) {
		p, _ := agents.At(place)
		p.Read(agents.FrontMatter{Fields: map[string]agents.Value{"globs": {Text: globs}}}, path)
		glob.Match(p.Anchor(glob.Split(globs)), path)
	})
}
