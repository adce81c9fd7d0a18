package instructions_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"instruction-catalog/rpc"
)

// TestAppliesTo checks which rules apply to a file, in a list, in both kinds of search,
// and for agents.
func TestAppliesTo(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"AGENTS.md": "Test first.", "web/AGENTS.md": "Test in a browser.",
		"go.mdc":                 "---\nglobs: **/*.go\n---\nTest with tables.",
		"b.md":                   "---\nappliesTo: [\"web/*.ts\"]\n---\nTest types.",
		"skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Deploys.\n---\nTest, then deploy.",
	}
	c := open(t, files)
	for path, want := range map[string]string{
		"web/a.ts": "agents b web-agents", "a/b.go": "agents go", "web/b.go": "agents go web-agents", "x": "agents",
	} {
		for _, call := range [][2]string{
			{"instructions/list", `{"appliesTo":"` + path + `"}`},
			{"instructions/search", `{"q":"test","appliesTo":"` + path + `"}`},
			{"instructions/search", `{"q":"test","mode":"ranked","appliesTo":"` + path + `"}`},
		} {
			answer := c.raw(call[0], call[1])
			for id := range strings.FieldsSeq("agents b go skills-deploy web-agents") {
				wanted := strings.Contains(" "+want+" ", " "+id+" ")
				if served := strings.Contains(answer, `"id":"`+id+`"`); served != wanted {
					t.Errorf("%s %s: %s is served: %v", call[0], call[1], id, served)
				}
			}
		}
	}
	if answer := c.raw("instructions/list", `{"load":"skill","fields":["load"]}`); !strings.Contains(answer, `"items":[{"id":"skills-deploy","load":"skill"}]`) {
		t.Errorf("skills: %s", answer)
	}
	if answer := c.raw("instructions/list", `{"appliesTo":"a.go","fields":["appliesTo"]}`); !strings.Contains(answer, `[{"id":"agents"},{"id":"go","appliesTo":["**/*.go"]}]`) {
		t.Errorf("globs: %s", answer)
	}
}

// TestAppliesToPaths checks that absolute paths within the catalog work. Other paths are
// rejected, because no rule with a glob would be found for them.
func TestAppliesToPaths(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "---\nappliesTo: [\"web/*.ts\"]\n---\nA"})
	for method, begin := range map[string]string{"instructions/list": `{`, "instructions/search": `{"q":"a",`} {
		for _, path := range []string{"web/a.ts", "./web/x/../a.ts", c.path("web/a.ts")} {
			if answer := c.raw(method, begin+`"appliesTo":`+strconv.Quote(path)+`}`); !strings.Contains(answer, `"id":"a"`) {
				t.Errorf("%s %s: %s", method, path, answer)
			}
		}
		for _, path := range []string{"../web/a.ts", filepath.Join(filepath.Dir(c.dir), "web", "a.ts"), "file://" + c.path("web/a.ts")} {
			c.fails(method, begin+`"appliesTo":`+strconv.Quote(path)+`}`, rpc.InvalidParams)
		}
	}
}
