package agents

import (
	"strings"
	"unicode/utf8"
)

const byDevin = "Devin Desktop (Windsurf)"

// DevinCharacters is the number of characters of a rule that Devin Desktop reads.
const DevinCharacters = 12_000

var devin = Agent{
	Name: "devin", Title: "Devin Desktop",
	Paths: []Path{
		{Pattern: "{,**/}{.devin,.windsurf}/rules/*.md"}, {Pattern: "{,**/}{AGENTS,agents}.md"}, {Pattern: "{.windsurf,.devin}/skills/**"},
	},
	Limits: []Limit{{Pattern: "{,**/}{.devin,.windsurf}/rules/*.md", Max: DevinCharacters, Cut: "it cuts the rest of the file"}},
	Target: &Target{
		Name: "devin", Rules: ".devin/rules/*.md", Skills: ".windsurf/skills", ByAgent: ByRule, ByHand: ByRule,
		Front: devinFront,
		kinds: []Kind{Devin}, skills: []string{".windsurf", ".devin"},
	},
	Facts: []Fact{
		{"rules and triggers", "docs.devin.ai/desktop/cascade/memories", "2026"},
		{"limits", "skillwright.app, Windsurf Rules", "2026-06"},
	},
	rows: []Row{
		{Pattern: "{.devin,.windsurf}/rules/*.md", Kind: Devin, Readers: byDevin, scope: below},
		{Pattern: ".windsurfrules", Kind: Devin, Readers: byDevin + ", Cline, Zed", scope: below},
	},
	forms: []form{{
		kind: Devin, reads: []string{"trigger", "globs", "description"}, byLine: true, read: (*reader).readDevin, size: (*reader).checkDevinSize,
		loaded: "`trigger`: `always_on`, `glob` with `globs`, `model_decision` (`agent`), `manual`; else `always`",
	}},
}

func devinFront(i Intent) string {
	trigger := map[Load]string{Always: "always_on", Glob: "glob", ByModel: "model_decision", Manual: "manual"}[i.Load]
	front := "trigger: " + trigger + "\n" + bareText("description", i.Description)
	if i.Load == Glob {
		front += "globs: " + strings.Join(i.Globs, ",") + "\n"
	}
	return front
}

func (r *reader) readDevin() {
	switch trigger := r.front.Fields["trigger"].Text; trigger {
	case "always_on":
		r.always()
	case "glob":
		if !r.globs("globs") {
			r.Load = Manual
			r.warn(LoadField, "trigger", "glob needs globs: without them the rule is loaded only when it is named")
		}
	case "model_decision":
		r.Load = ByModel
	case "manual":
		r.Load = Manual
	case "":
		r.always()
		if len(r.front.Fields) > 0 {
			r.warn(LoadField, "", "trigger is missing and defaults to always_on: write always_on, glob, model_decision or manual")
		}
	default:
		r.always()
		r.warn(LoadField, "trigger", "%q is not always_on, glob, model_decision or manual: it is treated as always_on", trigger)
	}
}

func (r *reader) checkDevinSize(body string) {
	if n := utf8.RuneCountInString(body); n > DevinCharacters {
		r.warn(SizeDevin, "", "it has %d characters: Devin Desktop cuts off what follows the first %d; split it up", n, DevinCharacters)
	}
}
