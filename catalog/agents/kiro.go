package agents

var kiro = Agent{
	Name: "kiro", Title: "Kiro",
	Paths: []Path{{Pattern: ".kiro/steering/*.md"}, {Pattern: "AGENTS.md"}, {Pattern: ".kiro/skills/**"}},
	Target: &Target{
		Name: "kiro", Rules: ".kiro/steering/*.md", Skills: ".kiro/skills", ByAgent: ByRule, ByHand: ByRule, Front: kiroFront,
		kinds: []Kind{Kiro}, skills: []string{".kiro"},
	},
	Facts: []Fact{
		{"steering files and inclusion", "kirodotdev/Kiro#1643, #1803, #10448, #11506", "2026-09-21"},
		{"powers: POWER.md, which names the files in steering beside it", "the Power Builder of kirodotdev/powers, promptz.dev/powers/kiro-powers-power-power-builder", "2025-12"},
	},
	rows: []Row{
		{Pattern: ".kiro/steering/*.md", Kind: Kiro, Readers: "Kiro", scope: below},
		{Pattern: ".kiro/steering/**/*.md", Kind: Kiro, Readers: "Kiro", never: "Kiro does not read subfolders of .kiro/steering: move it up"},
		{Pattern: "POWER.md", Kind: KiroPower, Readers: "Kiro, once the power is installed"},
	},
	forms: []form{{
		kind: KiroPower, reads: []string{"name", "description", "keywords"}, loaded: "`agent`", read: func(r *reader) { r.Load = ByModel },
	}, {
		kind: Kiro, reads: []string{"inclusion", "fileMatchPattern", "name", "description"}, read: (*reader).readKiro,
		loaded: "`inclusion`: `always`, `fileMatch` with `fileMatchPattern` (`glob`), `auto` (`agent`), `manual`; else `always`",
	}},
}

// kiroFront returns the front matter of a Kiro rule. It writes a name and a description
// only for inclusion auto, which requires them.
func kiroFront(i Intent) string {
	switch i.Load {
	case Glob:
		return "inclusion: fileMatch\n" + yamlList("fileMatchPattern", i.Globs)
	case ByModel:
		return "inclusion: auto\n" + yamlText("name", i.ID) + yamlText("description", i.Description)
	case Manual:
		return "inclusion: manual\n"
	}
	return "inclusion: always\n"
}

func (r *reader) readKiro() {
	switch inclusion := r.front.Fields["inclusion"].Text; inclusion {
	case "":
		r.always()
		if r.front.Fields["fileMatchPattern"].says() {
			r.warn(LoadField, "fileMatchPattern", "Kiro reads it with inclusion: fileMatch only, and always loads the rule: add that")
		}
		r.warnOfForeignGlobs("fileMatchPattern", "Kiro")
	case "always":
		r.always()
	case "fileMatch":
		if !r.globs("fileMatchPattern") {
			r.never("inclusion is fileMatch, but fileMatchPattern is missing: add it")
		}
	case "manual":
		r.Load = Manual
	case "auto":
		r.Load = ByModel
	default:
		r.always()
		r.warn(LoadField, "inclusion", "%q is not always, fileMatch, manual or auto: it is treated as always", inclusion)
	}
}
