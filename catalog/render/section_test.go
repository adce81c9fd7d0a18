package render_test

import (
	"strings"
	"testing"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/render"
)

// A block that a body leaves open ends with the body's section, with a warning, and takes
// in neither the next section nor the end of the region.
func TestOpenBlocks(t *testing.T) {
	t.Parallel()
	for body, ending := range map[string]string{
		"```go\ncode\n":               "```",
		"text\n\n~~~~\ncode\n~~~\n":   "~~~~",
		"`````\n```\ncode\n":          "`````",
		"<!-- a note\n":               "-->",
		"<script>\nx\n":               "</pre>", // any of four tags ends it
		"```\ncode\n```\n":            "",
		"- ```\n  code\n":             "", // the list ends it
		"> ```\n> code\n":             "",
		"<!-- a note -->\n":           "",
		"a ``` b\n":                   "",
		"```\ncode\n```\n\n```\nmore": "```",
	} {
		files, warnings := render.Files(sources(t, map[string]string{"a.md": body, "b.md": "Next.\n"}), []*agents.Target{agents.TargetNamed("agents")})
		want := strings.TrimRight(body, "\n") + "\n"
		if ending != "" {
			want += ending + "\n"
		}
		if got := string(files[0].Content); len(files) != 1 || got != "## a\n\n"+want+"\n## b\n\nNext.\n" {
			t.Errorf("%q: got\n%s", body, got)
		}
		if (len(warnings) == 1 && warnings[0].Field == "body") != (ending != "") {
			t.Errorf("%q: warnings %+v", body, warnings)
		}
	}
}

// An open block of a file that is written back keeps its bytes, and a warning names it.
func TestOpenBlockAboveRegion(t *testing.T) {
	t.Parallel()
	own := "# Ours\n\n```\ncode\n"
	files, warnings := render.Files(sources(t, map[string]string{"AGENTS.md": own, "b.md": "Next.\n"}), []*agents.Target{agents.TargetNamed("agents")})
	if len(files) != 1 || !strings.HasPrefix(string(files[0].Content), own+render.Begin) {
		t.Errorf("got %s", files[0].Content)
	}
	if len(warnings) != 1 || warnings[0].ID != "agents" || warnings[0].Path != "AGENTS.md" {
		t.Errorf("warnings %+v", warnings)
	}
}
