package agents

const byCline = "Cline"

var cline = Agent{
	Name: "cline", Title: byCline,
	Paths: []Path{
		{Pattern: ".clinerules/**/*.{md,txt}"}, {Pattern: ".clinerules"}, {Pattern: ".{cursor,windsurf}rules"},
		{Pattern: "{,**/}AGENTS.md"}, {Pattern: ".cline/skills/**"},
	},
	Target: &Target{
		Name: "cline", Rules: ".clinerules/*.md", Skills: ".cline/skills",
		Front: func(i Intent) string {
			if i.Load != Glob {
				return ""
			}
			return yamlList("paths", i.Globs)
		},
		kinds: []Kind{Cline, ClineWorkflow}, skills: []string{".cline"},
	},
	Facts: []Fact{{"rules, their conditions and front matter", "cline/cline docs/customization/cline-rules.mdx, apps/vscode user-instructions", "2026-08-22"}},
	rows: []Row{
		{Pattern: ".clinerules/workflows/**/*.md", Kind: ClineWorkflow, Readers: byCline},
		{Pattern: ".clinerules/{workflows,hooks,skills}/**", Kind: Cline, Readers: byCline, never: "Cline does not treat files in workflows, hooks and skills as rules", aside: true},
		{Pattern: ".clinerules/**/*.{md,txt}", Kind: Cline, Readers: byCline, scope: below},
		{Pattern: ".clinerules", Kind: Cline, Readers: byCline + ", Zed", scope: below},
	},
	forms: []form{
		{
			kind: Cline, reads: []string{"paths"}, read: (*reader).readCline,
			loaded: "`glob` by `paths`, a list; `never` if that is empty; else `always`",
		},
		{kind: ClineWorkflow, loaded: "`command`", read: (*reader).command},
	},
}

// readCline reads a rule as Cline does. Cline always loads a rule that it cannot read.
func (r *reader) readCline() {
	paths, there := r.front.Fields["paths"]
	switch {
	case r.front.Broken:
		r.always()
		r.warn(BrokenYAML, "", "the front matter is not valid YAML: Cline always loads the rule, front matter and all; put globs in quotes")
	case there && paths.IsList && len(paths.Items) == 0:
		r.never("paths is an empty list, which disables the rule")
		r.Off = true
	case paths.IsList:
		r.globs("paths")
	default:
		r.always()
		if paths.says() {
			r.warn(LoadField, "paths", "it is not a list, so Cline always loads the rule: write a list")
		}
		r.warnOfForeignGlobs("paths", "Cline")
	}
}
